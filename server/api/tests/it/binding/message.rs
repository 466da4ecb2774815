//! Binding by message: a BIP-0322 proof of funds over the statement (rule C5).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use verify::bip322::message_key;

use super::files::{self, COIN, statement};
use super::*;
use crate::support::node::AddressType;

#[tokio::test]
async fn a_signed_message_proves_its_coins_and_nothing_else() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&AddressType::ALL.map(|kind| (kind, COIN)))
        .await;
    let message = statement(&person).await;
    let file = files::message(&wallet, &message, &coins).await;
    let answer = submit(node, &person, &file.serialize()).await;
    accepted(&answer, "success", "message");
    assert_eq!(
        answer.body["amount_sats"],
        (COIN * 4).to_sat(),
        "the first input claims nothing"
    );
    // As BIP-0322 writes it: without the field of the signing steps, as text with a prefix.
    let mut bare = files::message(&wallet, &message, &coins).await;
    bare.unknown.clear();
    let text = format!("pof{}\n", STANDARD.encode(bare.serialize()));
    takes(node, &person, text.as_bytes(), "reverified", "message").await;

    // The same file again, although its statement no longer counts, with the field and without (decisions, D3).
    super::statement::rename(&app, &person, "renamed").await;
    takes(
        node,
        &person,
        text.as_bytes(),
        "already-verified",
        "message",
    )
    .await;
    bare.unknown
        .insert(message_key(), message.as_bytes().to_vec());
    takes(
        node,
        &person,
        &bare.serialize(),
        "already-verified",
        "message",
    )
    .await;
    // The earlier proof has ended, and another user has none.
    refuses(node, &person, &file.serialize(), "other-statement").await;
    let other = app.sign_in().await;
    refuses(node, &other, text.as_bytes(), "other-statement").await;
}
