//! The append-only log: a stranger's checks over HTTP, with their own arithmetic.

use api::board_log::begin::{begin_again, rotate};
use api::board_log::folder::Folder;
use api::board_log::trees::Trees;
use audit::log::LogError;
use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use board_log::check::{self, CheckError};
use board_log::checkpoint::Checkpoint;
use board_log::note::{self, NoteError, Signer, VerifierKey};
use board_log::receipt::Receipt;
use board_log::snapshot::Snapshot;
use board_log::tree;
use ct_merkle::mem_backed_tree::MemoryBackedTree;
use flate2::read::GzDecoder;
use sha2::Sha256;

use crate::support::prelude::*;

mod believed;
mod blocks;
mod old_copies;
mod receipts;
mod restored;
mod witnesses;

on_both!(
    a_process_that_outlives_its_database_goes_on_signing,
    strangers_can_check_every_entry,
    a_withdrawn_row_leaves_only_its_hash,
    a_new_key_is_signed_by_the_one_before,
    the_log_is_written_on_the_only_connection
);

type Tree = MemoryBackedTree<Sha256, Vec<u8>>;

/// Follows the chain to its newest block, and adds the entries that are due.
pub(crate) async fn log(app: &TestApp) {
    app.caught_up().await;
    let followed = app
        .state
        .proving
        .follower
        .advance(api::chain_follower::ALL)
        .await;
    followed.unwrap();
    while app.state.board_log.step().await.unwrap() == Next::AtOnce {}
}

/// The resource at an address of the log at `origin`; `None` for 404.
async fn get(origin: &str, path: &str) -> Option<Vec<u8>> {
    let response = http_client().get(format!("{origin}/log/{path}")).send();
    let response = response.await.unwrap();
    if response.status() == StatusCode::NOT_FOUND {
        return None;
    }
    assert_eq!(response.status(), 200, "{path}");
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    Some(response.bytes().await.unwrap().to_vec())
}

pub(super) async fn text(origin: &str, path: &str) -> String {
    let bytes = get(origin, path).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

pub(super) async fn key(origin: &str) -> VerifierKey {
    text(origin, "key").await.parse().unwrap()
}

/// The rest of the path of a tile or a bundle that is this wide.
fn part(width: u64) -> String {
    match width {
        256 => String::new(),
        width => format!(".p/{width}"),
    }
}

/// The newest checkpoint and its entries; root and signature are computed here.
async fn whole_log(origin: &str) -> (u64, Vec<Value>) {
    whole_log_at(origin, "").await
}

/// The same for a later log below this address.
async fn whole_log_at(origin: &str, below: &str) -> (u64, Vec<Value>) {
    let note = text(origin, &format!("{below}checkpoint")).await;
    let (signed, signature) = note.split_once("\n\n").unwrap();
    let signed = format!("{signed}\n");
    let lines: Vec<&str> = signed.lines().collect();
    let [name, size, root] = lines[..] else {
        panic!("{note}");
    };
    // Witnesses add their signatures after the log's.
    let signature = signature.lines().next().unwrap().split(' ').nth(2);
    let signature = STANDARD.decode(signature.unwrap()).unwrap();
    let key = text(origin, &format!("{below}key")).await;
    let parts: Vec<&str> = key.trim_end().splitn(3, '+').collect();
    assert_eq!(parts[..2], [name, &hex::encode(&signature[..4])]);
    let key = STANDARD.decode(parts[2]).unwrap();
    let verified = UnparsedPublicKey::new(&ED25519, &key[1..]);
    let verified = verified.verify(signed.as_bytes(), &signature[4..]);
    verified.expect("a good signature");

    let size: u64 = size.parse().unwrap();
    let (mut tree, mut entries) = (Tree::new(), Vec::new());
    for first in (0..size).step_by(256) {
        let place = format!("{:03}{}", first / 256, part((size - first).min(256)));
        let bundle = get(origin, &format!("{below}tile/entries/{place}")).await;
        let mut bundle = &bundle.unwrap()[..];
        while let Some((length, rest)) = bundle.split_first_chunk() {
            let (entry, rest) = rest.split_at(u16::from_be_bytes(*length).into());
            tree.push(entry.to_vec());
            entries.push(serde_json::from_slice(entry).unwrap());
            bundle = rest;
        }
    }
    assert_eq!(tree.len(), size);
    assert_eq!(STANDARD.encode(tree.root().as_bytes()), root);
    (size, entries)
}

async fn entries(app: &TestApp) -> Vec<Value> {
    whole_log(&app.origin).await.1
}

/// The lines of the newest snapshot as served, and the root in its entry: the one computed here, until a row is withdrawn.
async fn snapshot(app: &TestApp) -> (Vec<Value>, Value) {
    let entries = entries(app).await;
    let newest = entries.iter().rposition(|it| it["kind"] == "board");
    let number = newest.unwrap();
    let text = text(&app.origin, &format!("snapshot/{number}")).await;
    let mut lines = text.strip_suffix('\n').unwrap().split('\n');
    let header: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    let (mut tree, mut rows) = (Tree::new(), Vec::<Value>::new());
    for line in lines {
        tree.push(line.as_bytes().to_vec());
        rows.push(serde_json::from_str(line).unwrap());
    }
    let said = ["format", "entry", "rows"].map(|name| &header[name]);
    let expected = json!(["proof-of-reserves/snapshot/1", number, rows.len()]);
    assert_eq!(json!(said), expected);
    let entry = &entries[number];
    assert_eq!(entry["rows"], json!(rows.len()));
    if rows.iter().all(|row| row["withdrawn"].is_null()) {
        assert_eq!(entry["root"], hex::encode(tree.root().as_bytes()));
    }
    (rows, entry["root"].clone())
}

/// Waits until the log below this address has this many entries.
pub(super) async fn grows_to(origin: &str, below: &str, size: u64) {
    let has_grown = async || whole_log_at(origin, below).await.0 >= size;
    wait_until("logging", has_grown).await;
}

/// A new user, whom the log records.
async fn join(app: &TestApp) -> Person<'_> {
    let person = app.sign_in().await;
    log(app).await;
    person
}

