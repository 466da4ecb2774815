//! What a person sees when sources do not agree: try again later, and nothing has changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bitcoin::Amount;
use chain::ChainSource;
use serde_json::{Value, json};

use super::node;
use crate::support::app::TestApp;
use crate::support::database::{TestDatabase, on_both};
use crate::support::electrum_lies::changed;
use crate::support::electrumx::{CaughtUp, ElectrumX};
use crate::support::node::AddressType;

on_both!(a_disagreement_changes_nothing);

async fn a_disagreement_changes_nothing(database: TestDatabase) {
    let node = node().await;
    // An Electrum server that puts every coin one block lower than it is, until it stops lying.
    let lies = Arc::new(AtomicBool::new(true));
    let lying = lies.clone();
    let electrum = changed(
        ElectrumX::shared().await.port(),
        move |method, _, result| {
            if method == "blockchain.scripthash.listunspent" && lying.load(Ordering::Relaxed) {
                let coins = result.as_array_mut().expect("a list");
                for coin in coins {
                    coin["height"] = json!(coin["height"].as_u64().expect("a height") - 1);
                }
            }
        },
    )
    .await;
    let chain = format!("--chain=bitcoind:{},electrum:{electrum}", node.url());
    let more = [&chain, "--network=regtest", "--proof-binding=optional"];
    let app = TestApp::start(database, &more).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
    let file = wallet.proof(&[coin], true).await.binary();
    CaughtUp::shared()
        .await
        .coins(&[coin])
        .await
        .expect("an answer");
    let _still = node.still().await;

    let refused = person.submit(&file).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.body["code"]),
        (503, &json!("coin-unknown")),
        "{refused:?}"
    );
    assert_eq!(refused.body["input"], 0);
    assert_eq!(refused.body["status"], "error");
    assert_eq!(person.profile().await["bitcoin_holdings"], Value::Null);
    assert_eq!(person.proofs().await, json!([]));

    lies.store(false, Ordering::Relaxed);
    let accepted = person.submit(&file).await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
    assert_eq!(person.profile().await["bitcoin_holdings"], json!(1.0));
}
