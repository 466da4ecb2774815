//! Every statement of the log, with as many rows as change between two blocks. Of a hundredth of a table that is all in memory PostgreSQL would
//! rather read the whole.

use store::Store;
use store::history::{EndedLog, LogState, StoredTile};
use store::shown_as::ShownAs;

use super::NOW;

const ROWS: i64 = 100;

pub(super) async fn logging(store: &Store) {
    const PURPOSE: &str = "plans";
    let places: Vec<i64> = (1..=ROWS).collect();
    let levels = vec![0; places.len()];

    let mut log = store.hold_log().await.unwrap();
    assert!(log.put_state(&state()).await.unwrap());
    log.put_key(PURPOSE, "material", NOW).await.unwrap();
    log.commit().await.unwrap();

    let mut log = store.hold_log().await.unwrap();
    assert_eq!(log.state, Some(state()));
    log.key(PURPOSE).await.unwrap();
    log.cursor("regtest").await.unwrap();
    assert!(!log.rows().await.unwrap().is_empty());
    let lines: Vec<_> = places
        .iter()
        .map(|number| (format!("u{number}"), r#"{"shown_as":"exact"}"#.to_owned()))
        .collect();
    log.put_lines(&lines).await.unwrap();
    log.forget_gone_lines().await.unwrap();
    let tiles = log.tiles(1, levels.clone(), places.clone()).await.unwrap();
    assert_eq!(tiles.len(), places.len());
    let tile = |tile: &i64| StoredTile {
        level: 0,
        tile: *tile,
        hashes: "bb".to_owned(),
    };
    let tiles: Vec<StoredTile> = places.iter().map(tile).collect();
    log.put_tiles(1, &tiles).await.unwrap();
    log.put_entry(2, 0, "entry").await.unwrap();
    log.put_rotation(1, 0, "note").await.unwrap();
    let ended = EndedLog {
        number: 1,
        checkpoint: "note".to_owned(),
        verifier_key: None,
    };
    log.put_ended(&ended).await.unwrap();
    assert!(log.put_state(&state()).await.unwrap());
    log.commit().await.unwrap();

    // Refused while a proof is published, when the line has been withdrawn already.
    let _ = store.show_as("u100", ShownAs::Range, NOW).await;
    store.log_state().await.unwrap();
    store.log_line("u1").await.unwrap();
    store.log_lines().await.unwrap();
    store.log_entries(1, 50_000, 256).await.unwrap();
    store.log_tiles(1, levels, places).await.unwrap();
    store.log_rotations(1).await.unwrap();
    store.ended_log(1).await.unwrap().unwrap();
    assert!(store.note_logged(1, 5).await.unwrap());
    // Looked at, and taken back.
    let mut log = store.hold_log().await.unwrap();
    log.forget_lines().await.unwrap();
}

fn state() -> LogState {
    LogState {
        number: 1,
        origin: "reserves.example/log".to_owned(),
        size: 1,
        root: "aa".to_owned(),
        checkpoint: "note".to_owned(),
        verifier_key: "key".to_owned(),
        format: 2,
        board_entry: None,
        changes: 0,
        height: None,
        block: None,
        salt_key: Some("00".repeat(32)),
        withdrawn: 0,
        page: None,
    }
}
