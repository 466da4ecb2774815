//! The append-only log: what strangers can check of it, over HTTP, with arithmetic of their own.

use std::collections::BTreeMap;

use api::jobs::next::Next;
use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use board_log::check::{self, CheckError};
use board_log::note::VerifierKey;
use board_log::receipt::Receipt;
use board_log::tree::{TileId, Tiles};
use ct_merkle::mem_backed_tree::MemoryBackedTree;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::Sha256;
use store::Database;

use crate::support::app::TestApp;
use crate::support::database::{TestDatabase, on_both};
use crate::support::http_client;

mod auditing;
mod believed;
mod blocks;
mod long;
mod old_copies;
mod receipts;
mod rewriting;
mod scale;
mod upgraded;

on_both!(
    strangers_can_check_every_entry,
    a_row_that_is_deleted_takes_its_salt_along,
    a_new_key_is_signed_by_the_one_before
);

type Tree = MemoryBackedTree<Sha256, Vec<u8>>;

/// Adds the entries that are due.
async fn log(app: &TestApp) {
    app.caught_up().await;
    app.state.follower.step().await.expect("it is followed");
    while app.state.history.step().await.expect("it is logged") == Next::AtOnce {}
}

/// What stands at an address of the log at `origin`; none when nothing does.
async fn get(origin: &str, path: &str) -> Option<Vec<u8>> {
    let response = http_client().get(format!("{origin}/log/{path}")).send();
    let response = response.await.expect("an answer");
    if response.status() == StatusCode::NOT_FOUND {
        return None;
    }
    assert_eq!(response.status(), 200, "{path}");
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    Some(response.bytes().await.expect("a body").to_vec())
}

pub(super) async fn text(origin: &str, path: &str) -> String {
    let bytes = get(origin, path).await.expect("it is there");
    String::from_utf8(bytes).expect("text")
}

pub(super) async fn key(origin: &str) -> VerifierKey {
    text(origin, "key").await.parse().expect("a key")
}

/// The newest checkpoint and the entries that it is over, whose root and signature are computed here.
async fn whole_log(origin: &str) -> (u64, Vec<Value>) {
    whole_log_at(origin, "").await
}

/// The same of a later log, which is below this.
async fn whole_log_at(origin: &str, below: &str) -> (u64, Vec<Value>) {
    let note = text(origin, &format!("{below}checkpoint")).await;
    let (signed, signature) = note.split_once("\n\n").expect("a note");
    let signed = format!("{signed}\n");
    let lines: Vec<&str> = signed.lines().collect();
    let [name, size, root] = lines[..] else {
        panic!("{note}");
    };
    let signature = signature.split(' ').nth(2).expect("a signature").trim_end();
    let signature = STANDARD.decode(signature).expect("base64");
    let key = text(origin, &format!("{below}key")).await;
    let mut parts = key.trim_end().splitn(3, '+');
    assert_eq!(parts.next(), Some(name));
    assert_eq!(parts.next(), Some(&*hex::encode(&signature[..4])));
    let key = STANDARD
        .decode(parts.next().expect("a key"))
        .expect("base64");
    UnparsedPublicKey::new(&ED25519, &key[1..])
        .verify(signed.as_bytes(), &signature[4..])
        .expect("a good signature");

    let size: u64 = size.parse().expect("a number");
    let (mut tree, mut entries) = (Tree::new(), Vec::new());
    for first in (0..size).step_by(256) {
        let width = (size - first).min(256);
        let part = if width < 256 {
            format!(".p/{width}")
        } else {
            String::new()
        };
        let place = format!("{:03}{part}", first / 256);
        let bundle = get(origin, &format!("{below}tile/entries/{place}")).await;
        let mut bundle = &bundle.expect("entries")[..];
        while let Some((length, rest)) = bundle.split_first_chunk() {
            let (entry, rest) = rest.split_at(u16::from_be_bytes(*length).into());
            tree.push(entry.to_vec());
            entries.push(serde_json::from_slice(entry).expect("JSON"));
            bundle = rest;
        }
    }
    assert_eq!(tree.len(), size);
    let computed = tree.root();
    assert_eq!(STANDARD.encode(computed.as_bytes()), root);
    (size, entries)
}

