//! A coin that is spent stops counting with the block that spends it.

use futures_util::StreamExt;

use super::*;
use crate::support::database::on_both;

on_both!(
    a_spent_coin_stops_counting_at_the_next_block,
    a_proof_goes_on_with_the_coins_that_are_left,
    moved_coins_count_for_one_person_alone,
);

async fn a_spent_coin_stops_counting_at_the_next_block(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    let smaller = wallet.fund(AddressType::Bech32, COIN / 2).await;
    counts(&prove(node, &eve, &wallet, &[smaller]).await);
    follow(node, &rooms.follower).await;
    assert_eq!(eve.row().await.rank, Some(2));

    // What is in no block may never be in one.
    let spender = spend(&wallet, &[coin]).await;
    follow(node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, counting());

    let seen = rooms.live.sequence();
    let mut changes = rooms.live.changes(seen, None).expect("a seat");
    node.confirm(&[spender]).await;
    follow(node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
    assert_eq!(hal.row().await.rank, None);
    assert_eq!(eve.row().await.rank, Some(1));
    assert!(changes.next().await.is_some(), "open pages are told");
}

async fn a_proof_goes_on_with_the_coins_that_are_left(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    // Rule B7 is for every tier; all others are of the free one.
    let hal = rooms.sign_in().await;
    crate::jobs::set_tier(&rooms.store, &hal.id, "premium").await;
    let wallet = node.wallet().await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 3]).await;
    counts(&prove(node, &hal, &wallet, &coins).await);
    let spender = spend(&wallet, &coins[..2]).await;
    node.confirm(&[spender]).await;
    follow(node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, counting());
    let history = hal.proofs().await;
    assert_eq!(history[0].spent_sats, Some(2 * SATS));
    let spender = spend(&wallet, &coins[2..]).await;
    node.confirm(&[spender]).await;
    follow(node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

/// Rule B7: prove, move the coins, prove again under another account.
async fn moved_coins_count_for_one_person_alone(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;
    let moved = OutPoint::new(spender, 0);
    // Nobody follows the chain meanwhile: the submission does.
    counts(&prove(node, &eve, &wallet, &[moved]).await);
    assert_eq!(standing(&hal).await, ended("spent"));
    let total = eve.holdings().await;
    assert!(total.is_some_and(|total| total < SATS), "{total:?}");
}
