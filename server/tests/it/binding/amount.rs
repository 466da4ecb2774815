//! Binding by amount (rules C1, C2 and C4).

use bitcoin::Amount;
use serde_json::json;
use server::proof::challenge::PERIOD;
use server::store::profiles::Identity;

use super::files::{COIN, bound, challenge, output, pay, paying, unsigned};
use super::*;
use crate::support::node::AddressType;

#[tokio::test]
async fn the_challenge_says_what_to_send() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let answer = person.get(CHALLENGE).await;
    assert_eq!(answer.status, 200);
    let body = &answer.body;
    let sats = body["amount_sats"].as_u64().expect("an amount");
    assert!((10_000..100_000).contains(&sats));
    let bitcoin = body["amount"].as_f64().expect("a number");
    assert!((bitcoin * 1e8 - sats as f64).abs() < 0.5, "{body}");
    assert_eq!(body["binding"], "required");
    assert_eq!(body.get("previous_amount_sats"), None);
    assert_eq!(app.get(CHALLENGE).await.status, 401);

    // The amount stays for its period, and the one before counts for a day more.
    let now = app.state.clock.now();
    app.state.clock.advance(PERIOD - now % PERIOD);
    let person = app.still_signed_in(&person).await;
    let next = person.get(CHALLENGE).await.body;
    assert_ne!(next["amount_sats"], sats);
    assert_eq!(next["previous_amount_sats"], sats);
    app.state.clock.advance(DAY);
    let person = app.still_signed_in(&person).await;
    let later = person.get(CHALLENGE).await.body;
    assert_eq!(later["amount_sats"], next["amount_sats"]);
    assert_eq!(later.get("previous_amount_sats"), None);
}

#[tokio::test]
async fn every_kind_of_wallet_can_bind_its_file() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let amount = challenge(&person).await;
    for kind in AddressType::ALL {
        let coin = wallet.fund(kind, COIN).await;
        let file = paying(&app, &wallet, &[coin], amount).await;
        accepted(
            &submit(node, &person, &file.binary()).await,
            "success",
            "amount",
        );
    }
    let coins = wallet
        .fund_all(&AddressType::ALL.map(|kind| (kind, COIN)))
        .await;
    let file = paying(&app, &wallet, &coins, amount).await.binary();
    let answer = submit(node, &person, &file).await;
    accepted(&answer, "success", "amount");
    assert_eq!(answer.body["amount"], 1.2);
    let again = submit(node, &person, &file).await;
    accepted(&again, "already-verified", "amount");
    assert_eq!(person.proofs().await[0]["binding"], "amount");
}

/// Rule C1: the file of somebody else, and a self-transfer for nobody.
#[tokio::test]
async fn a_leaked_file_is_refused_with_the_steps() {
    let node = Node::shared().await;
    let app = app(node).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let bound_to_hal = bound(&app, &hal, &wallet).await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let for_nobody = wallet.proof(&[coin], true).await.binary();

    for file in [&bound_to_hal, &for_nobody] {
        let answer = submit(node, &eve, file).await;
        let said = refused(&answer, 422, "not-bound");
        assert_eq!(answer.body["missing"], "amount");
        let sats = challenge(&eve).await.to_sat();
        assert_eq!(answer.body["challenge_sats"], sats);
        assert!(
            said.contains(&format!("exactly {:.8} BTC", sats as f64 / 1e8)),
            "{said}"
        );
    }
    nothing_recorded(&eve).await;
    // Nor is it used up for the one it was made for, before or after.
    accepted(
        &submit(node, &hal, &bound_to_hal).await,
        "success",
        "amount",
    );
    refused(&submit(node, &eve, &bound_to_hal).await, 422, "not-bound");
}

