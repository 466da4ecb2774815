//! A clock that is more than two hours ahead of the chain expires nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use api::follow::{ALL, Position};
use api::proof::VALIDITY;
use async_trait::async_trait;
use bitcoin::constants::genesis_block;
use bitcoin::hashes::Hash;
use bitcoin::{BlockHash, Network};
use chain::clock::Clock;
use chain::{Chain, ChainError, ChainSource, Coin, Spends, Tip};

use super::*;
use crate::support::app::NOW;
use crate::support::database::on_both;

const HOUR: i64 = 60 * 60;

/// The first block that Bitcoin has and Bitcoin Cash has not.
const AFTER_THE_SPLIT: &str = "00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148";

on_both!(
    a_clock_far_ahead_of_the_chain_expires_nothing,
    networks_that_may_stand_still_expire_by_the_clock_alone,
);

/// A mainnet source whose newest block has this median time.
#[derive(Debug)]
struct Mainnet(AtomicI64);

#[async_trait]
impl ChainSource for Mainnet {
    fn name(&self) -> &str {
        "mainnet"
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        Ok(Some(match height {
            0 => genesis_block(Network::Bitcoin).block_hash(),
            _ => AFTER_THE_SPLIT.parse().expect("a hash"),
        }))
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        Ok(Tip {
            height: 970_000,
            hash: BlockHash::from_byte_array([7; 32]),
            median_time: self.0.load(Ordering::Relaxed),
        })
    }

    async fn coins(&self, _outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        unreachable!("it is not asked")
    }

    async fn spent_in_block(&self, _block: BlockHash) -> Result<Option<Spends>, ChainError> {
        unreachable!("it is not asked")
    }
}

async fn a_clock_far_ahead_of_the_chain_expires_nothing(database: TestDatabase) {
    let store = database.store().await;
    let clock = Clock::manual(NOW);
    let mainnet = Arc::new(Mainnet(AtomicI64::new(NOW - HOUR)));
    let source: Arc<dyn ChainSource> = mainnet.clone();
    let chain = Chain::connect_all(vec![source], 1, Network::Bitcoin, clock.clone());
    let chain = Arc::new(chain.await.expect("it passes for mainnet"));
    let follower = Follower::new(store.clone(), clock.clone(), chain, false);
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
    mainnet.0.store(late - 2 * HOUR - 1, Ordering::Relaxed);
    assert_eq!(advanced().await, Position::Newest);
    assert_eq!(store.expire_due(late).await.expect("a database"), 0);
    assert!(counts().await);
    mainnet.0.store(late - 2 * HOUR, Ordering::Relaxed);
    assert_eq!(advanced().await, Position::Newest);
    let next = store.next_expiry(late).await.expect("a database");
    assert_eq!(next, Some(late));
    assert_eq!(store.expire_due(late).await.expect("a database"), 1);
    assert!(!counts().await);
}

async fn networks_that_may_stand_still_expire_by_the_clock_alone(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let hal = rooms.sign_in().await;
    proven(node, &hal, &node.wallet().await).await;
    follow(node, &rooms.follower).await;
    rooms.clock.advance(VALIDITY);
    rooms.proving.expire().await.expect("a database");
    assert_eq!(standing(&hal).await, ended("expired"));
}
