//! What version 1.0.0 wrote, read by this version, as `.github/SUPPORT.md` promises: a database, the log's folder, a receipt and a proof file.
//! `.scripts/release/version-1.mjs` made them with the program of that version.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use board_log::check;
use board_log::note::VerifierKey;
use board_log::receipt::Receipt;

use crate::board_log::{extends, log, text as log_text};
use crate::support::prelude::*;
use crate::support::process::{ended, run as run_program};

/// The address of the board that wrote the files.
const SITE: &str = "http://localhost:8080";

const ROWS: &str = "/api/rest/v1/profiles";

fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/version-1");
    folder.join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(file(name)).expect("a file of 1.0.0")
}

fn json(name: &str) -> Value {
    serde_json::from_str(&read(name)).expect("JSON")
}

/// Copies of the database and of the log's folder.
async fn copies() -> (TestDatabase, TempDir) {
    let database = TestDatabase::sqlite().await;
    fs::copy(file("board.db"), &database.files()[0]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("1")).unwrap();
    for name in ["1/entries", "1/head.json", "removals"] {
        fs::copy(file("log").join(name), folder.path().join(name)).unwrap();
    }
    (database, folder)
}

/// Fails unless a server of this version shows what 1.0.0 showed, and continues the log.
async fn is_as_before(database: TestDatabase, folder: &Path) {
    let published_log = format!("--published-log={}", folder.display());
    let public_url = format!("--public-url={SITE}");
    let app = TestApp::start(database, &[&published_log, &public_url]).await;
    // A later version may show more of a row.
    let rows = json("rows.json");
    let columns: Vec<_> = rows[0].as_object().unwrap().keys().cloned().collect();
    let shown = format!("{ROWS}?select={}", columns.join(","));
    assert_eq!(app.get(&shown).await.ok().body, rows);
    let proof = json("proof.json");
    let address = format!("/api/functions/v1/proofs/{}", text(&proof["id"]));
    assert_eq!(app.get(&address).await.ok().body, proof);
    let checkpoint = log_text(&app.origin, "checkpoint").await;
    assert_eq!(checkpoint, read("checkpoint.txt"));

    // Later than everything in the log.
    app.state.clock.advance(Clock::System.now() - NOW);
    app.sign_in().await;
    log(&app).await;
    let keys = [read("key.txt").parse::<VerifierKey>().unwrap()];
    let [before, now] = [checkpoint, log_text(&app.origin, "checkpoint").await]
        .map(|note| check::checkpoint(&note, &keys).unwrap());
    assert!(now.size > before.size && extends(&app.origin, &before, &now).await);
}

#[tokio::test]
async fn a_later_version_reads_version_1() {
    let (database, folder) = copies().await;
    is_as_before(database, folder.path()).await;
}

#[tokio::test]
async fn a_later_version_moves_version_1_to_postgresql() {
    let ((old, folder), new) = (copies().await, TestDatabase::postgres().await);
    for (database, environment) in [(&old, "production"), (&new, "development")] {
        if environment == "development" {
            // Only a database of production is moved.
            let from = format!("--database-url={}", old.url);
            run_program(&[&from, "move", &format!("--to={}", new.url)]).done();
        }
        let store = database.store().await;
        let mode = format!("update instance set environment = '{environment}'");
        execute(&store, mode).await;
        store.close().await;
    }
    is_as_before(new, folder.path()).await;
}

#[test]
fn a_receipt_of_version_1_is_right() {
    let keys = [read("key.txt").parse::<VerifierKey>().unwrap()];
    let receipt = Receipt::read(&read("receipt.tlog-proof")).unwrap();
    let row = serde_json::to_value(&receipt.check(&keys).unwrap().row).unwrap();
    let rows = json("rows.json");
    let ids = rows.as_array().unwrap().iter().map(|it| &it["id"]);
    assert!(ids.collect::<Vec<_>>().contains(&&row["id"]), "{row}");
}

/// With the npm package, which looks no coins up without a chain source.
#[test]
fn the_signatures_of_a_proof_file_of_version_1_are_valid() {
    let cli = concat!(env!("CARGO_MANIFEST_DIR"), "/../../psbt-wasm/pkg/cli.js");
    let mut node = Command::new("node");
    let checked = ended(
        node.arg(cli)
            .arg("verify")
            .arg(file("proof.json"))
            .arg("--json"),
    );
    let report: Value = serde_json::from_str(&checked.out).expect("a report");
    assert_eq!(report["result"], "unchecked", "{report}");
    assert_eq!(report["signedFor"], "localhost:8080");
    let coins = json("proof.json")["inputs"].as_array().unwrap().len();
    assert_eq!(report["validSignatures"], coins, "{report}");
}
