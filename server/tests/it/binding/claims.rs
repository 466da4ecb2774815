//! Replay and conflict (rules C3, C6 and C7; decisions, D3).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use server::proof::{Outcome, Sender, Submission, SubmitError, VALIDITY};
use server::store::claims::Recorded;
use server::store::profiles::Identity;

use super::files::{COIN, challenge, paying};
use super::*;
use crate::support::node::AddressType;

/// Rule C3.
#[tokio::test]
async fn one_signature_does_not_renew_for_ever() {
    let node = Node::shared().await;
    let app = optional_app(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let amount = challenge(&person).await;
    let file = paying(&app, &wallet, &[coin], amount).await.binary();
    accepted(&submit(node, &person, &file).await, "success", "amount");

    // Not when a newer one has taken its place.
    let second = paying(&app, &wallet, &[coin], amount + bitcoin::Amount::ONE_SAT)
        .await
        .binary();
    accepted(
        &submit(node, &person, &second).await,
        "reverified",
        "unbound",
    );
    refused(&submit(node, &person, &file).await, 422, "already-used");
    accepted(
        &submit(node, &person, &second).await,
        "already-verified",
        "unbound",
    );

    // Not when its time is over.
    app.state.clock.advance(VALIDITY);
    let _still = node.still().await;
    for file in [&file, &second] {
        let outcome = submit_as(&app, &person.id, file).await.unwrap();
        assert_eq!(outcome.recorded, Recorded::Replayed);
    }
    let board = app.get("/api/rest/v1/profiles").await.body;
    assert_eq!(board[0]["verified"], false);
}

/// What a request would do, for people without a session.
async fn submit_as(app: &TestApp, user_id: &str, file: &[u8]) -> Result<Outcome, SubmitError> {
    let sender = Sender {
        user_id: user_id.to_owned(),
        address: None,
    };
    let submission = Submission {
        psbt_base64: STANDARD.encode(file),
        hints: Vec::new(),
        file_name: "a.psbt".to_owned(),
    };
    app.state.proving.submit(&sender, submission).await
}

#[tokio::test]
async fn an_active_proof_stays_so_after_the_amount_has_changed() {
    let node = Node::shared().await;
    let app = app(node).await;
    let (person, other) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let amount = challenge(&person).await;
    let file = paying(&app, &wallet, &[coin], amount).await.binary();
    accepted(&submit(node, &person, &file).await, "success", "amount");
    app.state.clock.advance(VALIDITY - 1);
    let (person, other) = (
        app.still_signed_in(&person).await,
        app.still_signed_in(&other).await,
    );
    assert_ne!(challenge(&person).await, amount);
    accepted(
        &submit(node, &person, &file).await,
        "already-verified",
        "amount",
    );
    refused(&submit(node, &other, &file).await, 422, "not-bound");
}

/// Rule C3: the same account at the provider, so the very amount still fits.
#[tokio::test]
async fn deleting_the_account_does_not_make_a_file_new() {
    let node = Node::shared().await;
    let app = app(node).await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let identity = Identity {
        provider: "github",
        subject: "42".to_owned(),
        username: None,
        email: None,
        avatar_url: None,
    };
    let (store, now) = (&app.state.store, app.state.clock.now());
    let amount = app.state.proving.challenge("github", "42").amount;
    let file = paying(&app, &wallet, &[coin], amount).await.binary();
    let mut outcomes = Vec::new();
    for _ in 0..2 {
        let profile = store.sign_in(&identity, now).await.unwrap();
        let _still = node.still().await;
        let outcome = submit_as(&app, &profile.id, &file).await;
        outcomes.push(outcome.unwrap().recorded);
        store.delete_profile(&profile.id).await.unwrap();
        let gone = submit_as(&app, &profile.id, &file).await;
        assert!(matches!(gone, Err(SubmitError::NoAccount)), "{gone:?}");
    }
    let total_sats = i64::try_from(COIN.to_sat()).unwrap();
    assert_eq!(
        outcomes,
        [Recorded::Verified { total_sats }, Recorded::Replayed]
    );
}

/// Rule C6: two people can sign for one coin; the second learns only that there is a conflict.
#[tokio::test]
async fn a_conflict_names_nothing() {
    let node = Node::shared().await;
    let app = app(node).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let shared = wallet.fund(AddressType::Bech32, COIN).await;
    let own = wallet.fund(AddressType::Bech32m, COIN).await;
    let first = paying(&app, &wallet, &[shared], challenge(&hal).await).await;
    accepted(
        &submit(node, &hal, &first.binary()).await,
        "success",
        "amount",
    );
    let second = paying(&app, &wallet, &[own, shared], challenge(&eve).await).await;
    let answer = submit(node, &eve, &second.binary()).await;
    assert_eq!(answer.status, 409);
    let expected =
        json!({"status": "conflict", "code": "conflict", "message": "Conflict detected."});
    assert_eq!(answer.body, expected);
    nothing_recorded(&eve).await;

    // A file that is not signed does not get as far, whoever holds the coin.
    for coin in [shared, own] {
        let amount = challenge(&eve).await;
        let mut unsigned = paying(&app, &wallet, &[coin], amount).await.decode();
        unsigned.inputs[0].final_script_witness = None;
        let answer = submit(node, &eve, &unsigned.serialize()).await;
        refused(&answer, 422, "not-signed");
    }
}

/// Decisions, D4: the loser is told what happened, and not by whom.
#[tokio::test]
async fn a_bound_file_takes_over_what_an_unbound_one_claimed() {
    let node = Node::shared().await;
    let app = optional_app(node).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32, COIN), (AddressType::Bech32m, COIN)])
        .await;
    let unbound = wallet.proof(&coins, true).await.binary();
    accepted(&submit(node, &eve, &unbound).await, "success", "unbound");
    // One more that is not bound takes nothing from it.
    let other = paying(&app, &wallet, &coins[..1], COIN / 3).await.binary();
    assert_eq!(submit(node, &hal, &other).await.status, 409);

    let bound = paying(&app, &wallet, &coins[..1], challenge(&hal).await)
        .await
        .binary();
    accepted(&submit(node, &hal, &bound).await, "success", "amount");
    assert_eq!(hal.profile().await["bitcoin_holdings"], 0.3);
    assert_eq!(eve.profile().await["bitcoin_holdings"], 0.3);
    let row = &eve.proofs().await[0];
    assert_eq!(
        (&row["active"], &row["ended_reason"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(row["taken_over_sats"], COIN.to_sat());
    assert!(!row.to_string().contains(&hal.id));

    let rest = paying(&app, &wallet, &coins[1..], challenge(&hal).await)
        .await
        .binary();
    accepted(&submit(node, &hal, &rest).await, "success", "amount");
    let row = &eve.proofs().await[0];
    assert_eq!(
        (&row["active"], &row["ended_reason"]),
        (&json!(false), &json!("taken-over"))
    );
    assert_eq!(eve.profile().await["verified"], false);
}

/// Rule C7.
#[tokio::test]
async fn of_a_hundred_at_once_one_wins() {
    const PEOPLE: usize = 100;
    let node = Node::shared().await;
    let database = TestDatabase::postgres().await;
    let app = app_with(database, node, &["--proof-binding=optional"]).await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let mut files = Vec::new();
    for amount in [11_111, 22_222, 33_333, 44_444] {
        let amount = bitcoin::Amount::from_sat(amount);
        files.push(paying(&app, &wallet, &[coin], amount).await.binary());
    }
    let people = futures_util::future::join_all((0..PEOPLE).map(|_| app.sign_in())).await;
    let _still = node.still().await;
    let attempts = people.iter().zip(files.iter().cycle());
    let attempts = attempts.map(|(person, file)| person.submit(file));
    let answers = futures_util::future::join_all(attempts).await;
    let count = |status| {
        answers
            .iter()
            .filter(|answer| answer.status == status)
            .count()
    };
    assert_eq!((count(200), count(409)), (1, PEOPLE - 1));
    let board = app.get("/api/rest/v1/profiles?verified=eq.true").await.body;
    assert_eq!(board.as_array().map(Vec::len), Some(1));
}
