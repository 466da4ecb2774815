//! A server that was away catches up from the last block that it saw.

use store::follower::Block;

use super::*;
use crate::support::app::NOW;
use crate::support::database::on_both;

on_both!(
    it_catches_up_block_by_block,
    claims_from_before_the_first_start_are_looked_up,
);

async fn it_catches_up_block_by_block(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let wallet = node.wallet().await;
    let people = [
        rooms.sign_in().await,
        rooms.sign_in().await,
        rooms.sign_in().await,
    ];
    let mut coins = Vec::new();
    for person in &people {
        coins.push(proven(node, person, &wallet).await);
    }
    follow(node, &rooms.follower).await;
    let before = rooms.store.cursor("regtest").await;
    let before = before.expect("a database").expect("a cursor");
    for coin in &coins[..2] {
        let spender = spend(&wallet, &[*coin]).await;
        node.mine(25).await;
        node.confirm(&[spender]).await;
    }
    // A process that has just been started, with what the database remembers.
    let again = rooms.another(NOW).await;
    // The work of the one that is gone is taken over.
    again.clock.advance(24 * 60 * 60);
    follow(node, &again.follower).await;
    let after = again.store.cursor("regtest").await;
    let after = after.expect("a database").expect("a cursor");
    assert!(after.block.height >= before.block.height + 52);
    assert_eq!(standing(&people[0]).await, ended("spent"));
    assert_eq!(standing(&people[1]).await, ended("spent"));
    assert_eq!(standing(&people[2]).await, counting());
}

async fn claims_from_before_the_first_start_are_looked_up(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let wallet = node.wallet().await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let spent = proven(node, &hal, &wallet).await;
    proven(node, &eve, &wallet).await;
    let spender = spend(&wallet, &[spent]).await;
    node.confirm(&[spender]).await;
    // As a database is that has not followed the chain so far.
    crate::jobs::execute(&rooms.store, "delete from chain_cursor").await;
    crate::jobs::execute(&rooms.store, "delete from chain_blocks").await;
    follow(node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
    assert_eq!(standing(&eve).await, counting());
}

/// More than a week of blocks, and a node that no longer has some of them.
#[tokio::test]
async fn a_very_long_absence_has_every_claim_looked_up() {
    let node = Node::start().await;
    let rooms = rooms_on(&node, TestDatabase::sqlite().await).await;
    let wallet = node.wallet().await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let spent = proven(&node, &hal, &wallet).await;
    proven(&node, &eve, &wallet).await;
    follow(&node, &rooms.follower).await;
    let spender = spend(&wallet, &[spent]).await;
    node.confirm(&[spender]).await;
    node.mine(1_008).await;
    follow(&node, &rooms.follower).await;
    let (height, hash) = node.tip().await;
    let cursor = rooms.store.cursor("regtest").await;
    let cursor = cursor.expect("a database").expect("a cursor");
    assert_eq!(cursor.block, Block::new(height, hash));
    assert_eq!((cursor.sweep_after, cursor.sweep_due), (None, false));
    let blocks = rooms.store.followed_blocks("regtest").await;
    assert_eq!(
        blocks.expect("a database").first().map(Block::height),
        Some(height)
    );
    assert_eq!(standing(&hal).await, ended("spent"));
    assert_eq!(standing(&eve).await, counting());
}
