//! A clock that is more than two hours ahead of the chain expires nothing. Networks that may stand still expire by the clock:
//! `jobs/expiry.rs`.

use api::follow::{ALL, Position};
use bitcoin::Network;
use chain::clock::Clock;
use chain::{Chain, Tip};

use super::*;
use crate::chain::double::Double;

const HOUR: i64 = 60 * 60;

on_both!(a_clock_far_ahead_of_the_chain_expires_nothing);

async fn a_clock_far_ahead_of_the_chain_expires_nothing(database: TestDatabase) {
    let store = database.store().await;
    let clock = Clock::manual(NOW);
    let mainnet = Arc::new(Double::made_up().on_mainnet());
    let newest_at = |median_time| {
        mainnet.change_tip(move |tip| {
            *tip = Tip {
                height: 970_000,
                hash: BlockHash::from_byte_array([7; 32]),
                median_time,
            };
        });
    };
    newest_at(NOW - HOUR);
    let chain = Chain::connect_all(vec![mainnet.clone()], 1, Network::Bitcoin, clock.clone());
    let chain = Arc::new(chain.await.expect("it passes for mainnet"));
    let follower = Follower::new(&store, &clock, &chain, false);
    let hal = store.sign_in(&identity("1"), NOW).await.expect("a profile");
    let eve = store.sign_in(&identity("2"), NOW).await.expect("a profile");
    let advanced = async || follower.advance(ALL).await.expect("an answer");
    assert_eq!(advanced().await, Position::Newest);
    let recorded = store.record(&proof_of(&hal.id, "main", NOW, 1)).await;
    recorded.expect("it is recorded");
    let counts = async || {
        let profile = store.profile(&hal.id).await.expect("a database");
        profile.expect("a profile").holdings_sats.is_some()
    };

    // Three months ahead: by this clock every source lags, and none is asked.
    clock.advance(VALIDITY);
    let late = clock.now();
    assert!(follower.advance(ALL).await.is_err());
    assert_eq!(store.expire_due(late).await.expect("a database"), 0);
    assert_eq!(store.next_expiry(late).await.expect("a database"), None);
    let recorded = store.record(&proof_of(&eve.id, "main", late, 2)).await;
    recorded.expect("it is recorded");
    assert!(counts().await);

    // Ahead by two hours and a second.
    newest_at(late - 2 * HOUR - 1);
    assert_eq!(advanced().await, Position::Newest);
    assert_eq!(store.expire_due(late).await.expect("a database"), 0);
    assert!(counts().await);
    newest_at(late - 2 * HOUR);
    assert_eq!(advanced().await, Position::Newest);
    let next = store.next_expiry(late).await.expect("a database");
    assert_eq!(next, Some(late));
    assert_eq!(store.expire_due(late).await.expect("a database"), 1);
    assert!(!counts().await);
}
