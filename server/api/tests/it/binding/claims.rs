//! Replay and conflict (rules C3, C6 and C7; decisions, D3).

use api::proof::{Outcome, Sender, Submission, SubmitError, VALIDITY};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use store::claims::Recorded;
use store::profiles::Identity;
use verify::binding::NotBound;

use super::files::{COIN, bound, signed_still, transfer};
use super::*;
use crate::support::node::AddressType;

const FEE: bitcoin::Amount = bitcoin::Amount::from_sat(1_000);

/// Rule C3.
#[tokio::test]
async fn one_signature_does_not_renew_for_ever() {
    let node = Node::shared().await;
    let app = optional_app(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = bound(&app, &person, &wallet, &[coin]).await;
    takes(node, &person, &file, "success", "transaction").await;

    let second = transfer(&app, &wallet, &[coin], FEE).await;
    takes(node, &person, &second, "reverified", "unbound").await;
    let proofs = person.proofs().await;
    let active = [&proofs[0]["active"], &proofs[1]["active"]];
    assert_eq!(active, [&json!(true), &json!(false)]);
    takes(node, &person, &second, "already-verified", "unbound").await;
    // Its line is still valid, and only the same user's newer proof took its coin. The other one has no line.
    takes(node, &person, &file, "reverified", "transaction").await;
    refuses(node, &person, &second, "already-used").await;

    // Not after its end.
    app.state.clock.advance(VALIDITY);
    let _still = node.still().await;
    for file in [&second, &file] {
        let outcome = submit_as(&app, &person.id, file).await.unwrap();
        assert_eq!(outcome.recorded, Recorded::Replayed);
    }
    let row = &app.get("/api/rest/v1/profiles").await.body[0];
    assert_eq!(
        (&row["verified"], &row["bitcoin_holdings"], &row["rank"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    assert!(row["last_verified"].is_string());
}

/// {A}, {A, B}, {A}: the same line over the same coins makes the same transaction.
#[tokio::test]
async fn coins_are_proven_again_without_another_within_one_period() {
    let node = Node::shared().await;
    let app = app(node).await;
    let (person, other) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 2]).await;
    let one = bound(&app, &person, &wallet, &coins[..1]).await;
    let both = bound(&app, &person, &wallet, &coins).await;
    for (file, status) in [
        (&one, "success"),
        (&both, "success"),
        (&one, "reverified"),
        (&one, "already-verified"),
        // The first coin has moved to the newer proof, the second one still counts in this one: it is active.
        (&both, "already-verified"),
    ] {
        accepted(&submit(node, &person, file).await, status, "transaction");
    }
    assert_eq!(person.profile().await["bitcoin_holdings"], 0.6);
    // Another user's file.
    refuses(node, &other, &one, "other-statement").await;
    // Not after its end.
    app.state.clock.advance(VALIDITY);
    let _still = node.still().await;
    for file in [&one, &both] {
        let outcome = submit_as(&app, &person.id, file).await.unwrap();
        assert_eq!(outcome.recorded, Recorded::Replayed);
    }
}

/// A request's effect for users without a session.
async fn submit_as(app: &TestApp, user_id: &str, file: &[u8]) -> Result<Outcome, SubmitError> {
    let sender = Sender {
        user_id: user_id.to_owned(),
        address: None,
    };
    let submission = Submission {
        psbt_base64: STANDARD.encode(file),
        hints: Vec::new(),
        file_name: "a.psbt".to_owned(),
        publish: false,
    };
    app.state.proving.submit(&sender, submission).await
}

/// Rule C3. A file without a statement would fit the next account; one with a statement names its account.
#[tokio::test]
async fn deleting_the_account_does_not_make_a_file_new() {
    let node = Node::shared().await;
    let app = optional_app(node).await;
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
    let for_nobody = transfer(&app, &wallet, &[coin], FEE).await;
    let first = store.sign_in(&identity, now).await.unwrap();
    let line = app.state.proving.statement(&first).await.unwrap();
    let line = line.line().to_owned();
    let for_first = signed_still(&app, &wallet, &[coin], &line).await.binary();
    let _still = node.still().await;
    let total_sats = i64::try_from(COIN.to_sat()).unwrap();
    for (file, expected) in [
        (&for_nobody, Recorded::Verified { total_sats }),
        (&for_first, Recorded::Reverified { total_sats }),
    ] {
        let outcome = submit_as(&app, &first.id, file).await.unwrap();
        assert_eq!(outcome.recorded, expected);
    }
    store.delete_profile(&first.id).await.unwrap();
    let gone = submit_as(&app, &first.id, &for_first).await;
    assert!(matches!(gone, Err(SubmitError::NoAccount)), "{gone:?}");

    let second = store.sign_in(&identity, now).await.unwrap();
    let outcome = submit_as(&app, &second.id, &for_nobody).await.unwrap();
    assert_eq!(outcome.recorded, Recorded::Replayed);
    let refused = submit_as(&app, &second.id, &for_first).await;
    let other = SubmitError::NotBound(NotBound::OtherStatement).to_string();
    assert_eq!(refused.unwrap_err().to_string(), other);
}

/// Rule C6: two users can sign for one coin; the second learns only that there is a conflict.
#[tokio::test]
async fn a_conflict_names_nothing() {
    let node = Node::shared().await;
    let app = app(node).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let shared = wallet.fund(AddressType::Bech32, COIN).await;
    let own = wallet.fund(AddressType::Bech32m, COIN).await;
    let first = bound(&app, &hal, &wallet, &[shared]).await;
    takes(node, &hal, &first, "success", "transaction").await;
    let second = bound(&app, &eve, &wallet, &[own, shared]).await;
    let answer = submit(node, &eve, &second).await;
    assert_eq!(answer.status, 409);
    // What to do if she was tricked into signing for the other account (rule C9).
    let message = "Conflict detected. If the other account is yours too, go on there. If you did not sign for another account, move these coins to a new address of yours: the other proof ends with the block that has the payment, and then you can prove them here.";
    let expected = json!({"status": "conflict", "code": "conflict", "message": message});
    assert_eq!(answer.body, expected);
    nothing_recorded(&eve).await;

    // An unsigned file is refused earlier, even when another account claims the coin.
    for coin in [shared, own] {
        let file = bound(&app, &eve, &wallet, &[coin]).await;
        let mut unsigned = bitcoin::Psbt::deserialize(&file).expect("a PSBT");
        unsigned.inputs[0].final_script_witness = None;
        refuses(node, &eve, &unsigned.serialize(), "not-signed").await;
    }
}

/// Decisions, D4: the account that loses a coin learns what happened, but not which account took it.
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
    takes(node, &eve, &unbound, "success", "unbound").await;
    // Another unbound file takes nothing from it.
    let other = transfer(&app, &wallet, &coins[..1], FEE).await;
    assert_eq!(submit(node, &hal, &other).await.status, 409);

    let first = bound(&app, &hal, &wallet, &coins[..1]).await;
    takes(node, &hal, &first, "success", "transaction").await;
    assert_eq!(hal.profile().await["bitcoin_holdings"], 0.3);
    assert_eq!(eve.profile().await["bitcoin_holdings"], 0.3);
    let row = &eve.proofs().await[0];
    assert_eq!(
        (&row["active"], &row["ended_reason"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(row["taken_over_sats"], COIN.to_sat());
    assert!(!row.to_string().contains(&hal.id));

    let rest = bound(&app, &hal, &wallet, &coins[1..]).await;
    takes(node, &hal, &rest, "success", "transaction").await;
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
    for fee in 1..=4 {
        files.push(transfer(&app, &wallet, &[coin], FEE * fee).await);
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
