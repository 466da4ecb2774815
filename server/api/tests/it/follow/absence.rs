//! A server that was down catches up from the last followed block.

use super::*;

on_both!(
    it_catches_up_block_by_block,
    claims_from_before_the_first_start_are_looked_up,
);

async fn it_catches_up_block_by_block(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let scene = Scene::new(node, &rooms).await;
    let others = [rooms.sign_in().await, rooms.sign_in().await];
    let first = scene.proven(&scene.hal).await;
    let second = scene.proven(&others[0]).await;
    scene.proven(&others[1]).await;
    let before = scene.cursor().await.block.height;
    for coin in [first, second] {
        let spender = spend(&scene.wallet, &[coin]).await;
        node.mine(25).await;
        node.confirm(&[spender]).await;
    }
    // A new process, with the database of the old one.
    let again = rooms.another(NOW).await;
    // It takes over the old process's lease.
    again.clock.advance(24 * 60 * 60);
    follow(node, &again.follower).await;
    assert!(scene.cursor().await.block.height >= before + 52);
    assert_eq!(standing(&scene.hal).await, ended("spent"));
    assert_eq!(standing(&others[0]).await, ended("spent"));
    assert_eq!(standing(&others[1]).await, counting());
}

async fn claims_from_before_the_first_start_are_looked_up(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let scene = Scene::new(node, &rooms).await;
    let eve = rooms.sign_in().await;
    let spent = scene.proven(&scene.hal).await;
    scene.proven(&eve).await;
    scene.spend(&[spent]).await;
    // A database that has not followed the chain so far.
    crate::jobs::execute(&rooms.store, "delete from chain_cursor").await;
    crate::jobs::execute(&rooms.store, "delete from chain_blocks").await;
    scene.expect(&scene.hal, ended("spent")).await;
    assert_eq!(standing(&eve).await, counting());
}

/// More than a week of blocks, and a node that has pruned some of them.
#[tokio::test]
async fn a_very_long_absence_has_every_claim_looked_up() {
    let node = Node::start().await;
    let rooms = rooms_on(&node, TestDatabase::sqlite().await).await;
    let scene = Scene::new(&node, &rooms).await;
    let eve = rooms.sign_in().await;
    let spent = scene.proven(&scene.hal).await;
    scene.proven(&eve).await;
    scene.spend(&[spent]).await;
    node.mine(1_008).await;
    scene.expect(&scene.hal, ended("spent")).await;
    assert_eq!(standing(&eve).await, counting());
    let (height, hash) = node.tip().await;
    let cursor = scene.cursor().await;
    assert_eq!(cursor.block, Block::new(height, hash));
    assert_eq!((cursor.sweep_after, cursor.sweep_due), (None, false));
    let blocks = rooms.store.followed_blocks("regtest").await;
    let newest = blocks.expect("a database").first().map(Block::height);
    assert_eq!(newest, Some(height));
}
