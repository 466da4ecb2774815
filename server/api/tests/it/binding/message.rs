//! Binding by message: a BIP-0322 proof of funds over the statement (rule C5).

use verify::bip322::message_key;

use super::files::{COIN, message, statement};
use super::*;

#[tokio::test]
async fn a_signed_message_proves_its_coins_and_nothing_else() {
    let scene = Scene::new().await;
    let (app, wallet) = (&scene.app, &scene.wallet);
    let person = app.sign_in().await;
    let kinds = AddressType::ALL.map(|kind| (kind, COIN));
    let coins = wallet.fund_all(&kinds).await;
    let line = statement(&person).await;
    let file = message(wallet, &line, &coins).await.serialize();
    let answer = scene.takes(&person, &file, "success", "message").await;
    // The first input claims nothing.
    assert_eq!(answer.body["amount_sats"], (COIN * 4).to_sat());
    // As BIP-0322 writes it: without the field of the signing steps, as text with a prefix.
    let mut bare = message(wallet, &line, &coins).await;
    bare.unknown.clear();
    let text = format!("pof{}\n", STANDARD.encode(bare.serialize())).into_bytes();
    scene.takes(&person, &text, "reverified", "message").await;

    // The same file again, although its statement no longer counts, with the field and without (decisions, D3).
    rename(app, &person, "renamed").await;
    bare.unknown.insert(message_key(), line.into_bytes());
    for again in [&text, &bare.serialize()] {
        let status = "already-verified";
        scene.takes(&person, again, status, "message").await;
    }
    // The earlier proof has ended, and another user has none.
    scene.refuses(&person, &file, "other-statement").await;
    let other = app.sign_in().await;
    scene.refuses(&other, &text, "other-statement").await;
}
