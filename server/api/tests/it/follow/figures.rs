//! What following and re-verifying cost. Not a test of anything; it prints figures:
//! `cargo test --release -p api --test it figures -- --ignored --nocapture --test-threads=1`

use std::time::Instant;

use api::proof::VALIDITY;
use bitcoin::Txid;
use bitcoin::hashes::Hash;
use chain::Coin;
use store::binding::Binding;
use store::claims::{NewClaim, NewProof};
use store::follower::Block;
use store::{Database, Store};

use super::*;
use crate::jobs::{execute, set_tier};
use crate::support::app::NOW;

/// A million live claims of 200,000 people.
const PEOPLE: u32 = 200_000;

/// How many outpoints a full block spends.
const IN_A_BLOCK: u32 = 7_000;

/// Premium users with five coins each, all real.
const PREMIUM: usize = 1_000;
const COINS_EACH: usize = 5;

async fn databases() -> [TestDatabase; 2] {
    [TestDatabase::sqlite().await, TestDatabase::postgres().await]
}

fn kind(store: &Store) -> &'static str {
    match store.database() {
        Database::Sqlite(_) => "SQLite",
        Database::Postgres(_) => "PostgreSQL",
    }
}

async fn fill(store: &Store) {
    let numbers = format!(
        "with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < {PEOPLE})"
    );
    execute(
        store,
        format!(
            "insert into profiles (id, provider, subject, username, username_folded, named, created_at, updated_at)
             {numbers} select 'u' || n, 'mock', 'u' || n, 'u', 'u', false, 1, 1 from numbers"
        ),
    )
    .await;
    execute(
        store,
        format!(
            "insert into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at)
             {numbers} select 'p' || n, 'u' || n, 't' || n, 'f', 5, 'verified', 'transaction', false, 1, 9000000000 from numbers"
        ),
    )
    .await;
    let random = match store.database() {
        Database::Sqlite(_) => "lower(hex(randomblob(32)))",
        Database::Postgres(_) => "md5(random()::text) || md5(random()::text)",
    };
    for coin in 0..COINS_EACH {
        execute(
            store,
            format!(
                "insert into claims (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, bound)
                 {numbers} select 'c' || n || '-{coin}', 'p' || n, 'u' || n, 'regtest', {random}, {coin}, 1, 'b' || n % 1000, true from numbers"
            ),
        )
        .await;
    }
    execute(store, "analyze").await;
}

/// One query finds the claims on everything that a full block spends.
#[tokio::test]
#[ignore = "prints figures"]
async fn figures_of_a_full_block() {
    for database in databases().await {
        let store = database.store().await;
        fill(&store).await;
        let some = store.live_claims_after("regtest", "", 100).await;
        let mut outpoints: Vec<OutPoint> = some
            .expect("a database")
            .iter()
            .filter_map(store::follower::ClaimedCoin::outpoint)
            .collect();
        let others = (100..IN_A_BLOCK)
            .map(|number| OutPoint::new(Txid::hash(&number.to_le_bytes()), number % 5));
        outpoints.extend(others);
        for _ in 0..3 {
            let started = Instant::now();
            let found = store.live_claims_on("regtest", &outpoints).await;
            assert_eq!(found.expect("a database").len(), 100);
            println!(
                "{}: {IN_A_BLOCK} outpoints of a block against 1,000,000 live claims: {:?}",
                kind(&store),
                started.elapsed()
            );
        }
    }
}

