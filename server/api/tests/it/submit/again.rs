//! A file, or its coins, a second time; and the end of a proof.

use bitcoin::Amount;
use serde_json::{Value, json};

use super::{COIN, app_on, some_proof, submit};
use crate::support::node::{AddressType, Node};

#[tokio::test]
async fn the_same_file_again_changes_nothing_and_conflicts_for_others() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let (first, second) = (app.sign_in().await, app.sign_in().await);
    let file = some_proof(&node.wallet().await).await.binary();
    assert_eq!(submit(node, &first, &file).await.body["status"], "success");

    let again = submit(node, &first, &file).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.body["status"], "already-verified");
    assert_eq!(first.proofs().await.as_array().map(Vec::len), Some(1));

    let conflict = submit(node, &second, &file).await;
    assert_eq!(conflict.status, 409);
    assert_eq!(conflict.body["status"], "conflict");
    // Nobody learns which coin it was.
    assert!(!conflict.body.to_string().contains("txid"));
    assert_eq!(second.profile().await["verified"], false);
}

#[tokio::test]
async fn a_new_signature_over_the_same_coins_renews_the_proof() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let first = wallet.proof(&[coin], true).await;
    submit(node, &person, &first.binary()).await;

    app.state.clock.advance(80 * 24 * 60 * 60);
    let person = app.still_signed_in(&person).await;
    let payment = [(
        wallet.address(AddressType::Bech32).await,
        Amount::from_sat(20_000),
    )];
    let another = wallet
        .sign(&wallet.transfer(&[coin], &payment).await, true)
        .await;
    let answer = submit(node, &person, &another.binary()).await;
    assert_eq!(answer.body["status"], "reverified", "{answer:?}");
    let proofs = person.proofs().await;
    assert_eq!(proofs[0]["status"], "reverified");
    assert_eq!(
        (&proofs[0]["active"], &proofs[1]["active"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn a_proof_ends_after_ninety_days() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let file = some_proof(&node.wallet().await).await;
    submit(node, &person, &file.binary()).await;
    app.state.clock.advance(90 * 24 * 60 * 60);
    let board = app.get("/api/rest/v1/profiles").await;
    let row = &board.body[0];
    assert_eq!(
        (&row["verified"], &row["bitcoin_holdings"], &row["rank"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    assert!(row["last_verified"].is_string());
}
