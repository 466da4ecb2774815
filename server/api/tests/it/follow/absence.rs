//! A server that was down catches up from the last followed block.

use super::*;

on_both!(
    it_catches_up_block_by_block,
    claims_from_before_the_first_start_are_looked_up,
);

async fn it_catches_up_block_by_block(database: TestDatabase) {
    let scene = Scene::shared(database).await;
    let (node, rooms, hal) = (scene.node, &scene.rooms, scene.hal());
    let others = [rooms.sign_in().await, rooms.sign_in().await];
    let coins = [scene.followed(&hal).await, scene.followed(&others[0]).await];
    scene.followed(&others[1]).await;
    let before = scene.cursor().await.block.height;
    for coin in coins {
        let spender = scene.wallet.spend(&[coin]).await.compute_txid();
        node.mine(25).await;
        node.confirm(&[spender]).await;
    }
    // A new process, with the database of the old one.
    let again = rooms.another(NOW).await;
    // It takes over the old process's lease.
    again.clock.advance(DAY);
    follow(node, &again.follower).await;
    assert!(scene.cursor().await.block.height >= before + 52);
    assert_eq!(standing(&hal).await, ended("spent"));
    assert_eq!(standing(&others[0]).await, ended("spent"));
    assert_eq!(standing(&others[1]).await, counting());
}

async fn claims_from_before_the_first_start_are_looked_up(database: TestDatabase) {
    let scene = Scene::shared(database).await;
    let (hal, eve) = (scene.hal(), scene.rooms.sign_in().await);
    let spent = scene.followed(&hal).await;
    scene.followed(&eve).await;
    scene.spend(&[spent]).await;
    // A database that has not followed the chain so far.
    for table in ["chain_cursor", "chain_blocks"] {
        execute(&scene.rooms.store, format!("delete from {table}")).await;
    }
    scene.expect(&hal, ended("spent")).await;
    assert_eq!(standing(&eve).await, counting());
}

/// More than a week of blocks, and a node that has pruned some of them.
#[tokio::test]
async fn a_very_long_absence_has_every_claim_looked_up() {
    let node = Node::start().await;
    let scene = Scene::on(&node, TestDatabase::sqlite().await).await;
    let (hal, eve) = (scene.hal(), scene.rooms.sign_in().await);
    let spent = scene.followed(&hal).await;
    scene.followed(&eve).await;
    scene.spend(&[spent]).await;
    node.mine(1_008).await;
    scene.expect(&hal, ended("spent")).await;
    assert_eq!(standing(&eve).await, counting());
    let (height, hash) = node.tip().await;
    let cursor = scene.cursor().await;
    assert_eq!(cursor.block, Block::new(height, hash));
    assert_eq!((cursor.sweep_after, cursor.sweep_due), (None, false));
    let blocks = scene.rooms.store.followed_blocks("regtest").await.unwrap();
    assert_eq!(blocks[0].height(), height);
}
