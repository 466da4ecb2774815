//! Binding by a still transaction (proofs, section 2), as honest wallets make it.

use super::files::{COIN, signed_still, statement};
use super::*;

/// The exports of Electrum and Coldcard, and a file as the browser strips it.
#[tokio::test]
async fn no_node_takes_a_still_transaction_and_the_board_does_in_every_form() {
    let scene = Scene::new().await;
    let person = scene.app.sign_in().await;
    let line = statement(&person).await;
    let amounts = [COIN, COIN / 2];
    let coins = scene.wallet.fund_one_address(AddressType::Bech32, &amounts);
    let file = signed_still(&scene.app, &scene.wallet, &coins.await, &line).await;
    let hex = serialize_hex(&file.transaction());
    let verdict = scene.node.call("testmempoolaccept", json!([[hex]])).await;
    assert_eq!(
        (&verdict[0]["allowed"], &verdict[0]["reject-reason"]),
        (&json!(false), &json!("non-final")),
        "{verdict}"
    );
    let raw = serialize(&file.transaction());
    scene.takes(&person, &raw, "success", "transaction").await;
    let stripped = psbt_wasm::strip(file.binary()).unwrap();
    let status = "already-verified";
    scene.takes(&person, &stripped, status, "transaction").await;
    assert_eq!(person.proofs().await[0]["binding"], "transaction");
}

/// Decisions, D11: what a user can try in development. Each sample does what it says, and is published like any file.
#[tokio::test]
async fn the_samples_show_both_carriers() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    for (name, binding) in [
        ("self-transfer.psbt", "transaction"),
        ("cold-storage-multisig.psbt", "transaction"),
        ("legacy-wallet.psbt", "message"),
        ("shared-wallet.psbt", "transaction"),
        ("wallet_verification.psbt", "transaction"),
    ] {
        let answer = person.upload(&person.sample(name).await, true).await;
        accepted(&answer, "success", binding);
        let id = answer.body["proof_id"].as_str().unwrap();
        let published = app.get(&format!("/api/functions/v1/proofs/{id}")).await;
        assert_eq!(published.status, 200, "{name}");
    }
    for (name, code) in [
        ("unbound.psbt", "not-bound"),
        ("unsigned.psbt", "not-signed"),
    ] {
        let answer = person.submit(&person.sample(name).await).await;
        refused(&answer, 422, code);
    }
    let holdings = &person.profile().await["bitcoin_holdings"];
    assert_eq!(*holdings, 17.2);
    let samples = "/api/functions/v1/development-samples";
    let listed = person.get(samples).await.body;
    assert_eq!(listed.as_array().map(Vec::len), Some(7));
    assert_eq!(app.get(samples).await.status, 401);

    // The first to prove shared coins has them. Signed for the second user, so the conflict is its only fault.
    let second = app.sign_in().await;
    let shared = second.sample("shared-wallet.psbt").await;
    assert_eq!(second.submit(&shared).await.status, 409);

    let app = TestApp::with(&["--proof-binding=optional"]).await;
    let person = app.sign_in().await;
    assert_eq!(person.get(CHALLENGE).await.body["binding"], "optional");
    let unbound = person.submit(&person.sample("unbound.psbt").await).await;
    accepted(&unbound, "success", "unbound");
    assert_eq!(person.proofs().await[0]["binding"], json!("unbound"));
}
