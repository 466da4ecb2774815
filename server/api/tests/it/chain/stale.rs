//! Rule B9: a transaction that a source has only in a block that left the chain is unconfirmed. The test has a node of its
//! own, because its chain forks. `follow/reorganizations.rs` has what each kind of source answers.

use super::*;

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
}
