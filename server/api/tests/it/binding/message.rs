//! Binding by message: a BIP-0322 proof of funds over the statement (rule C5).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{Amount, TxOut};
use verify::bip322::message_key;

use super::files::{self, COIN, statement};
use super::*;
use crate::support::node::{AddressType, Wallet};

/// A signed message over one new coin.
async fn signed(wallet: &Wallet<'_>, message: &str) -> Vec<u8> {
    let coin = wallet.fund(AddressType::Bech32m, COIN).await;
    files::message(wallet, message, &[coin]).await.serialize()
}

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
    let answer = submit(node, &person, text.as_bytes()).await;
    accepted(&answer, "reverified", "message");

    // The same file again, although its statement counts no more, with the field and without (decisions, D3).
    super::statement::rename(&app, &person, "renamed").await;
    let again = submit(node, &person, text.as_bytes()).await;
    accepted(&again, "already-verified", "message");
    bare.unknown
        .insert(message_key(), message.as_bytes().to_vec());
    let again = submit(node, &person, &bare.serialize()).await;
    accepted(&again, "already-verified", "message");
    // The one before is no proof any more, and another person has none.
    let before = submit(node, &person, &file.serialize()).await;
    refused(&before, 422, "other-statement");
    let other = app.sign_in().await;
    let theirs = submit(node, &other, text.as_bytes()).await;
    refused(&theirs, 422, "other-statement");
}

#[tokio::test]
async fn only_the_exact_message_binds() {
    let node = Node::shared().await;
    let app = app(node).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let right = statement(&hal).await;
    let others = [
        format!("{right}\n"),
        format!(" {right}"),
        format!("I am not selling my account.\n{right}"),
        "Proof of something else".to_owned(),
        String::new(),
    ];
    for message in others {
        let file = signed(&wallet, &message).await;
        refused(&submit(node, &hal, &file).await, 422, "other-statement");
    }
    nothing_recorded(&hal).await;
    // The right one, sent by another account, and with a field that says otherwise.
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = files::message(&wallet, &right, &[coin]).await;
    refused(
        &submit(node, &eve, &file.serialize()).await,
        422,
        "other-statement",
    );
    let mut lying = file.clone();
    lying
        .unknown
        .insert(message_key(), b"something else".to_vec());
    refused(
        &submit(node, &hal, &lying.serialize()).await,
        422,
        "other-statement",
    );
    accepted(
        &submit(node, &hal, &file.serialize()).await,
        "success",
        "message",
    );
}

#[tokio::test]
async fn forged_messages_are_refused() {
    let node = Node::shared().await;
    let app = app(node).await;
    let person = app.sign_in().await;
    let (wallet, other) = (node.wallet().await, node.wallet().await);
    let message = statement(&person).await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let good = files::message(&wallet, &message, &[coin]).await;

    // Somebody else's signed coin under one's own message: the signature is for another transaction.
    let eve = files::message(&other, &message, &[coin]).await;
    refused(
        &submit(node, &person, &eve.serialize()).await,
        422,
        "not-signed",
    );
    let mut mixed = eve.clone();
    mixed.inputs[1] = good.inputs[1].clone();
    let answer = submit(node, &person, &mixed.serialize()).await;
    refused(&answer, 422, "invalid-signature");
    assert_eq!(answer.body["input"], 1);

    // The message is not signed for, only the coin.
    let mut unsigned = good.clone();
    unsigned.inputs[0].final_script_witness = good.inputs[1].final_script_witness.clone();
    let answer = submit(node, &person, &unsigned.serialize()).await;
    refused(&answer, 422, "invalid-signature");
    assert_eq!(answer.body["input"], 0);

    // No coin beside the message, and an output that a signed message does not have.
    let alone = files::message(&wallet, &message, &[]).await;
    refused(
        &submit(node, &person, &alone.serialize()).await,
        422,
        "message-form",
    );
    let mut paying = good.clone();
    paying.unsigned_tx.output.push(TxOut {
        value: Amount::ZERO,
        ..good.unsigned_tx.output[0].clone()
    });
    paying.outputs.push(Default::default());
    refused(
        &submit(node, &person, &paying.serialize()).await,
        422,
        "message-form",
    );
    // Without the field it looks like any transaction, of a coin that is nowhere.
    paying.unknown.clear();
    refused(
        &submit(node, &person, &paying.serialize()).await,
        422,
        "coin-missing",
    );
    nothing_recorded(&person).await;
    accepted(
        &submit(node, &person, &good.serialize()).await,
        "success",
        "message",
    );
}
