//! The cost of an entry with a hundred thousand rows: `cargo test -p api --release --test it many_rows -- --ignored --nocapture`.

use std::collections::BTreeMap;
use std::time::Instant;

use api::history::published::Published;
use api::history::{History, Settings};
use chain::clock::Clock;
use store::follower::Block;

use super::*;
use crate::jobs::execute;
use crate::support::app::NOW;

const ROWS: u32 = 100_000;

/// How many rows change between two blocks.
const CHANGED: u32 = 5_000;

#[tokio::test]
#[ignore = "takes minutes"]
async fn an_entry_among_many_rows_on_sqlite() {
    measure(TestDatabase::sqlite().await).await;
}

#[tokio::test]
#[ignore = "takes minutes"]
async fn an_entry_among_many_rows_on_postgres() {
    measure(TestDatabase::postgres().await).await;
}

/// Without the board in memory, which would have to process all the changes as well.
async fn measure(database: TestDatabase) {
    let store = database.store().await;
    // PostgreSQL aborts a statement after a minute.
    for first in (0..ROWS).step_by(50_000) {
        let end = first + 50_000;
        let fill = format!(
            "insert into profiles (id, provider, subject, username, username_folded, named, holdings_sats, last_verified, created_at, updated_at)
             with recursive numbers(n) as (select {first} union all select n + 1 from numbers where n < {end} - 1)
             select substr('0123456789abcdef', 1 + n % 16, 1) || n, 'mock', 'u' || n, 'u' || n, 'u' || n, true, 1 + n, 1 + n, 1, 1
             from numbers"
        );
        execute(&store, fill).await;
        execute(&store, "delete from unsent_changes").await;
    }
    if let Database::Postgres(_) = store.database() {
        execute(&store, "analyze").await;
    }
    let block = Block {
        height: 1_000,
        hash: "ff".repeat(32),
    };
    store
        .start_following("regtest", &block)
        .await
        .expect("a database");
    let settings = Settings {
        site: "https://reserves.example".to_owned(),
        published: Published::new(None),
        network: "regtest",
        stands_still: true,
        witnesses: Vec::new(),
        client: http_client(),
        pages: BTreeMap::new(),
        salt: rand::random,
    };
    let history = History::load(store.clone(), Clock::manual(NOW), settings)
        .await
        .expect("a log");
    let begin = Instant::now();
    let (mut longest, mut steps) = (0.0_f64, 0);
    loop {
        let one = Instant::now();
        let next = history.step().await.expect("it is logged");
        longest = longest.max(one.elapsed().as_secs_f64());
        steps += 1;
        if next != Next::AtOnce {
            break;
        }
    }
    println!(
        "all rows: {steps} entries in {:?}, the longest {longest:.2} s",
        begin.elapsed()
    );
    for changed in [1, 100, CHANGED] {
        let every = ROWS / changed;
        let change = format!(
            "update profiles set holdings_sats = holdings_sats + 1 where cast(substr(id, 2) as bigint) % {every} = 0"
        );
        execute(&store, change).await;
        store.pass_on_changes().await.expect("a database");
        let one = Instant::now();
        while history.step().await.expect("it is logged") == Next::AtOnce {}
        println!("{changed} rows changed: {:?}", one.elapsed());
    }
    let state = store.log_state().await.expect("a database").expect("a log");
    assert_eq!(state.size, 5);
}