/// As at a promoted standby that lacks an entry which was never shown.
async fn a_process_that_outlives_its_database_goes_on_signing(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    join(&app).await;
    let (tables, store) = (["log_state", "log_issued", "log_lines"], &app.state.store);
    for table in tables {
        execute(
            store,
            format!("create table old_{table} as select * from {table}"),
        )
        .await;
    }
    join(&app).await;
    let (lost, _) = whole_log(&app.origin).await;
    for table in tables {
        execute(store, format!("delete from {table}")).await;
        let put = format!("insert into {table} select * from old_{table}");
        execute(store, put).await;
    }
    let lose = format!("delete from log_entries where number = {}", lost - 1);
    execute(store, lose).await;
    join(&app).await;
    assert_eq!(whole_log(&app.origin).await.0, lost);
    snapshot(&app).await;
}

async fn strangers_can_check_every_entry(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let (size, entries) = whole_log(&app.origin).await;
    assert_eq!((size, &entries[0]["kind"]), (1, &json!("begin")));
    let mut people = Vec::new();
    for round in 1..=3 {
        people.push(app.sign_in().await);
        people.push(join(&app).await);
        let (size, entries) = whole_log(&app.origin).await;
        // The first entry names the files of the pages that check proofs.
        assert_eq!((size, &entries[1]["kind"]), (round + 2, &json!("page")));
        let newest = entries.last().unwrap();
        let said = ["kind", "height", "rows"].map(|name| &newest[name]);
        assert_eq!(json!(said), json!(["board", 1_000, people.len()]));
        assert_eq!(snapshot(&app).await.0.len(), people.len());
    }
    // Hidden changes have no entry.
    log(&app).await;
    assert_eq!(whole_log(&app.origin).await.0, 5);
    let (one, other) = (&people[0], &people[1]);
    one.proves("wallet_verification.psbt").await;
    log(&app).await;
    assert_eq!(whole_log(&app.origin).await.0, 6);
    assert_eq!(snapshot(&app).await.0.len(), 6);

    // Only signed parts, and only in their exact spelling.
    let others = "tile/0/000.p/7 tile/0/000 tile/1/000.p/1 tile/entries/000.p/7 tile/0/0.p/1 tile/entries/001.p/1
                  snapshot/4 snapshot/6 snapshot/05 2/snapshot/5 nothing";
    for path in others.split_whitespace() {
        assert_eq!(get(&app.origin, path).await, None, "{path}");
    }
    let gzip = [("accept-encoding", "gzip, deflate, br, zstd")];
    let gzip = app.get_with("/log/snapshot/5", &gzip).await;
    assert_eq!(gzip.header("content-encoding"), "gzip");
    let whole = std::io::read_to_string(GzDecoder::new(&gzip.bytes[..]));
    assert_eq!(whole.unwrap(), text(&app.origin, "snapshot/5").await);
    let tile = get(&app.origin, "tile/0/000.p/5").await.unwrap();
    let part = get(&app.origin, "tile/0/000.p/2").await.unwrap();
    assert_eq!((tile.len(), part), (5 * 32, tile[..64].to_vec()));

    // Each user gets only their own row.
    let keys = [key(&app.origin).await];
    for (person, sats) in [(one, json!(125_000_000)), (other, Value::Null)] {
        let shown = receipt(&app, person, &keys).await;
        assert_eq!((&shown["id"], &shown["sats"]), (&json!(person.id), &sats));
    }
    assert_eq!(app.get(RECEIPT).await.status, 401);
    let ids = format!("receipts?ids={},{},nobody", one.id, other.id);
    let receipts: Value = serde_json::from_str(&text(&app.origin, &ids).await).unwrap();
    assert_eq!(receipts.as_object().map(|it| it.len()), Some(3));
    assert_eq!(receipts["nobody"], Value::Null);
    let text = receipts[&other.id].as_str().unwrap();
    let shown = Receipt::read(text).and_then(|receipt| receipt.check(&keys));
    assert_eq!(shown.unwrap().row.id, other.id);
    let late = app.sign_in().await;
    assert_eq!(late.get(RECEIPT).await.status, 404);
}

