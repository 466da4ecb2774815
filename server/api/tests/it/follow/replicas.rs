//! Several replicas on one PostgreSQL: each block once, and by somebody always.

use std::time::Duration;

use super::*;
use crate::support::app::NOW;
use crate::support::cut_off::CutOff;
use crate::support::database::on_both;

on_both!(
    one_replica_follows_at_a_time,
    a_step_that_is_cut_off_repeats_nothing
);

async fn one_replica_follows_at_a_time(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    follow(node, &rooms.follower).await;
    let other = rooms.another(NOW).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;
    // The work is the first one's, which does nothing: it hangs.
    let waits = other.follower.step().await.expect("a database");
    assert!(matches!(waits, Next::After(wait) if wait > Duration::ZERO));
    assert_eq!(standing(&hal).await, counting());
    // It says that it is still there while its step takes long, and then says nothing any more.
    for clock in [&rooms.clock, &other.clock] {
        clock.advance(9);
    }
    rooms.follower.hold().await.expect("a database");
    other.clock.advance(9);
    let waits = other.follower.step().await.expect("a database");
    assert!(matches!(waits, Next::After(wait) if wait > Duration::ZERO));
    assert_eq!(standing(&hal).await, counting());
    other.clock.advance(1);
    follow(node, &other.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
    let waits = rooms.follower.step().await.expect("a database");
    assert!(matches!(waits, Next::After(wait) if wait > Duration::ZERO));
}

#[tokio::test]
async fn replicas_that_follow_together_end_each_claim_once() {
    let node = Node::shared().await;
    let rooms = rooms_on(node, TestDatabase::postgres().await).await;
    let wallet = node.wallet().await;
    let people = [
        rooms.sign_in().await,
        rooms.sign_in().await,
        rooms.sign_in().await,
    ];
    let mut coins = Vec::new();
    for person in &people {
        coins.push(proven(node, person, &wallet).await);
        coins.push(proven(node, person, &wallet).await);
    }
    let other = rooms.another(NOW).await;
    for coin in coins.iter().step_by(2) {
        let spender = spend(&wallet, &[*coin]).await;
        node.confirm(&[spender]).await;
    }
    {
        let _still = node.still().await;
        // Without the lease, as submissions do.
        let all = api::follow::ALL;
        let (one, two) = tokio::join!(rooms.follower.advance(all), other.follower.advance(all),);
        one.expect("it is followed");
        two.expect("it is followed");
    }
    for person in &people {
        assert_eq!(person.holdings().await, Some(SATS));
    }
    let blocks = other
        .store
        .followed_blocks("regtest")
        .await
        .expect("a database");
    assert!(
        blocks
            .windows(2)
            .all(|pair| pair[0].height == pair[1].height + 1)
    );
}

async fn a_step_that_is_cut_off_repeats_nothing(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let wallet = node.wallet().await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let spent = proven(node, &hal, &wallet).await;
    proven(node, &hal, &wallet).await;
    proven(node, &eve, &wallet).await;
    follow(node, &rooms.follower).await;
    let spender = spend(&wallet, &[spent]).await;
    node.confirm(&[spender]).await;
    node.mine(3).await;
    let _still = node.still().await;
    let mut polls = 1;
    loop {
        let cut_off = CutOff {
            future: Box::pin(rooms.follower.step()),
            polls,
        };
        if let Some(next) = cut_off.await {
            next.expect("it goes on where the others stopped");
            break;
        }
        // Half of it is never seen: both totals are what they were, or what they will be.
        let holdings = hal.holdings().await;
        assert!(
            holdings == Some(SATS) || holdings == Some(2 * SATS),
            "{holdings:?}"
        );
        polls += 1 + polls / 4;
    }
    assert_eq!(hal.holdings().await, Some(SATS));
    assert_eq!(eve.holdings().await, Some(SATS));
    assert_eq!(hal.proofs().await[1].ended_reason.as_deref(), Some("spent"));
}
