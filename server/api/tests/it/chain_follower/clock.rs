//! A clock that is more than two hours ahead of the chain expires nothing. Networks that may stand still expire by the clock:
//! `jobs.rs`.

use api::chain_follower::{ALL, Position};

use super::*;
use crate::support::double::Double;

const HOUR: i64 = 60 * 60;

on_both!(a_clock_far_ahead_of_the_chain_expires_nothing);

async fn a_clock_far_ahead_of_the_chain_expires_nothing(database: TestDatabase) {
    let store = database.store().await;
    let clock = Clock::manual(NOW);
    let mainnet = Arc::new(Double::made_up().on_mainnet());
    let hash = mainnet.tip().await.unwrap().hash;
    let newest_at = |time| {
        mainnet.change_tip(move |tip| (tip.height, tip.median_time) = (970_000, time));
    };
    newest_at(NOW - HOUR);
    let (network, now) = (Network::Bitcoin, clock.clone());
    let chain = Chain::connect(vec![mainnet.clone()], 1, network, None, now);
    let chain = Arc::new(chain.await.expect("it passes for mainnet"));
    let follower = Follower::new(&store, &clock, &chain, false);
    let [hal, eve] = ["1", "2"].map(|name| identity("twitter", name));
    let hal = store.sign_in(&hal, NOW).await.unwrap();
    let eve = store.sign_in(&eve, NOW).await.unwrap();
    let record = async |user, now, number| {
        let proof = NewProof {
            network: "main",
            ..proof_of(&hash.to_string(), user, now, number)
        };
        store.record(&proof).await.unwrap();
    };
    assert_eq!(follower.advance(ALL).await.unwrap(), Position::Newest);
    record(&hal, NOW, 1).await;
    let expires = async |late| {
        let expired = store.expire_due(late).await.unwrap();
        let hal = store.profile(&hal.id).await.unwrap().unwrap();
        assert_eq!(hal.holdings_sats.is_none(), expired > 0);
        expired
    };

    // Three months ahead: by this clock every source lags, and none is asked.
    clock.advance(VALIDITY);
    let late = clock.now();
    assert!(follower.advance(ALL).await.is_err());
    assert_eq!(expires(late).await, 0);
    assert_eq!(store.next_expiry(late).await.unwrap(), None);
    record(&eve, late, 2).await;
    assert_eq!(expires(late).await, 0);

    // Ahead by two hours and a second, and then by two hours.
    newest_at(late - 2 * HOUR - 1);
    assert_eq!(follower.advance(ALL).await.unwrap(), Position::Newest);
    assert_eq!(expires(late).await, 0);
    newest_at(late - 2 * HOUR);
    assert_eq!(follower.advance(ALL).await.unwrap(), Position::Newest);
    assert_eq!(store.next_expiry(late).await.unwrap(), Some(late));
    assert_eq!(expires(late).await, 1);
}
