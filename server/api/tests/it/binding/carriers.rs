//! Binding by a still transaction (proofs, section 2) and by message: a BIP-0322 proof of funds over the statement (rule C5), as honest
//! wallets make them.

use verify::bip322::message_key;

use super::files::{COIN, message, signed_still, statement};
use super::*;

#[tokio::test]
async fn a_signed_message_proves_only_its_coins() {
    let fixture = Fixture::new().await;
    let (app, wallet) = (&fixture.app, &fixture.wallet);
    let person = app.sign_in().await;
    let kinds = AddressType::ALL.map(|kind| (kind, COIN));
    let coins = wallet.fund_all(&kinds).await;
    let line = statement(&person).await;
    let file = message(wallet, &line, &coins).await.serialize();
    let answer = fixture.takes(&person, &file, "success", "message").await;
    // The virtual first input claims no coin.
    assert_eq!(answer.body["amount_sats"], (COIN * 4).to_sat());
    // As BIP-0322 writes it: without the field of the signing steps, as text with a prefix.
    let mut bare = message(wallet, &line, &coins).await;
    bare.unknown.clear();
    let text = format!("pof{}\n", STANDARD.encode(bare.serialize())).into_bytes();
    fixture.takes(&person, &text, "reverified", "message").await;

    // The same file again, although its statement no longer counts, with the field and without (decisions, D3).
    rename(app, &person, "renamed").await;
    bare.unknown.insert(message_key(), line.into_bytes());
    let status = "already-verified";
    for again in [&text, &bare.serialize()] {
        fixture.takes(&person, again, status, "message").await;
    }
    // The earlier proof has ended, and another user has none.
    fixture.refuses(&person, &file, "other-statement").await;
    let other = app.sign_in().await;
    fixture.refuses(&other, &text, "other-statement").await;
}

/// The exports of Electrum and Coldcard, and a file as the browser strips it.
#[tokio::test]
async fn no_node_takes_a_still_transaction_and_the_board_does_in_every_form() {
    let fixture = Fixture::new().await;
    let person = fixture.app.sign_in().await;
    let line = statement(&person).await;
    let amounts = [COIN, COIN / 2];
    let coins = fixture
        .wallet
        .fund_one_address(AddressType::Bech32, &amounts);
    let file = signed_still(&fixture.app, &fixture.wallet, &coins.await, &line).await;
    let hex = serialize_hex(&file.transaction());
    let verdict = fixture.node.call("testmempoolaccept", json!([[hex]])).await;
    let said = (&verdict[0]["allowed"], &verdict[0]["reject-reason"]);
    assert_eq!(said, (&json!(false), &json!("non-final")));
    let raw = serialize(&file.transaction());
    fixture.takes(&person, &raw, "success", "transaction").await;
    let stripped = psbt_wasm::strip(file.binary()).unwrap();
    let status = "already-verified";
    fixture
        .takes(&person, &stripped, status, "transaction")
        .await;
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
    for (name, code) in [("unbound", "not-bound"), ("unsigned", "not-signed")] {
        let file = person.sample(&format!("{name}.psbt")).await;
        refused(&person.submit(&file).await, 422, code);
    }
    assert_eq!(person.profile().await["bitcoin_holdings"], 17.2);
    let samples = "/api/functions/v1/development-samples";
    let listed = person.get(samples).await.body;
    assert_eq!(listed.as_array().map(Vec::len), Some(7));
    assert_eq!(app.get(samples).await.status, 401);

    // Shared coins belong to the first who proves them. The file is signed for the second user, so only the conflict is wrong.
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
