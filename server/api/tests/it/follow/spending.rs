//! A coin that is spent stops counting with the block that spends it.

use futures_util::StreamExt;

use super::*;

on_both!(a_spent_coin_stops_counting_at_the_next_block);

async fn a_spent_coin_stops_counting_at_the_next_block(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let scene = Scene::new(node, &rooms).await;
    let (hal, eve) = (&scene.hal, rooms.sign_in().await);
    let smaller = scene.wallet.fund(AddressType::Bech32, COIN / 2).await;
    counts(&prove(node, &eve, &scene.wallet, &[smaller]).await);
    let coin = scene.proven(hal).await;
    assert_eq!(eve.row().await.rank, Some(2));

    // An unconfirmed transaction may never confirm.
    let spender = spend(&scene.wallet, &[coin]).await;
    scene.expect(hal, counting()).await;

    let seen = rooms.live.sequence();
    let mut changes = rooms.live.changes(seen, None).expect("a seat");
    node.confirm(&[spender]).await;
    scene.expect(hal, ended("spent")).await;
    assert_eq!(hal.row().await.rank, None);
    assert_eq!(eve.row().await.rank, Some(1));
    assert!(changes.next().await.is_some(), "open pages are notified");
}

#[tokio::test]
async fn a_proof_goes_on_with_the_coins_that_are_left() {
    let node = Node::shared().await;
    let rooms = rooms_on(node, TestDatabase::sqlite().await).await;
    let scene = Scene::new(node, &rooms).await;
    let hal = &scene.hal;
    // Rule B7 applies to every tier; all other tests use the free one.
    crate::jobs::set_tier(&rooms.store, &hal.id, "premium").await;
    let coins = [(AddressType::Bech32, COIN); 3];
    let coins = scene.wallet.fund_all(&coins).await;
    counts(&prove(node, hal, &scene.wallet, &coins).await);
    scene.spend(&coins[..2]).await;
    scene.expect(hal, counting()).await;
    assert_eq!(hal.newest_proof().await.spent_sats, Some(2 * SATS));
    scene.spend(&coins[2..]).await;
    scene.expect(hal, ended("spent")).await;
}

/// Rule B7: prove, move the coins, prove again under another account.
#[tokio::test]
async fn moved_coins_count_for_one_person_alone() {
    let node = Node::shared().await;
    let rooms = rooms_on(node, TestDatabase::sqlite().await).await;
    let scene = Scene::new(node, &rooms).await;
    let eve = rooms.sign_in().await;
    let coin = proven(node, &scene.hal, &scene.wallet).await;
    let (spender, _) = scene.spend(&[coin]).await;
    let moved = OutPoint::new(spender, 0);
    // The follower is not running: the submission follows the chain.
    counts(&prove(node, &eve, &scene.wallet, &[moved]).await);
    assert_eq!(standing(&scene.hal).await, ended("spent"));
    let total = eve.holdings().await;
    assert!(total.is_some_and(|total| total < SATS), "{total:?}");
}