/// Recording a file of 1,400 coins, and the next one over the same coins.
#[tokio::test]
#[ignore = "prints figures"]
async fn figures_of_recording_a_large_file() {
    const COINS: u32 = 1_400;
    for database in databases().await {
        let store = database.store().await;
        fill(&store).await;
        let block = Block {
            height: 1,
            hash: "ab".repeat(32),
        };
        store
            .start_following("regtest", &block)
            .await
            .expect("a database");
        let coins = (0..COINS).map(|number| NewClaim {
            txid: Txid::hash(&number.to_le_bytes()).to_string(),
            vout: 0,
            value_sats: 10_000,
            funding_block: block.hash.clone(),
            funding_height: Some(1),
        });
        let coins: Vec<NewClaim> = coins.collect();
        for transaction in ["first", "second", "third"] {
            let proof = NewProof {
                id: uuid::Uuid::now_v7().to_string(),
                user_id: "u1".to_owned(),
                tx_hash: transaction.to_owned(),
                file_name: "cold.psbt".to_owned(),
                binding: Binding::Transaction,
                mock: false,
                created_at: NOW,
                expires_at: NOW + VALIDITY,
                network: "regtest",
                tip: block.hash.clone(),
                publication: None,
                coins: coins.clone(),
            };
            let started = Instant::now();
            store.record(&proof).await.expect("it is recorded");
            println!(
                "{}: the {transaction} file of {COINS} coins among 1,000,000 live claims is recorded in {:?}",
                kind(&store),
                started.elapsed()
            );
        }
    }
}

/// Looking coins up at a real node, and recording what it says.
#[tokio::test]
#[ignore = "prints figures"]
async fn figures_of_the_daily_verification() {
    let node = Node::start().await;
    let wallet = node.wallet().await;
    let mut coins = Vec::new();
    for _ in 0..2 {
        let amounts = vec![Amount::from_sat(10_000); PREMIUM * COINS_EACH / 2];
        coins.extend(wallet.fund_one_address(AddressType::Bech32, &amounts).await);
    }
    for database in databases().await {
        let rooms = rooms_on(&node, database).await;
        follow(&node, &rooms.follower).await;
        let store = &rooms.store;
        let started = Instant::now();
        for portion in coins.chunks(500) {
            let snapshot = rooms.chain.look_up(portion).await.expect("an answer");
            assert!(
                snapshot
                    .coins
                    .iter()
                    .all(|coin| matches!(coin, Coin::Unspent(_)))
            );
        }
        let rate = per_second(coins.len(), started);
        println!("{}: {rate} coins a second are looked up", kind(store));
        for (number, portion) in coins.chunks(COINS_EACH).enumerate() {
            let person = claim(&rooms, &node, number, portion).await;
            set_tier(store, &person, "premium").await;
        }
        rooms.clock.advance(24 * 60 * 60);
        let started = Instant::now();
        let mut users = 0;
        loop {
            match rooms.proving.reverify_some().await.expect("it is verified") {
                0 => break,
                some => users += some,
            }
        }
        assert_eq!(users, PREMIUM);
        let claims = per_second(coins.len(), started);
        println!(
            "{}: {claims} claims a second are verified again; 5,000,000 take {} minutes",
            kind(store),
            5_000_000 / claims / 60
        );
    }
}

fn per_second(count: usize, since: Instant) -> u64 {
    let count = u32::try_from(count).expect("few");
    let rate = f64::from(count) / since.elapsed().as_secs_f64();
    format!("{rate:.0}").parse().expect("a number")
}

async fn claim(rooms: &Rooms, node: &Node, number: usize, coins: &[OutPoint]) -> String {
    let store = &rooms.store;
    let identity = store::profiles::Identity {
        provider: "twitter",
        subject: number.to_string(),
        username: None,
        email: None,
        avatar_url: None,
    };
    let user = store.sign_in(&identity, NOW).await.expect("a database");
    let (_, tip) = node.tip().await;
    let proof = NewProof {
        id: uuid::Uuid::now_v7().to_string(),
        user_id: user.id.clone(),
        tx_hash: format!("t{number}"),
        file_name: "cold.psbt".to_owned(),
        binding: Binding::Transaction,
        mock: false,
        created_at: NOW,
        expires_at: NOW + VALIDITY,
        network: "regtest",
        tip: tip.to_string(),
        publication: None,
        coins: coins
            .iter()
            .map(|coin| NewClaim {
                txid: coin.txid.to_string(),
                vout: i64::from(coin.vout),
                value_sats: 10_000,
                funding_block: tip.to_string(),
                funding_height: None,
            })
            .collect(),
    };
    store.record(&proof).await.expect("it is recorded");
    user.id
}
