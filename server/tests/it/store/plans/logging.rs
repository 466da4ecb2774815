//! Every statement of the log, with as many rows as change between two blocks. Of a hundredth of a table that is all in memory PostgreSQL would
//! rather read the whole.

use server::store::Store;
use server::store::history::{EndedLog, LogState, LoggedRow, StoredTile, Tree};

use super::NOW;

const ROWS: i64 = 100;

pub(super) async fn logging(store: &Store) {
    const PURPOSE: &str = "plans";
    let places: Vec<i64> = (1..=ROWS).collect();
    let ids: Vec<String> = places.iter().map(|number| format!("u{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let levels = vec![0; places.len()];

    let mut log = store.hold_log().await.unwrap();
    assert!(log.put_state(&state()).await.unwrap());
    log.put_key(PURPOSE, "material", NOW).await.unwrap();
    log.commit().await.unwrap();

    let mut log = store.hold_log().await.unwrap();
    assert_eq!(log.state, Some(state()));
    log.key(PURPOSE).await.unwrap();
    log.take_gone_slots().await.unwrap();
    let found = log.places(&ids).await.unwrap();
    assert_eq!(found.len(), ids.len());
    let rows = found.into_iter().map(|place| LoggedRow {
        profile_id: place.id,
        slot: place.slot.unwrap(),
        salt: "bb".to_owned(),
        logged: "other".to_owned(),
    });
    log.put_rows(&rows.collect::<Vec<_>>()).await.unwrap();
    let tiles = log
        .tiles(Tree::Rows, levels.clone(), places.clone())
        .await
        .unwrap();
    assert_eq!(tiles.len(), ids.len() / 2);
    let tile = |tile: &i64| StoredTile {
        level: 0,
        tile: *tile,
        hashes: "bb".to_owned(),
    };
    let tiles: Vec<StoredTile> = places.iter().map(tile).collect();
    log.put_tiles(Tree::Rows, &tiles).await.unwrap();
    log.put_entry(0, "entry").await.unwrap();
    log.put_rotation(0, "note").await.unwrap();
    let ended = EndedLog {
        number: 1,
        checkpoint: "note".to_owned(),
        verifier_key: None,
    };
    log.put_ended(&ended).await.unwrap();
    assert!(log.put_state(&state()).await.unwrap());
    log.commit().await.unwrap();

    store.log_state().await.unwrap();
    store.log_has_gone_slots().await.unwrap();
    store.logged_rows(&ids).await.unwrap();
    store.log_entries(50_000, 256).await.unwrap();
    store.log_tiles(Tree::Log, levels, places).await.unwrap();
    store.log_rotations().await.unwrap();
    store.ended_log(1).await.unwrap().unwrap();
    assert!(store.note_logged(1, 5).await.unwrap());
    // Looked at, and taken back.
    let mut log = store.hold_log().await.unwrap();
    log.forget_all().await.unwrap();
}

fn state() -> LogState {
    LogState {
        number: 1,
        origin: "reserves.example/log".to_owned(),
        size: 1,
        root: "aa".to_owned(),
        checkpoint: "note".to_owned(),
        verifier_key: "key".to_owned(),
        board_entry: None,
        slots: 100_001,
        changes: 0,
        block: None,
        partial: false,
    }
}
