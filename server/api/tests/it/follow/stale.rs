//! Rule B9: a coin whose transaction was in a block that has left the chain is missing, not spent, with every kind of
//! source, and also when every claim is looked up again.

use super::*;

/// A coin whose transaction has left the chain and the mempool, but is still in the node's index. The server may have
/// `forgotten` the removed blocks, as after a long absence, and looks up everything. Returns the code of a new proof's refusal.
async fn undone_for_good(node: &Node, chain: &str, forgotten: bool) -> &'static str {
    let scene = Scene::over(node, chain, TestDatabase::sqlite().await, Some(1)).await;
    let hal = &scene.hal();
    // Once the sources know what the node knows.
    let follow = async || {
        let (_, newest) = node.tip().await;
        until("the newest block", async || {
            let tip = scene.rooms.chain.tip().await.ok()?;
            (tip.hash == newest).then_some(())
        })
        .await;
        scene.follow().await;
    };
    let expect = async |expected: &Standing| {
        follow().await;
        assert_eq!(standing(hal).await, *expected);
    };
    follow().await;
    let first = scene.coin().await;
    let made = scene.undoable(first).await;
    let coin = OutPoint::new(made.spending.compute_txid(), 0);
    let another = scene.another_file(coin).await;
    follow().await;
    counts(&scene.prove(hal, &[coin]).await);
    let (counting, undone) = ((Some(10_000_000), true, None), ended("reorganised"));
    expect(&counting).await;
    if forgotten {
        scene.forget_blocks().await;
    }

    scene.undo(&made).await;
    expect(&undone).await;
    node.mine(1).await;
    expect(&undone).await;
    let refused = match hal.submit(&another).await {
        Err(SubmitError::Refused(refusal)) => refusal,
        answer => panic!("{answer:?}"),
    };
    // Mined after all, in another block.
    node.confirm_raw(&[made.spending]).await;
    expect(&counting).await;
    refused.code()
}

#[tokio::test]
async fn at_a_node_with_an_index_and_without() {
    for (index, said) in [(1, "coin-missing"), (0, "coin-spent-or-missing")] {
        for forgotten in [false, true] {
            let node = Node::start_with(&[&format!("-txindex={index}")]).await;
            let chain = format!("bitcoind:{}", node.url());
            assert_eq!(undone_for_good(&node, &chain, forgotten).await, said);
        }
    }
}

/// It still reports the transaction's old block.
#[tokio::test]
async fn at_an_explorer() {
    let node: &'static Node = Box::leak(Box::new(Node::start().await));
    let chain = format!("esplora:{}", EsploraServer::start(node).await);
    assert_eq!(
        undone_for_good(node, &chain, true).await,
        "coin-unconfirmed"
    );
}

#[tokio::test]
async fn at_an_electrum_server() {
    let node = Node::start().await;
    let electrum = ElectrumX::start(&node).await;
    let chain = format!("electrum:tcp://127.0.0.1:{}", electrum.port());
    assert_eq!(undone_for_good(&node, &chain, true).await, "coin-missing");
}
