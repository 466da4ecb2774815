//! The cost of a long log for a server: `cargo test -p api --release --test it a_long_log -- --ignored --nocapture`.

use std::time::Instant;

use api::history::origin;
use board_log::checkpoint::Checkpoint;
use board_log::entry::Entry;
use board_log::note::{self, Signer};
use board_log::tree::{self, Leaves, WIDTH};
use store::Store;
use store::history::{LogState, StoredTile};

use super::*;
use crate::support::app::{NOW, sign_in_at};
use crate::support::process::ServerProcess;
use crate::support::until;

/// Both are longer than what a server and its database cache of a log.
const SHORT: u64 = 100_000;
const LONG: u64 = 250_000;

/// How much more memory the long log may take, in kB: an eighth of the additional size of its entries and tiles.
const MORE: u64 = 6 * 1_024;

#[tokio::test]
#[ignore = "prints figures"]
async fn a_long_log_takes_no_more_memory_than_a_short_one() {
    let (short, long) = (memory_beside(SHORT).await, memory_beside(LONG).await);
    assert!(long < short + MORE, "{short} kB, then {long} kB");
}

/// A server's peak memory while its whole log of this size is read, and new entries are added.
async fn memory_beside(entries: u64) -> u64 {
    let database = TestDatabase::sqlite().await;
    write(&database.store().await, entries).await;
    let server = ServerProcess::start(&database.url, &[]).await;
    let begin = Instant::now();
    let (size, _) = whole_log(&server.origin).await;
    assert_eq!(size, entries);
    for tile in 0..entries / WIDTH {
        let tile = get(&server.origin, &format!("tile/0/{tile:03}")).await;
        assert!(tile.is_some_and(|tile| tile.len() == 256 * 32));
    }
    let read = begin.elapsed();
    sign_in_at(&server.origin).await;
    until("logging", async || {
        let checkpoint = text(&server.origin, "checkpoint").await;
        let size: u64 = checkpoint.lines().nth(1)?.parse().ok()?;
        (size > entries).then_some(())
    })
    .await;
    let memory = server.peak_memory().expect("Linux");
    println!("{entries} entries: {memory} kB, read in {read:?}");
    memory
}

/// A log of this size, as the server would have written it.
async fn write(store: &Store, entries: u64) {
    let origin = origin("https://reserves.example");
    let material = Signer::generate().expect("a key");
    let signer = Signer::read(&origin, &material).expect("a key");
    let (mut log, mut tiles) = (
        store.hold_log().await.expect("a database"),
        Tiles::default(),
    );
    for number in 0..entries {
        let entry = Entry::Board {
            height: 800_000 + number,
            block: "ff".repeat(32),
            time: "2026-11-22T18:00:00Z".to_owned(),
            rows: 1_000_000,
            root: hex::encode(tree::leaf(&[&number.to_be_bytes()])),
        };
        let text = entry.text();
        let number_there = i64::try_from(number).expect("few");
        log.put_entry(1, number_there, &text)
            .await
            .expect("a database");
        tiles
            .put(number, tree::leaf(&[text.as_bytes()]))
            .expect("in order");
    }
    let settled = tiles.settle().expect("whole").into_iter();
    let stored = settled.map(|(id, hashes)| StoredTile {
        level: id.level.into(),
        tile: i64::try_from(id.index).expect("few"),
        hashes: hex::encode(hashes.concat()),
    });
    let stored: Vec<_> = stored.collect();
    log.put_tiles(1, &stored).await.expect("a database");
    let root = tiles.hash(Leaves::up_to(entries)).expect("a root");
    let checkpoint = Checkpoint {
        origin: origin.clone(),
        size: entries,
        root,
    };
    log.put_key("log", &material, NOW)
        .await
        .expect("a database");
    let state = LogState {
        number: 1,
        origin,
        size: i64::try_from(entries).expect("few"),
        root: hex::encode(root),
        checkpoint: note::sign(&checkpoint.to_string(), &[&signer]),
        verifier_key: signer.public().to_string(),
        format: 2,
        board_entry: None,
        changes: -1,
        height: None,
        block: None,
        salt_key: None,
        withdrawn: 0,
        page: None,
    };
    assert!(log.put_state(&state).await.expect("a database"));
    log.commit().await.expect("a database");
}
