//! A coin that is spent stops counting with the block that spends it, also when the server was down meanwhile, or when claims are looked
//! up again.

use super::*;
use crate::support::database::leases_age;

on_both!(
    a_spent_coin_stops_counting_at_the_next_block,
    the_follower_catches_up_block_by_block,
    claims_from_before_the_first_start_are_looked_up,
);

async fn a_spent_coin_stops_counting_at_the_next_block(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let (rooms, hal) = (&fixture.rooms, &fixture.hal());
    let eve = rooms.sign_in().await;
    let smaller = fixture.wallet.fund(AddressType::Bech32, COIN / 2).await;
    counts(&fixture.prove(&eve, &[smaller]).await);
    let coin = fixture.followed(hal).await;
    assert_eq!(eve.row().await.rank, Some(2));

    // An unconfirmed transaction may never confirm.
    let spender = fixture.wallet.spend(&[coin]).await.compute_txid();
    fixture.expect(hal, counting()).await;

    let seen = rooms.live.sequence();
    let mut changes = rooms.live.changes(seen, None).unwrap();
    fixture.node.confirm(&[spender]).await;
    fixture.expect(hal, ended("spent")).await;
    assert_eq!(hal.row().await.rank, None);
    assert_eq!(eve.row().await.rank, Some(1));
    assert!(changes.next().await.is_some(), "open pages are notified");
}

/// Rule B7 for premium users; all other tests use the free plan.
#[tokio::test]
async fn a_proof_continues_with_its_unspent_coins() {
    let fixture = Fixture::shared(TestDatabase::sqlite().await).await;
    let hal = &fixture.hal();
    set_tier(&fixture.rooms.store, &hal.id, "premium").await;
    let coins = [(AddressType::Bech32, COIN); 3];
    let coins = fixture.wallet.fund_all(&coins).await;
    counts(&fixture.prove(hal, &coins).await);
    fixture.spend(&coins[..2]).await;
    fixture.expect(hal, counting()).await;
    assert_eq!(hal.newest_proof().await.spent_sats, Some(2 * SATS));
    fixture.spend(&coins[2..]).await;
    fixture.expect(hal, ended("spent")).await;
}

/// Rule B7: prove, move the coins, prove again under another account.
#[tokio::test]
async fn moved_coins_count_for_one_account_only() {
    let fixture = Fixture::shared(TestDatabase::sqlite().await).await;
    let (hal, eve) = (fixture.hal(), fixture.rooms.sign_in().await);
    let coin = fixture.proven(&hal).await;
    let (spender, _) = fixture.spend(&[coin]).await;
    // The follower is not running: the submission follows the chain.
    counts(&fixture.prove(&eve, &[OutPoint::new(spender, 0)]).await);
    assert_eq!(standing(&hal).await, ended("spent"));
    let total = eve.holdings().await;
    assert!(total.is_some_and(|total| total < SATS), "{total:?}");
}

/// The follower continues from the last followed block.
async fn the_follower_catches_up_block_by_block(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let (node, rooms) = (fixture.node, &fixture.rooms);
    let people = [rooms.sign_in().await, rooms.sign_in().await];
    let mut coins = Vec::new();
    for person in &people {
        coins.push(fixture.followed(person).await);
    }
    let two = fixture.spent_and_kept().await;
    let before = fixture.cursor().await.block.height;
    for coin in coins {
        let spender = fixture.wallet.spend(&[coin]).await.compute_txid();
        node.mine(25).await;
        node.confirm(&[spender]).await;
    }
    // A new process, with the database of the old one.
    let again = rooms.another(NOW).await;
    // It takes over the old process's lease.
    leases_age(&rooms.store, DAY).await;
    follow(node, &again.follower).await;
    assert!(fixture.cursor().await.block.height >= before + 52);
    for person in &people {
        assert_eq!(standing(person).await, ended("spent"));
    }
    fixture.expect_spent_and_kept(&two).await;
}

async fn claims_from_before_the_first_start_are_looked_up(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let two = fixture.spent_and_kept().await;
    // A database that has not followed the chain so far.
    for table in ["chain_cursor", "chain_blocks"] {
        execute(&fixture.rooms.store, format!("delete from {table}")).await;
    }
    fixture.expect_spent_and_kept(&two).await;
}

/// More than a week of blocks, and a node that has pruned some of them.
#[tokio::test]
async fn a_very_long_absence_has_every_claim_looked_up() {
    let node = Node::start().await;
    let fixture = Fixture::on(&node, TestDatabase::sqlite().await).await;
    let two = fixture.spent_and_kept().await;
    node.mine(1_008).await;
    fixture.expect_spent_and_kept(&two).await;
    let (height, hash) = node.tip().await;
    let cursor = fixture.cursor().await;
    assert_eq!(cursor.block, Block::new(height, hash));
    assert_eq!((cursor.sweep_after, cursor.sweep_due), (None, false));
    let blocks = fixture
        .rooms
        .store
        .followed_blocks("regtest")
        .await
        .unwrap();
    assert_eq!(blocks[0].height(), height);
}