const RECEIPT: &str = "/api/functions/v1/receipt";

/// The row in a user's receipt, after the receipt has been verified.
async fn receipt(app: &TestApp, person: &Person<'_>, keys: &[VerifierKey]) -> Value {
    app.caught_up().await;
    let response = person.get(RECEIPT).await;
    assert_eq!(response.status, 200);
    let shown = Receipt::read(&response.text()).and_then(|receipt| receipt.check(keys));
    let shown = shown.unwrap();
    assert_eq!(shown.height, 1_000);
    serde_json::to_value(&shown.row).unwrap()
}

async fn a_withdrawn_row_leaves_only_its_hash(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let [leaving, hiding, staying] = app.sign_in_three().await;
    hiding.proves("wallet_verification.psbt").await;
    log(&app).await;
    let (before, root) = snapshot(&app).await;
    let line = before.iter().find(|row| row["id"] == leaving.id).unwrap();
    let salt = crate::support::text(&line["salt"]);
    let store = &app.state.store;
    assert!(store.delete_profile(&leaving.id, NOW).await.unwrap());
    for shown_as in [ShownAs::Range, ShownAs::Exact] {
        app.show_as(&hiding.id, shown_as).await;
    }
    // The row disappears at once from the snapshot and the download, without a new entry.
    let newest = entries(&app).await.len() - 1;
    let (read, text) = committed(&app, newest).await;
    assert_eq!((read.withdrawn, read.rows.len()), (2, 1));
    assert_eq!(snapshot(&app).await.1, root);
    for gone in [&leaving.id, &hiding.id] {
        assert!(!text.contains(gone.as_str()), "{gone}");
        let receipt = app.state.board_log.receipt(gone).await.unwrap();
        assert_eq!(receipt, None);
        let csv = app.get("/api/functions/v1/board.csv").await.text();
        assert!(!csv.contains(gone.as_str()), "{csv}");
    }
    if let Database::Sqlite(_) = store.database() {
        execute(store, "pragma wal_checkpoint(truncate)").await;
        let file = "select file from pragma_database_list";
        let file = texts(store.database(), file).await.remove(0);
        let bytes = std::fs::read(file).unwrap();
        for text in [&salt, &leaving.id] {
            let found = memchr::memmem::find(&bytes, text.as_bytes());
            assert_eq!(found, None, "{text}");
        }
    }
    // The remaining user can prove the row, before and after the next entry, which has no withdrawn rows.
    let keys = [key(&app.origin).await];
    receipt(&app, &staying, &keys).await;
    log(&app).await;
    let (rows, _) = snapshot(&app).await;
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row["withdrawn"].is_null()));
    receipt(&app, &staying, &keys).await;
}

