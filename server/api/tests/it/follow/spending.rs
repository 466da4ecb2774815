//! A coin that is spent stops counting with the block that spends it.

use super::*;

on_both!(a_spent_coin_stops_counting_at_the_next_block);

async fn a_spent_coin_stops_counting_at_the_next_block(database: TestDatabase) {
    let scene = Scene::shared(database).await;
    let (rooms, hal) = (&scene.rooms, &scene.hal());
    let eve = rooms.sign_in().await;
    let smaller = scene.wallet.fund(AddressType::Bech32, COIN / 2).await;
    counts(&scene.prove(&eve, &[smaller]).await);
    let coin = scene.followed(hal).await;
    assert_eq!(eve.row().await.rank, Some(2));

    // An unconfirmed transaction may never confirm.
    let spender = scene.wallet.spend(&[coin]).await.compute_txid();
    scene.expect(hal, counting()).await;

    let seen = rooms.live.sequence();
    let mut changes = rooms.live.changes(seen, None).unwrap();
    scene.node.confirm(&[spender]).await;
    scene.expect(hal, ended("spent")).await;
    assert_eq!(hal.row().await.rank, None);
    assert_eq!(eve.row().await.rank, Some(1));
    assert!(changes.next().await.is_some(), "open pages are notified");
}

#[tokio::test]
async fn a_proof_goes_on_with_the_coins_that_are_left() {
    let scene = Scene::shared(TestDatabase::sqlite().await).await;
    let hal = &scene.hal();
    // Rule B7 applies to every tier; all other tests use the free one.
    set_tier(&scene.rooms.store, &hal.id, "premium").await;
    let coins = [(AddressType::Bech32, COIN); 3];
    let coins = scene.wallet.fund_all(&coins).await;
    counts(&scene.prove(hal, &coins).await);
    scene.spend(&coins[..2]).await;
    scene.expect(hal, counting()).await;
    assert_eq!(hal.newest_proof().await.spent_sats, Some(2 * SATS));
    scene.spend(&coins[2..]).await;
    scene.expect(hal, ended("spent")).await;
}

/// Rule B7: prove, move the coins, prove again under another account.
#[tokio::test]
async fn moved_coins_count_for_one_person_alone() {
    let scene = Scene::shared(TestDatabase::sqlite().await).await;
    let (hal, eve) = (scene.hal(), scene.rooms.sign_in().await);
    let coin = scene.proven(&hal).await;
    let (spender, _) = scene.spend(&[coin]).await;
    // The follower is not running: the submission follows the chain.
    counts(&scene.prove(&eve, &[OutPoint::new(spender, 0)]).await);
    assert_eq!(standing(&hal).await, ended("spent"));
    let total = eve.holdings().await;
    assert!(total.is_some_and(|total| total < SATS), "{total:?}");
}
