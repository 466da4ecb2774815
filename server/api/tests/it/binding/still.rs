//! Binding by a still transaction (proofs, section 2), as honest wallets make it.

use bitcoin::consensus::encode::{serialize, serialize_hex};
use serde_json::json;

use super::files::{COIN, signed_still, statement};
use super::*;
use crate::support::node::AddressType;

/// The exports of Electrum and Coldcard, and a file as the browser strips it.
#[tokio::test]
async fn no_node_takes_a_still_transaction_and_the_board_does_in_every_form() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_one_address(AddressType::Bech32, &[COIN, COIN / 2])
        .await;
    let file = signed_still(&app, &wallet, &coins, &line).await;
    let hex = serialize_hex(&file.transaction());
    let verdict = node.call("testmempoolaccept", json!([[hex]])).await;
    assert_eq!(
        (&verdict[0]["allowed"], &verdict[0]["reject-reason"]),
        (&json!(false), &json!("non-final")),
        "{verdict}"
    );
    let raw = serialize(&file.transaction());
    takes(node, &person, &raw, "success", "transaction").await;
    let stripped = psbt_wasm::strip(file.binary()).expect("a file");
    takes(node, &person, &stripped, "already-verified", "transaction").await;
    assert_eq!(person.proofs().await[0]["binding"], "transaction");
}

/// Decisions, D11: what a user can try in development.
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