/// The snapshot of an entry, to whose root it must be true, and its text.
async fn committed(app: &TestApp, number: usize) -> (Snapshot, String) {
    let entry = serde_json::from_value(entries(app).await[number].clone()).unwrap();
    let checkpoint = text(&app.origin, "checkpoint").await;
    let site = checkpoint.lines().next().unwrap();
    let text = text(&app.origin, &format!("snapshot/{number}")).await;
    let read = Snapshot::read(text.as_bytes()).expect("a snapshot");
    let checked = read.check(site, number as u64, &entry);
    checked.expect("the root of the entry");
    (read, text)
}

/// Other writers that wait for the log may hold all other connections.
async fn the_log_is_written_on_the_only_connection(database: TestDatabase) {
    let store = Store::connect_with(&database.url, 1).await.unwrap();
    let (trees, folder) = (|| Trees::new(store.clone()), Folder::default());
    let begin = async || begin_again(&trees(), "a/log", &folder, &[], "test", NOW).await;
    assert_eq!(begin().await.unwrap(), "a/log");
    rotate(&trees(), &folder, NOW).await.unwrap();
    assert_eq!(begin().await.unwrap(), "a/log/2");
}

async fn a_new_key_is_signed_by_the_one_before(database: TestDatabase) {
    let url = database.url.clone();
    let app = TestApp::start(database, &[]).await;
    let person = join(&app).await;
    let old = [key(&app.origin).await];
    let seen = check::checkpoint(&text(&app.origin, "checkpoint").await, &old);
    let seen = seen.unwrap();
    operate(&url, &["rotate-log-key"]);
    log(&app).await;

    let new = key(&app.origin).await;
    let rotations = text(&app.origin, "rotations").await;
    let rotations: Vec<String> = serde_json::from_str(&rotations).unwrap();
    let keys = check::keys(&old[..1], &rotations).unwrap();
    assert_eq!(keys, [old[0].clone(), new.clone()]);
    assert_ne!(keys[0], keys[1]);
    // Both have signed the checkpoint of the rotation; only the new key signs the next one.
    let note = text(&app.origin, "checkpoint").await;
    for key in &keys {
        check::checkpoint(&note, std::slice::from_ref(key)).unwrap();
    }
    join(&app).await;
    let (size, entries) = whole_log(&app.origin).await;
    assert_eq!((size, &entries[3]["kind"]), (5, &json!("key")));
    assert_eq!(entries[3]["key"], json!(new.to_string()));
    let note = text(&app.origin, "checkpoint").await;
    let stranger = check::checkpoint(&note, &old);
    assert_matches!(stranger, Err(CheckError::Note(_)));
    let now = check::checkpoint(&note, &keys).unwrap();
    assert!(extends(&app.origin, &seen, &now).await, "the same log");
    receipt(&app, &person, &[new]).await;

    // A note that the old key has not signed announces no key.
    let forged = rotations[0].lines().collect::<Vec<_>>();
    let without_old = [&forged[..5], &forged[6..]].concat().join("\n") + "\n";
    check::keys(&old[..1], &[without_old]).expect_err("it is not signed by the old key");
}

/// Whether the log at `origin` has only grown: the hashes in its tiles lead to both roots.
pub(super) async fn extends(origin: &str, before: &Checkpoint, now: &Checkpoint) -> bool {
    let mut tree = tree::Tree::default();
    for first in (0..now.size).step_by(256) {
        let place = format!("{:03}{}", first / 256, part((now.size - first).min(256)));
        let tile = get(origin, &format!("tile/0/{place}")).await.unwrap();
        tree.extend(tile.as_chunks().0.iter().copied());
    }
    [before, now]
        .iter()
        .all(|it| tree.root_at(it.size) == Some(it.root))
}
