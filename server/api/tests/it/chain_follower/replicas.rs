//! Several replicas on one PostgreSQL: each block is followed once, and always by one of them.

use super::*;
use crate::support::database::leases_age;
use crate::support::faults::cut_off;

on_both!(
    one_replica_follows_at_a_time,
    an_interrupted_step_is_not_repeated
);

/// Gives the lease to another replica.
async fn waits(rooms: &Rooms) {
    let next = rooms.follower.step().await.unwrap();
    assert_matches!(next, Next::After(wait) if *wait > Duration::ZERO);
}

async fn one_replica_follows_at_a_time(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let (rooms, hal) = (&fixture.rooms, &fixture.hal());
    let coin = fixture.followed(hal).await;
    let other = rooms.another(NOW).await;
    fixture.spend(&[coin]).await;
    // The first replica has the lease, and hangs.
    rooms.store.extend_leases().await.unwrap();
    waits(&other).await;
    // The replica's own clock does not matter.
    other.clock.advance(3600);
    waits(&other).await;
    other.clock.advance(-3600);
    // It renews the lease while its step takes long, and then stops.
    for passes in [6, 6, 10] {
        waits(&other).await;
        assert_eq!(standing(hal).await, counting());
        if passes == 6 {
            rooms.store.extend_leases().await.unwrap();
        }
        leases_age(&rooms.store, passes).await;
    }
    follow(fixture.node, &other.follower).await;
    assert_eq!(standing(hal).await, ended("spent"));
    waits(rooms).await;
}

#[tokio::test]
async fn replicas_that_follow_together_end_each_claim_once() {
    let fixture = Fixture::shared(TestDatabase::postgres().await).await;
    let rooms = &fixture.rooms;
    let people = [rooms.sign_in().await, rooms.sign_in().await];
    let mut spent = Vec::new();
    for person in &people {
        spent.push(fixture.proven(person).await);
        fixture.proven(person).await;
    }
    let other = rooms.another(NOW).await;
    for coin in spent {
        fixture.spend(&[coin]).await;
    }
    let still = fixture.node.still().await;
    // Follows without the lease, as a submission does.
    let all = api::chain_follower::ALL;
    let (one, two) = tokio::join!(rooms.follower.advance(all), other.follower.advance(all));
    one.and(two).unwrap();
    drop(still);
    for person in &people {
        assert_eq!(person.holdings().await, Some(SATS));
    }
    let blocks = other.store.followed_blocks("regtest").await.unwrap();
    let mut pairs = blocks.windows(2);
    assert!(pairs.all(|pair| pair[0].height == pair[1].height + 1));
}

async fn an_interrupted_step_is_not_repeated(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let (hal, eve) = (fixture.hal(), fixture.rooms.sign_in().await);
    let spent = fixture.followed(&hal).await;
    fixture.followed(&hal).await;
    fixture.followed(&eve).await;
    fixture.spend(&[spent]).await;
    fixture.node.mine(3).await;
    let _still = fixture.node.still().await;
    let mut polls = 1;
    loop {
        if let Some(next) = cut_off(fixture.rooms.follower.step(), polls).await {
            next.expect("it goes on where the others stopped");
            break;
        }
        // No reader sees half of it: both totals are the old or the new ones.
        let holdings = hal.holdings().await.expect("a total");
        assert!([SATS, 2 * SATS].contains(&holdings), "{holdings}");
        polls += 1 + polls / 4;
    }
    assert_eq!(hal.holdings().await, Some(SATS));
    assert_eq!(eve.holdings().await, Some(SATS));
    assert_eq!(hal.proofs().await[1].ended_reason.as_deref(), Some("spent"));
}
