//! Binding by a still transaction (proofs, section 2), as honest wallets make it.

use bitcoin::consensus::encode::{serialize, serialize_hex};
use serde_json::json;

use super::files::{COIN, bound, pay, signed_still, statement, still, transfer, unsigned};
use super::*;
use crate::support::node::{AddressType, SomePsbt};

/// What Electrum and Coldcard export, what the browser leaves of a file, and amounts that come back in parts.
#[tokio::test]
async fn a_still_transaction_may_come_in_other_forms() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_one_address(AddressType::Bech32, &[COIN, COIN / 2])
        .await;
    let file = signed_still(&app, &wallet, &coins, &line).await;
    assert_eq!(file.transaction().output.len(), 2, "one for each script");
    let raw = serialize(&file.transaction());
    accepted(&submit(node, &person, &raw).await, "success", "transaction");
    let stripped = psbt_wasm::strip(file.binary()).expect("a file");
    let answer = submit(node, &person, &stripped).await;
    accepted(&answer, "already-verified", "transaction");
    assert_eq!(person.proofs().await[0]["binding"], "transaction");

    let coin = wallet.fund(AddressType::Bech32m, COIN).await;
    let mut parts = still(&app, &[coin], &line).await;
    let own = parts.output[0].script_pubkey.clone();
    parts.output[0].value = COIN / 3;
    parts.output.push(pay(COIN - COIN / 3, &own));
    // The statement may stand anywhere.
    parts.output.swap(0, 1);
    let file = wallet.sign(&unsigned(parts), true).await.binary();
    accepted(
        &submit(node, &person, &file).await,
        "success",
        "transaction",
    );
}

#[tokio::test]
async fn no_node_takes_it() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = signed_still(&app, &wallet, &[coin], &line).await;
    let hex = serialize_hex(&file.transaction());
    let verdict = node.call("testmempoolaccept", json!([[hex]])).await;
    assert_eq!(
        (&verdict[0]["allowed"], &verdict[0]["reject-reason"]),
        (&json!(false), &json!("non-final")),
        "{verdict}"
    );
    let answer = submit(node, &person, &file.binary()).await;
    accepted(&answer, "success", "transaction");
}

/// Rule C1: the file of somebody else, and a transfer for nobody.
#[tokio::test]
async fn a_leaked_file_is_refused_with_what_to_do() {
    let node = Node::shared().await;
    let app = app(node).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let kinds = [AddressType::Bech32, AddressType::Bech32m];
    let coins = wallet.fund_all(&kinds.map(|kind| (kind, COIN))).await;
    let bound_to_hal = bound(&app, &hal, &wallet, &coins[..1]).await;
    let for_nobody = transfer(&app, &wallet, &coins[1..], COIN / 1_000).await;

    let said = refused(&submit(node, &eve, &for_nobody).await, 422, "not-bound");
    assert!(
        said.contains("The upload page makes a file over the same coins"),
        "{said}"
    );
    let answer = submit(node, &eve, &bound_to_hal).await;
    let said = refused(&answer, 422, "other-statement");
    assert!(said.contains("another account or another site"), "{said}");
    nothing_recorded(&eve).await;
    // Nor is it used up for the one it was made for, before or after.
    let answer = submit(node, &hal, &bound_to_hal).await;
    accepted(&answer, "success", "transaction");
    let answer = submit(node, &eve, &bound_to_hal).await;
    refused(&answer, 422, "other-statement");
}

/// Decisions, D11: what a person can try in development.
#[tokio::test]
async fn the_samples_show_both_carriers() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    for (name, binding) in [
        ("self-transfer.psbt", "transaction"),
        ("cold-storage-multisig.psbt", "transaction"),
        ("legacy-wallet.psbt", "message"),
        ("wallet_verification.psbt", "transaction"),
    ] {
        let file = person.sample(name).await;
        accepted(&person.submit(&file).await, "success", binding);
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

/// The file of one wallet and its own signatures, so that it is known what the tests of forgeries change.
#[tokio::test]
async fn what_two_wallets_sign_for_one_account_is_bound() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let (hers, his) = (node.wallet().await, node.wallet().await);
    let coins = [
        hers.fund(AddressType::Bech32, COIN).await,
        his.fund(AddressType::Bech32m, COIN).await,
    ];
    let line = statement(&person).await;
    let unsigned: SomePsbt = unsigned(still(&app, &coins, &line).await);
    let half = hers.sign(&unsigned, true).await;
    let file = his.sign(&half, true).await;
    let answer = submit(node, &person, &file.binary()).await;
    accepted(&answer, "success", "transaction");
}
