//! What a user gets when sources disagree: try again later, and nothing has changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use api::follow;
use api::proof::SubmitError;
use chain::{ChainError, ChainSource};
use serde_json::{Value, json};

use super::node;
use crate::support::app::TestApp;
use crate::support::database::TestDatabase;
use crate::support::electrum_lies::changed;
use crate::support::electrumx::{CaughtUp, ElectrumX};
use crate::support::node::Node;
use crate::support::rooms::Rooms;
use crate::support::rpc_proxy::RpcProxy;

/// How often a source that gets blocks late is asked before it has one.
const LATE: usize = 4;

/// Rule B8: one of two sources always gets a block first, and no honest user may get an error because of that.
#[tokio::test]
async fn a_block_between_the_answers_of_two_sources_is_waited_for() {
    let node = Node::start().await;
    let slow = RpcProxy::start(node.url()).await;
    let rooms = both(&node, &slow).await;
    let person = rooms.sign_in().await;
    let file = followed_proof(&node, &rooms).await;
    // The first attempt asks twice, and the second waits for more than a second.
    let old = node.call("getblockchaininfo", json!([])).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    slow.lie(move |call, result| {
        if call["method"] == "getblockchaininfo" && count.fetch_add(1, Ordering::Relaxed) < LATE {
            *result = old.clone();
        }
    });
    node.mine(1).await;
    let accepted = person.submit(&file).await.expect("both agree in time");
    assert_eq!(accepted.amount_sats, 100_000_000);
    assert!(asked.load(Ordering::Relaxed) > LATE);
}

/// A spend reaches, or leaves, one mempool before the other: the sources differ for a moment.
#[tokio::test]
async fn a_coin_that_only_one_mempool_spends_for_a_moment_is_looked_up_once_more() {
    let node = Node::start().await;
    let proxy = RpcProxy::start(node.url()).await;
    let rooms = both(&node, &proxy).await;
    let person = rooms.sign_in().await;
    let file = followed_proof(&node, &rooms).await;
    let first = AtomicBool::new(true);
    proxy.lie(move |call, result| {
        // Of the coins that no transaction in the mempool spends.
        if call["method"] == "gettxout"
            && call["params"][2] == true
            && first.swap(false, Ordering::Relaxed)
        {
            *result = Value::Null;
        }
    });
    let accepted = person.submit(&file).await.expect("both agree in time");
    assert_eq!(accepted.amount_sats, 100_000_000);
}

/// There is a second attempt, and no third.
#[tokio::test]
async fn a_block_in_each_of_two_attempts_is_an_error() {
    let node = Arc::new(Node::start().await);
    let busy = RpcProxy::start(node.url()).await;
    let rooms = both(&node, &busy).await;
    let person = rooms.sign_in().await;
    let file = followed_proof(&node, &rooms).await;
    let (mine, again) = (Arc::clone(&node), Arc::clone(&busy));
    busy.interrupt("gettxout", move || {
        Box::pin(async move {
            mine.mine(1).await;
            let mine = Arc::clone(&mine);
            again.interrupt("gettxout", move || {
                Box::pin(async move {
                    mine.mine(1).await;
                })
            });
        })
    });
    let refused = person.submit(&file).await;
    assert!(
        matches!(refused, Err(SubmitError::Chain(ChainError::Moved))),
        "{refused:?}"
    );
    let accepted = person.submit(&file).await.expect("no block comes");
    assert_eq!(accepted.amount_sats, 100_000_000);
}

/// Rooms over the node, asked directly and through the proxy; both must agree.
async fn both(node: &Node, proxy: &RpcProxy) -> Rooms {
    let chain = format!("bitcoind:{},bitcoind:{}", node.url(), proxy.url);
    Rooms::open(TestDatabase::sqlite().await, &chain, Some(2)).await
}

/// A proof over a new coin of 1 BTC whose block has been followed.
async fn followed_proof(node: &Node, rooms: &Rooms) -> Vec<u8> {
    let wallet = node.wallet().await;
    let coin = wallet.coin().await;
    let followed = rooms.follower.advance(follow::ALL).await;
    assert_eq!(followed.unwrap(), follow::Position::Newest);
    wallet.proof(&[coin], true).await.binary()
}

#[tokio::test]
async fn a_disagreement_changes_nothing() {
    let node = node().await;
    // An Electrum server that reports every coin one block too low, until it stops lying.
    let lies = Arc::new(AtomicBool::new(true));
    let lying = lies.clone();
    let electrum = changed(
        ElectrumX::shared().await.port(),
        move |method, _, result| {
            if method == "blockchain.scripthash.listunspent" && lying.load(Ordering::Relaxed) {
                let coins = result.as_array_mut().unwrap();
                for coin in coins {
                    coin["height"] = json!(coin["height"].as_u64().unwrap() - 1);
                }
            }
        },
    )
    .await;
    let chain = format!("--chain=bitcoind:{},electrum:{electrum}", node.url());
    let more = [&chain, "--network=regtest", "--proof-binding=optional"];
    let app = TestApp::start(TestDatabase::sqlite().await, &more).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.coin().await;
    let file = wallet.proof(&[coin], true).await.binary();
    CaughtUp::shared().await.coins(&[coin]).await.unwrap();
    let _still = node.still().await;

    let refused = person.submit(&file).await;
    assert_eq!(refused.problem(), (503, "coin-unknown"), "{refused:?}");
    assert_eq!(refused.body["input"], 0);
    assert_eq!(refused.body["status"], "error");
    assert_eq!(person.profile().await["bitcoin_holdings"], Value::Null);
    assert_eq!(person.proofs().await, json!([]));

    lies.store(false, Ordering::Relaxed);
    let accepted = person.submit(&file).await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
    assert_eq!(person.profile().await["bitcoin_holdings"], json!(1.0));
}
