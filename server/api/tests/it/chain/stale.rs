//! Rule B9: a transaction that a source has only in a block that left the chain is unconfirmed. The test has a node of its
//! own, because its chain forks. `follow/reorganizations.rs` has what each kind of source answers.

use super::*;
use crate::support::electrum_lies::{Say, made_up};

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

/// The answer of an Electrum server without the transaction in its index, while its node has it where `place` says.
async fn without_history(node: &Node, outpoint: OutPoint, place: Value) -> Coin {
    let params = json!([outpoint.txid]);
    let hex = node.call("getrawtransaction", params).await;
    let url = made_up(move |question| {
        let result = match question["method"].as_str().unwrap() {
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
    source.coins(&[outpoint]).await.unwrap().remove(0)
}

/// An explorer reports it as unconfirmed, and a node as missing: both agree that no block has it.
#[tokio::test]
async fn every_kind_of_source_knows_that_there_is_no_such_coin() {
    let node: &'static Node = Box::leak(Box::new(Node::start().await));
    let both: [Source; 2] = [Arc::new(core_rpc(node)), Arc::new(esplora(node).await)];
    let outpoint = stale(node).await;
    let reversed = [both[1].clone(), both[0].clone()];
    for sources in [both, reversed] {
        let chain = agreeing(sources.to_vec(), 2).await;
        let snapshot = chain.look_up(&[outpoint]).await;
        assert_eq!(snapshot.expect("agreement").coins, [Coin::Missing]);
    }

    // An Electrum server above such a node.
    let params = json!([outpoint.txid, true]);
    let place = node.call("getrawtransaction", params).await;
    let (mut in_mempool, mut in_block) = (place.clone(), place.clone());
    in_mempool["blockhash"].take();
    in_block["confirmations"] = json!(1);
    for (place, state) in [
        (place, Coin::Missing),
        // Its index lags.
        (in_mempool, Coin::Unknown),
        (in_block, Coin::Unknown),
        (Value::Null, Coin::Unknown),
    ] {
        assert_eq!(without_history(node, outpoint, place).await, state);
    }
}