/// Rule C2: in a payjoin the receiver adds a coin of his, and gets his amount at an address that is
/// not spent; or at one that is, and something goes elsewhere.
#[tokio::test]
async fn joint_transactions_are_refused() {
    let node = Node::shared().await;
    let app = app(node).await;
    let eve = app.sign_in().await;
    let amount = challenge(&eve).await;
    let (hers, his) = (node.wallet().await, node.wallet().await);
    let coins = [
        hers.fund(AddressType::Bech32, COIN).await,
        his.fund(AddressType::Bech32, COIN).await,
    ];
    let (her_script, his_script) = (
        output(&app, coins[0]).await.script_pubkey,
        output(&app, coins[1]).await.script_pubkey,
    );
    let fresh: bitcoin::Address<_> = hers.address(AddressType::Bech32).await.parse().unwrap();
    let fresh = fresh.assume_checked().script_pubkey();
    let rest = COIN + COIN - amount - Amount::from_sat(1_000);
    let cases = [
        (
            vec![pay(amount, &fresh), pay(rest, &his_script)],
            "own-script",
            0,
        ),
        (
            vec![pay(amount, &her_script), pay(rest, &fresh)],
            "own-outputs",
            1,
        ),
        (
            vec![
                pay(rest, &her_script),
                pay(amount + Amount::ONE_SAT, &his_script),
            ],
            "amount",
            -1,
        ),
    ];
    for (outputs, missing, blamed) in cases {
        let half = hers.sign(&unsigned(&coins, outputs), true).await;
        let file = his.sign(&half, true).await.binary();
        let answer = submit(node, &eve, &file).await;
        refused(&answer, 422, "not-bound");
        assert_eq!(answer.body["missing"], missing);
        assert_eq!(answer.body["output"].as_i64().unwrap_or(-1), blamed);
    }
    nothing_recorded(&eve).await;
}

#[tokio::test]
async fn coins_of_one_address_may_pay_a_bill() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let amount = challenge(&person).await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32m, COIN).await;
    let own = output(&app, coin).await.script_pubkey;
    let bill: bitcoin::Address<_> = wallet.address(AddressType::Bech32).await.parse().unwrap();
    let outputs = vec![
        pay(COIN / 2, &bill.assume_checked().script_pubkey()),
        pay(amount, &own),
    ];
    let file = wallet.sign(&unsigned(&[coin], outputs), true).await;
    accepted(
        &submit(node, &person, &file.binary()).await,
        "success",
        "amount",
    );
}

/// Rule C4: the amount follows from the account at the provider.
#[tokio::test]
async fn signing_up_again_does_not_roll_another_amount() {
    let app = TestApp::development().await;
    let identity = Identity {
        provider: "github",
        subject: "42".to_owned(),
        username: None,
        email: None,
        avatar_url: None,
    };
    let now = app.state.clock.now();
    let mut amounts = Vec::new();
    let mut ids = Vec::new();
    for _ in 0..2 {
        let profile = app.state.store.sign_in(&identity, now).await.unwrap();
        let proving = &app.state.proving;
        let challenge = proving.challenge(&profile.provider, &profile.subject);
        amounts.push(challenge.amount);
        assert!(app.state.store.delete_profile(&profile.id).await.unwrap());
        ids.push(profile.id);
    }
    assert_ne!(ids[0], ids[1]);
    assert_eq!(amounts[0], amounts[1]);
}

/// Decisions, D11: what a person can try in development.
#[tokio::test]
async fn the_samples_show_both() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    for name in [
        "self-transfer.psbt",
        "cold-storage-multisig.psbt",
        "legacy-wallet.psbt",
        "wallet_verification.psbt",
    ] {
        let file = person.sample(name).await;
        let answer = person.submit(&file).await;
        accepted(&answer, "success", "amount");
    }
    let unbound = person.submit(&person.sample("unbound.psbt").await).await;
    refused(&unbound, 422, "not-bound");
    let unsigned = person.submit(&person.sample("unsigned.psbt").await).await;
    refused(&unsigned, 422, "not-signed");
    assert_eq!(
        person.profile().await["bitcoin_holdings"],
        2.25 + 12.5 + 1.0 + 1.25
    );

    let app = TestApp::start(TestDatabase::sqlite().await, &["--proof-binding=optional"]).await;
    let person = app.sign_in().await;
    assert_eq!(person.get(CHALLENGE).await.body["binding"], "optional");
    let unbound = person.submit(&person.sample("unbound.psbt").await).await;
    accepted(&unbound, "success", "unbound");
    assert_eq!(person.proofs().await[0]["binding"], json!("unbound"));
}
