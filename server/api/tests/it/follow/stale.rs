//! Rule B9: a coin whose transaction was in a block that has left the chain is missing, and not spent, whatever source is
//! asked, and also where every claim is looked up again.

use verify::Refusal;

use super::reorganisations::Undoable;
use super::*;
use crate::support::electrumx::ElectrumX;
use crate::support::esplora::EsploraServer;
use crate::support::until;

/// Follows the chain once the sources know what the node knows.
async fn follow_all(node: &Node, rooms: &Rooms) {
    let (_, newest) = node.tip().await;
    until("the newest block", async || {
        let tip = rooms.chain.tip().await.ok()?;
        (tip.hash == newest).then_some(())
    })
    .await;
    follow(node, &rooms.follower).await;
}

/// A coin whose transaction is gone for good for all that is known, which the index of a node still finds. The server may have
/// `forgotten` the blocks that are gone, as after a long absence, and looks everything up.
async fn undone_for_good(node: &Node, rooms: Rooms, forgotten: bool) -> Refusal {
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    follow_all(node, &rooms).await;
    let first = wallet.fund(AddressType::Bech32, COIN).await;
    let made = Undoable::mined(node, &wallet, first).await;
    let coin = OutPoint::new(made.spending.compute_txid(), 0);
    let payment = [(
        wallet.address(AddressType::Bech32).await,
        Amount::from_sat(20_000),
    )];
    let another = wallet
        .sign(&wallet.transfer(&[coin], &payment).await, true)
        .await;
    follow_all(node, &rooms).await;
    counts(&prove(node, &hal, &wallet, &[coin]).await);
    follow_all(node, &rooms).await;
    let counting = (Some(10_000_000), true, None);
    assert_eq!(standing(&hal).await, counting);
    if forgotten {
        let (height, _) = node.tip().await;
        let forget = format!("delete from chain_blocks where height < {height}");
        crate::jobs::execute(&rooms.store, forget).await;
    }

    made.undo(node, &wallet).await;
    follow_all(node, &rooms).await;
    assert_eq!(standing(&hal).await, ended("reorganised"));
    node.mine(1).await;
    follow_all(node, &rooms).await;
    assert_eq!(standing(&hal).await, ended("reorganised"));
    let refused = match hal.submit(&another.binary()).await {
        Err(SubmitError::Refused(refusal)) => refusal,
        answer => panic!("{answer:?}"),
    };
    // Mined after all, in another block.
    node.confirm_raw(&[made.spending]).await;
    follow_all(node, &rooms).await;
    assert_eq!(standing(&hal).await, counting);
    refused
}

/// It calls the coin missing.
#[tokio::test]
async fn at_a_node_with_an_index() {
    for forgotten in [false, true] {
        let node = Node::start().await;
        let rooms = rooms_on(&node, TestDatabase::sqlite().await).await;
        let refused = undone_for_good(&node, rooms, forgotten).await;
        assert!(matches!(refused, Refusal::Missing { .. }), "{refused:?}");
    }
}

#[tokio::test]
async fn at_a_node_without_an_index() {
    for forgotten in [false, true] {
        let node = Node::start_with(&["-txindex=0"]).await;
        let rooms = rooms_on(&node, TestDatabase::sqlite().await).await;
        let refused = undone_for_good(&node, rooms, forgotten).await;
        let expected = matches!(refused, Refusal::SpentOrMissing { .. });
        assert!(expected, "{refused:?}");
    }
}

/// It still says in which block the transaction was.
#[tokio::test]
async fn at_an_explorer() {
    let node: &'static Node = Box::leak(Box::new(Node::start().await));
    let chain = format!("esplora:{}", EsploraServer::start(node).await);
    let rooms = rooms_with(&chain, TestDatabase::sqlite().await, Some(1)).await;
    let refused = undone_for_good(node, rooms, true).await;
    let expected = matches!(refused, Refusal::Unconfirmed { .. });
    assert!(expected, "{refused:?}");
}

#[tokio::test]
async fn at_an_electrum_server() {
    let node = Node::start().await;
    let electrum = ElectrumX::start(&node).await;
    let chain = format!("electrum:tcp://127.0.0.1:{}", electrum.port());
    let rooms = rooms_with(&chain, TestDatabase::sqlite().await, Some(1)).await;
    let refused = undone_for_good(&node, rooms, true).await;
    assert!(matches!(refused, Refusal::Missing { .. }), "{refused:?}");
}