/// The root over the rows as the database has them, which nobody outside can compute.
async fn rows_root(app: &TestApp) -> (usize, String) {
    const ROWS: &str = "select slot, salt, logged from log_rows order by slot";
    let rows: Vec<(i64, String, String)> = match app.state.store.database() {
        Database::Sqlite(pool) => sqlx::query_as(ROWS).fetch_all(pool).await,
        Database::Postgres(pool) => sqlx::query_as(ROWS).fetch_all(pool).await,
    }
    .expect("rows");
    let rows: BTreeMap<i64, Vec<u8>> = rows
        .into_iter()
        .map(|(slot, salt, row)| (slot, [hex::decode(salt).expect("hex"), row.into()].concat()))
        .collect();
    let state = app
        .state
        .store
        .log_state()
        .await
        .expect("a database")
        .expect("a log");
    let mut tree = Tree::new();
    for slot in 0..state.slots {
        tree.push(rows.get(&slot).cloned().unwrap_or_else(|| b"gone".to_vec()));
    }
    (rows.len(), hex::encode(tree.root().as_bytes()))
}

async fn strangers_can_check_every_entry(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let (size, entries) = whole_log(&app.origin).await;
    assert_eq!((size, &entries[0]["kind"]), (1, &json!("begin")));
    let mut people = Vec::new();
    for round in 1..=3 {
        for _ in 0..2 {
            people.push(app.sign_in().await);
        }
        log(&app).await;
        let (size, entries) = whole_log(&app.origin).await;
        assert_eq!(size, round + 1);
        let newest = entries.last().expect("an entry");
        let root = rows_root(&app).await;
        assert_eq!(newest["kind"], "board");
        assert_eq!(newest["height"], 1_000);
        assert_eq!(newest["complete"], true);
        assert_eq!(newest["rows"], json!(people.len()));
        assert_eq!(
            (people.len(), newest["rows_root"].as_str()),
            (root.0, Some(&*root.1))
        );
    }
    // What nobody can see has no entry.
    log(&app).await;
    assert_eq!(whole_log(&app.origin).await.0, 4);
    let (one, other) = (&people[0], &people[1]);
    let file = one.sample("wallet_verification.psbt").await;
    assert_eq!(one.submit(&file).await.status, 200);
    log(&app).await;
    let (size, entries) = whole_log(&app.origin).await;
    assert_eq!((size, &entries[4]["rows"]), (5, &json!(6)));
    assert_eq!(rows_root(&app).await.1, entries[4]["rows_root"]);

    // Only what has been signed, and in no other spelling.
    for path in [
        "tile/0/000.p/6",
        "tile/0/000",
        "tile/1/000.p/1",
        "tile/entries/000.p/6",
        "tile/0/0.p/1",
        "tile/entries/001.p/1",
        "nothing",
    ] {
        assert_eq!(get(&app.origin, path).await, None, "{path}");
    }
    let tile = get(&app.origin, "tile/0/000.p/5").await.expect("a tile");
    assert_eq!(tile.len(), 5 * 32);
    assert_eq!(
        get(&app.origin, "tile/0/000.p/2").await.expect("a tile"),
        tile[..64]
    );

    // Each has their own row, and no other.
    let shown = receipt(&app, one, &[key(&app.origin).await])
        .await
        .expect("a receipt");
    assert_eq!(shown["holdings_sats"], 125_000_000);
    assert_eq!(shown["id"], json!(one.id));
    let shown = receipt(&app, other, &[key(&app.origin).await])
        .await
        .expect("a receipt");
    assert_eq!(
        (&shown["id"], &shown["holdings_sats"]),
        (&json!(other.id), &Value::Null)
    );
    assert_eq!(app.get("/api/functions/v1/receipt").await.status, 401);
    let late = app.sign_in().await;
    let answer = late.get("/api/functions/v1/receipt").await;
    assert_eq!(answer.status, 404, "{answer:?}");
}

/// The row in somebody's receipt, once it has been checked.
async fn receipt(
    app: &TestApp,
    person: &crate::support::app::Person<'_>,
    keys: &[VerifierKey],
) -> Result<Value, CheckError> {
    app.caught_up().await;
    let request = person.request(Method::GET, "/api/functions/v1/receipt");
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), 200);
    let shown = Receipt::read(&response.text().await.expect("text"))?.check(keys)?;
    assert_eq!(shown.height, 1_000);
    Ok(serde_json::from_str(&shown.row).expect("JSON"))
}

