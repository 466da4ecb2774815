//! Rule B9: a transaction that a source has only in a block that left the chain is unconfirmed. Each test has a node of its
//! own, because its chain forks.

use std::sync::Arc;

use bitcoin::OutPoint;
use chain::sources::electrum::Electrum;
use chain::sources::esplora::Esplora;
use chain::{Chain, ChainError, Coin};
use serde_json::{Value, json};

use super::behaviors::coin;
use super::{Source, core_rpc};
use crate::support::electrum_lies::{Say, made_up};
use crate::support::electrumx::trusting;
use crate::support::esplora::EsploraServer;
use crate::support::http_client;
use crate::support::node::{AddressType, Node, script_of};

/// A coin whose transaction is only in a block that has left the chain, and not in the mempool.
async fn stale(node: &Node) -> OutPoint {
    let wallet = node.wallet().await;
    let first = wallet.coin().await;
    let (height, _) = node.tip().await;
    // Not final in the block below, so that the mempool does not take it back.
    let funding = wallet.spend_after(first, height + 1).await;
    let below = node.mine(1).await[0];
    node.confirm_raw(std::slice::from_ref(&funding)).await;
    node.disconnect(below).await;
    assert_eq!(node.call("getrawmempool", json!([])).await, json!([]));
    for _ in 0..3 {
        let elsewhere = wallet.address(AddressType::Bech32).await;
        node.mine_to(&script_of(&elsewhere)).await;
    }
    OutPoint::new(funding.compute_txid(), 0)
}

#[tokio::test]
async fn a_node_with_an_index_has_no_such_coin() {
    let node = Node::start().await;
    let source: Source = Arc::new(core_rpc(&node));
    let outpoint = stale(&node).await;
    let raw = node
        .call("getrawtransaction", json!([outpoint.txid.to_string(), 1]))
        .await;
    assert_eq!(raw["confirmations"], 0, "the index still has it: {raw}");
    assert_eq!(coin(&source, outpoint).await, Coin::Missing);
}

#[tokio::test]
async fn a_node_without_an_index_claims_no_more_than_it_knows() {
    let node = Node::start_with(&["-txindex=0"]).await;
    let source: Source = Arc::new(core_rpc(&node));
    let outpoint = stale(&node).await;
    assert_eq!(coin(&source, outpoint).await, Coin::SpentOrMissing);
}

/// This source reports it as confirmed in the block that is gone; the others report it as unconfirmed.
#[tokio::test]
async fn an_explorer_that_still_knows_the_block_makes_no_coin_of_it() {
    let node: &'static Node = Box::leak(Box::new(Node::start().await));
    let url = EsploraServer::start(node).await;
    let esplora: Source = Arc::new(Esplora::new(&url, http_client()).unwrap());
    let outpoint = stale(node).await;
    let status = http_client().get(format!("{url}/tx/{}/status", outpoint.txid));
    let status: Value = status.send().await.unwrap().json().await.unwrap();
    assert_eq!(status["confirmed"], true, "{status}");
    let state = coin(&esplora, outpoint).await;
    assert!(
        matches!(&state, Coin::Unspent(coin) if coin.height.is_none() && coin.block.is_none()),
        "{state:?}"
    );
    // A node reports it as missing; both agree that no block has it.
    let both: [Source; 2] = [Arc::new(core_rpc(node)), esplora];
    for sources in [both.clone(), [both[1].clone(), both[0].clone()]] {
        let network = bitcoin::Network::Regtest;
        let clock = chain::clock::Clock::System;
        let chain = Chain::connect_all(sources.to_vec(), 2, network, clock).await;
        let snapshot = chain.unwrap().look_up(&[outpoint]).await;
        assert_eq!(snapshot.expect("agreement").coins, [Coin::Missing]);
    }
}

/// The answer of an Electrum server without the transaction in its index, while its node has it where `place` says.
async fn without_history(
    node: &Node,
    outpoint: OutPoint,
    place: Value,
) -> Result<Coin, ChainError> {
    let txid = outpoint.txid.to_string();
    let hex = node.call("getrawtransaction", json!([txid])).await;
    let url = made_up(move |question| {
        let result = match question["method"].as_str().expect("a method") {
            "blockchain.transaction.get" if question["params"][1] == true => place.clone(),
            "blockchain.transaction.get" => hex.clone(),
            _ => json!([]),
        };
        match result {
            Value::Null => Say::error(question, json!("verbose transactions are not supported")),
            result => Say::result(question, result),
        }
    })
    .await;
    let source = Electrum::new(&url, trusting(None)).unwrap();
    let source: Source = Arc::new(source);
    let mut coins = source.coins(&[outpoint]).await?;
    Ok(coins.remove(0))
}

#[tokio::test]
async fn an_electrum_server_above_such_a_node_has_no_such_coin() {
    let node = Node::start().await;
    let outpoint = stale(&node).await;
    let txid = outpoint.txid.to_string();
    let place = node.call("getrawtransaction", json!([txid, true])).await;
    let state = without_history(&node, outpoint, place.clone()).await;
    assert_eq!(state, Ok(Coin::Missing));
    // In the mempool, in a block, or unknown: its index lags.
    let mut in_mempool = place.clone();
    in_mempool["blockhash"].take();
    let mut in_block = place;
    in_block["confirmations"] = json!(1);
    for place in [in_mempool, in_block, Value::Null] {
        let state = without_history(&node, outpoint, place).await;
        assert_eq!(state, Ok(Coin::Unknown));
    }
}
