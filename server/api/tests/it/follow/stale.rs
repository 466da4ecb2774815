//! Rule B9: a coin whose transaction was in a block that has left the chain is missing, not spent, with every kind of
//! source, and also when every claim is looked up again.

use super::reorganizations::{Undoable, forget_blocks};
use super::*;
use crate::support::esplora::EsploraServer;
use crate::support::until;

/// Follows the chain once the sources know what the node knows.
async fn follow_all(scene: &Scene<'_>) {
    let (_, newest) = scene.node.tip().await;
    until("the newest block", async || {
        let tip = scene.rooms.chain.tip().await.ok()?;
        (tip.hash == newest).then_some(())
    })
    .await;
    follow(scene.node, &scene.rooms.follower).await;
}

async fn expect(scene: &Scene<'_>, expected: Standing) {
    follow_all(scene).await;
    assert_eq!(standing(&scene.hal).await, expected);
}

/// A coin whose transaction has left the chain and the mempool, but is still in the node's index. The server may have
/// `forgotten` the removed blocks, as after a long absence, and looks up everything.
async fn undone_for_good(node: &Node, rooms: Rooms, forgotten: bool) -> &'static str {
    let scene = Scene::new(node, &rooms).await;
    follow_all(&scene).await;
    let first = scene.wallet.fund(AddressType::Bech32, COIN).await;
    let made = Undoable::mined(&scene, first).await;
    let coin = OutPoint::new(made.spending.compute_txid(), 0);
    let another = scene.another_file(coin).await;
    follow_all(&scene).await;
    counts(&prove(node, &scene.hal, &scene.wallet, &[coin]).await);
    let counting = (Some(10_000_000), true, None);
    expect(&scene, counting.clone()).await;
    if forgotten {
        forget_blocks(&scene).await;
    }

    made.undo(&scene).await;
    expect(&scene, ended("reorganised")).await;
    node.mine(1).await;
    expect(&scene, ended("reorganised")).await;
    let refused = match scene.hal.submit(&another).await {
        Err(SubmitError::Refused(refusal)) => refusal,
        answer => panic!("{answer:?}"),
    };
    // Mined after all, in another block.
    node.confirm_raw(&[made.spending]).await;
    expect(&scene, counting).await;
    refused.code()
}

#[tokio::test]
async fn at_a_node_with_an_index_and_without() {
    for (index, said) in [(1, "coin-missing"), (0, "coin-spent-or-missing")] {
        for forgotten in [false, true] {
            let node = Node::start_with(&[&format!("-txindex={index}")]).await;
            let rooms = rooms_on(&node, TestDatabase::sqlite().await).await;
            let refused = undone_for_good(&node, rooms, forgotten).await;
            assert_eq!(refused, said);
        }
    }
}

/// It still reports the transaction's old block.
#[tokio::test]
async fn at_an_explorer() {
    let node: &'static Node = Box::leak(Box::new(Node::start().await));
    let chain = format!("esplora:{}", EsploraServer::start(node).await);
    let rooms = rooms_with(&chain, TestDatabase::sqlite().await, Some(1)).await;
    assert_eq!(undone_for_good(node, rooms, true).await, "coin-unconfirmed");
}

#[tokio::test]
async fn at_an_electrum_server() {
    let node = Node::start().await;
    let electrum = ElectrumX::start(&node).await;
    let chain = format!("electrum:tcp://127.0.0.1:{}", electrum.port());
    let rooms = rooms_with(&chain, TestDatabase::sqlite().await, Some(1)).await;
    assert_eq!(undone_for_good(&node, rooms, true).await, "coin-missing");
}