async fn a_row_that_is_deleted_takes_its_salt_along(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let (leaving, staying) = (app.sign_in().await, app.sign_in().await);
    log(&app).await;
    let store = &app.state.store;
    let ids = [leaving.id.as_str(), staying.id.as_str()];
    let before = store.logged_rows(&ids).await.expect("rows");
    assert_eq!(before.len(), 2);
    assert_ne!(before[0].salt, before[1].salt);
    assert!(store.delete_profile(&leaving.id).await.expect("a database"));
    // At once, and nowhere else.
    let left = store.logged_rows(&ids).await.expect("rows");
    assert_eq!(left.len(), 1);
    let gone = before
        .iter()
        .find(|row| row.profile_id == leaving.id)
        .expect("a row");
    if let Database::Sqlite(pool) = store.database() {
        sqlx::query("pragma wal_checkpoint(truncate)")
            .execute(pool)
            .await
            .expect("emptied");
        let (_, _, file): (i64, String, String) = sqlx::query_as("pragma database_list")
            .fetch_one(pool)
            .await
            .expect("a file");
        let bytes = std::fs::read(file).expect("a file");
        for text in [&gone.salt, &leaving.id] {
            assert!(
                memchr::memmem::find(&bytes, text.as_bytes()).is_none(),
                "{text}"
            );
        }
    }
    // The one who stays can prove the row all the same, before and after the log has said it.
    let keys = [key(&app.origin).await];
    receipt(&app, &staying, &keys).await.expect("a receipt");
    log(&app).await;
    let (size, entries) = whole_log(&app.origin).await;
    assert_eq!((size, &entries[2]["rows"]), (3, &json!(2)));
    assert_eq!(entries[2]["rows_root"], json!(rows_root(&app).await.1));
    receipt(&app, &staying, &keys).await.expect("a receipt");
}

async fn a_new_key_is_signed_by_the_one_before(database: TestDatabase) {
    let url = database.url.clone();
    let app = TestApp::start(database, &[]).await;
    let person = app.sign_in().await;
    log(&app).await;
    let old = key(&app.origin).await;
    let seen = check::checkpoint(
        &text(&app.origin, "checkpoint").await,
        std::slice::from_ref(&old),
    );
    let seen = seen.expect("a checkpoint");
    let arguments = [
        "--app-env=development",
        &format!("--database-url={url}"),
        "rotate-log-key",
    ];
    let rotated = crate::support::process::run(&arguments);
    assert!(rotated.status.success(), "{rotated:?}");

    let new = key(&app.origin).await;
    assert_ne!(old, new);
    let rotations = text(&app.origin, "rotations").await;
    let rotations: Vec<String> = serde_json::from_str(&rotations).expect("JSON");
    let keys = check::keys(&old, &rotations).expect("keys");
    assert_eq!(keys, [old.clone(), new.clone()]);
    // Both have signed the checkpoint that says so; the next one is the new key's alone.
    let note = text(&app.origin, "checkpoint").await;
    for key in &keys {
        check::checkpoint(&note, std::slice::from_ref(key)).expect("a checkpoint");
    }
    app.sign_in().await;
    log(&app).await;
    let (size, entries) = whole_log(&app.origin).await;
    assert_eq!((size, &entries[2]["kind"]), (4, &json!("key")));
    assert_eq!(entries[2]["key"], json!(new.to_string()));
    let note = text(&app.origin, "checkpoint").await;
    let stranger = check::checkpoint(&note, std::slice::from_ref(&old));
    assert!(matches!(stranger, Err(CheckError::Note(_))), "{stranger:?}");
    let now = check::checkpoint(&note, &keys).expect("a checkpoint");
    let tiles = tiles_between(&app.origin, seen.size, now.size).await;
    check::consistency(&seen, &now, &tiles).expect("the same log");
    receipt(&app, &person, &[new]).await.expect("a receipt");

    // A note that the old key has not signed leads nowhere.
    let forged = rotations[0].lines().collect::<Vec<_>>();
    let without_old = [&forged[..5], &forged[6..]].concat().join("\n") + "\n";
    check::keys(&old, &[without_old]).expect_err("it is not signed by the old key");
}

/// The tiles that show that the log at `origin` has only grown.
pub(super) async fn tiles_between(origin: &str, before: u64, now: u64) -> Tiles {
    let mut tiles = Tiles::default();
    for id in check::tiles_for(before, now).expect("it has grown") {
        let TileId { level, index } = id;
        let width = id.width(now);
        let part = if width < 256 {
            format!(".p/{width}")
        } else {
            String::new()
        };
        let tile = get(origin, &format!("tile/{level}/{index:03}{part}")).await;
        let hashes = tile.expect("a tile").as_chunks().0.to_vec();
        tiles.add(id, hashes);
    }
    tiles
}
