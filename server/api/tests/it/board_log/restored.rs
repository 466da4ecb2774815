//! A restored copy of the database continues the log, without what was removed since (decisions, D24).

use std::fs;
use std::path::PathBuf;

use api::app::App;
use api::board_log::BoardLogError;
use api::config::Config;
use audit::Site;
use audit::log::{self as audit_log, Look, Seen};
use clap::Parser;

use super::*;
use crate::support::process::{Ended, run as run_program};
use crate::support::witness::Witness;

on_both!(
    restore_log_after_a_lost_hour_causes_no_alarm,
    the_next_entry_waits_for_the_chain,
    only_a_whole_copy_of_this_log_is_restored,
    a_copy_from_before_a_new_key_cannot_continue,
    a_witness_that_knows_more_stops_a_survivor,
    a_torn_line_is_repaired_and_no_checkpoint_precedes_the_folder,
);

/// The folder of a server's log.
struct Outside(TempDir);

impl Outside {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> String {
        self.0.path().display().to_string()
    }

    fn setting(&self) -> String {
        format!("--published-log={}", self.path())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The same files in another folder.
    fn copy(&self) -> Self {
        let other = Self::new();
        for name in ["1/entries", "1/head.json", "removals"] {
            if let Ok(content) = fs::read(self.file(name)) {
                fs::create_dir_all(other.file("1")).unwrap();
                fs::write(other.file(name), content).unwrap();
            }
        }
        other
    }
}

/// Runs `restore-log` on this database.
fn restore(database: &TestDatabase, folders: &[&Outside]) -> Ended {
    let url = format!("--database-url={}", database.url);
    let folders: Vec<String> = folders.iter().map(|it| it.path()).collect();
    let command = ["--app-env=development", &url, "restore-log"];
    let folders = folders.iter().map(String::as_str);
    run_program(&command.into_iter().chain(folders).collect::<Vec<_>>())
}

/// Why no server starts on this database.
async fn refusal(database: &TestDatabase, outside: &Outside) -> String {
    let url = format!("--database-url={}", database.url);
    let setting = outside.setting();
    let arguments = ["server", "--app-env=development", &url, &setting];
    let config = Config::parse_from(arguments);
    let started = App::start(config, Clock::manual(NOW), false).await;
    started.expect_err("it does not start").to_string()
}

/// What a browser or an audit sees of the log that it has seen before.
async fn look(origin: &str, seen: Option<&Seen>) -> Result<Look, LogError> {
    let site = Site::new(&origin.parse().unwrap(), http_client(), Duration::ZERO);
    audit_log::look(&site.unwrap(), seen, None).await
}

async fn restore_log_after_a_lost_hour_causes_no_alarm(database: TestDatabase) {
    let witness = Witness::start("one.example/w").await;
    let outside = Outside::new();
    let witnesses = format!("--witnesses={}", witness.setting());
    let outside_setting = outside.setting();
    let settings = [&*outside_setting, &*witnesses];
    let mut server = ServerProcess::start(&database.url, &settings).await;
    witness.register(&text(&server.origin, "key").await);
    let leaving = server.sign_in().await;
    let (hiding, showing, blocked) = (
        server.sign_in().await,
        server.sign_in().await,
        server.sign_in().await,
    );
    hiding.proves("self-transfer.psbt").await;
    let file = showing.sample("self-transfer.psbt").await;
    let published = showing.upload(&file, true).await.ok();
    assert_eq!(published.body["published"], true, "{published:?}");
    let proofs = server.get("/api/functions/v1/proofs").await.body;
    let proof = format!(
        "/api/functions/v1/proofs/{}",
        crate::support::text(&proofs["proofs"][0]["id"])
    );
    grows_to(&server.origin, "", 3).await;
    let backup = database.copy().await;
    let unchanged = look(&server.origin, None).await.unwrap().seen;

    // An hour with entries, removals and a new user.
    assert_eq!(leaving.delete_account().await.status, 200);
    // The answer came after the list was on the disk.
    let list = fs::read_to_string(outside.file("removals")).unwrap();
    assert_eq!(list.lines().count(), 1, "{list}");
    assert!(!list.contains(&leaving.id));
    let mode = fs::metadata(outside.file("removals")).unwrap();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777,
        0o600
    );
    assert_eq!(
        hiding.change(json!({"shown_as": "range"})).await.status,
        204
    );
    assert_eq!(showing.delete(&proof).await.status, 204);
    operate(&database.url, &["block", &blocked.id]);
    let removed = async || {
        fs::read_to_string(outside.file("removals"))
            .unwrap()
            .lines()
            .count()
            == 4
    };
    wait_until("writing the list", removed).await;
    let (size, _) = whole_log(&server.origin).await;
    server.sign_in().await;
    grows_to(&server.origin, "", size + 1).await;
    let number = |answer: &Answer| answer.header("board-number").parse::<i64>().unwrap();
    let list = "/api/rest/v1/profiles?select=id&limit=100";
    let number_before = number(&server.get(list).await);
    server.stop().await;
    let last: Value =
        serde_json::from_slice(&fs::read(outside.file("1/head.json")).unwrap()).unwrap();
    let kept = check::unsigned(last["checkpoint"].as_str().unwrap()).unwrap();

    // The database is lost, and the copy replaces it.
    has(
        &refusal(&backup, &outside).await,
        &["old copy", "`restore-log"],
    );
    let said = restore(&backup, &[&outside]).done();
    has(&said, &["Removed again: 4"]);
    let server = ServerProcess::start_again(server.address, &backup.url, &settings).await;
    assert_eq!(server.get(&proof).await.status, 404);
    assert!(!server.is_in(&blocked.token).await);
    assert!(!server.is_in(&leaving.token).await);
    let rows = server.get(list).await;
    assert!(!rows.text().contains(&leaving.id), "{rows:?}");
    assert!(
        number(&rows) > number_before + 1_000_000,
        "clients never take an old row for a new one"
    );
    let row = server.get(&hiding.row()).await.body[0].take();
    assert_eq!(row["shown_as"], "range", "{row}");
    let asked = async || server.get("/log/checkpoint").await.status == 200;
    wait_until("asking the witnesses", asked).await;
    // One entry more than before, due or not, and everyone who saw the log sees it go on.
    grows_to(&server.origin, "", kept.size + 1).await;
    let now = look(&server.origin, Some(&unchanged))
        .await
        .expect("the same log");
    let checkpoint = check::checkpoint(&now.seen.checkpoint, &now.keys).unwrap();
    assert!(extends(&server.origin, &kept, &checkpoint).await);
    wait_until("cosigning", async || witness.size() > Some(kept.size)).await;
    assert_eq!(server.get("/readyz").await.body["status"], "ok");
}

/// Until the next entry, snapshot and receipts would have rows that do not exist.
async fn the_next_entry_waits_for_the_chain(database: TestDatabase) {
    let node = Node::shared().await;
    let outside = Outside::new();
    let chain = format!("--chain=bitcoind:{}", node.url());
    let proxy = Proxy::start().await;
    let url = format!("--public-url={}", proxy.url);
    let settings = [&*chain, "--network=regtest", &url, &outside.setting()];
    let app = TestApp::start(database.again(), &settings).await;
    join(&app).await;
    let backup = database.copy().await;
    node.mine(2).await;
    join(&app).await;
    let checkpoint = text(&app.origin, "checkpoint").await;
    restore(&backup, &[&outside]).done();

    let app = TestApp::start(backup, &settings).await;
    proxy.stand_before(&app.origin);
    let asked = async |path: &str| {
        let answer = app.get(path).await;
        (answer.status.as_u16(), answer.body["code"].clone())
    };
    let wait = (503, json!("log-restored"));
    // No witness was asked yet.
    assert_eq!(asked("/log/checkpoint").await, wait);
    app.state.board_log.step().await.unwrap();
    for _ in 0..2 {
        app.state.board_log.step().await.unwrap();
        assert_eq!(text(&app.origin, "checkpoint").await, checkpoint);
        let newest = entries(&app).await.len() - 1;
        assert_eq!(asked(&format!("/log/snapshot/{newest}")).await, wait);
        assert_eq!(asked("/log/receipts?ids=a").await, wait);
        assert_eq!(asked("/api/functions/v1/board.csv").await, wait);
    }
    let said = look(&proxy.url, None).await.expect_err("no snapshot");
    assert_matches!(said, LogError::Site(_));
    has(
        &said.to_string(),
        &["/log/snapshot/", "restored from a backup"],
    );
    let before = entries(&app).await.len();
    log(&app).await;
    assert_eq!(entries(&app).await.len(), before + 1);
    snapshot(&app).await;
}

async fn only_a_whole_copy_of_this_log_is_restored(database: TestDatabase) {
    let outside = Outside::new();
    let settings = ["--public-url=http://127.0.0.1:8473", &outside.setting()];
    let app = TestApp::start(database.again(), &settings).await;
    join(&app).await;
    let backup = database.copy().await;
    let early = outside.copy();
    join(&app).await;
    let middle = outside.copy();
    join(&app).await;

    // Folders of another board, cut ones, altered ones, and one that is behind.
    let others = Outside::new();
    let setting = others.setting();
    let other = TestApp::with(&["--public-url=http://127.0.0.1:8474", &setting]).await;
    join(&other).await;
    let altered = |alter: &dyn Fn(String) -> String, name: &str| {
        let copy = outside.copy();
        let content = fs::read_to_string(copy.file(name)).unwrap();
        fs::write(copy.file(name), alter(content)).unwrap();
        copy
    };
    let cut = altered(&|text| text[..text.len() - 30].to_owned(), "1/entries");
    let changed = altered(
        &|text| text.replace("\"rows\":2", "\"rows\":3"),
        "1/entries",
    );
    let strange = altered(
        &|text| {
            let mut head: Value = serde_json::from_str(&text).unwrap();
            let now = check::unsigned(head["checkpoint"].as_str().unwrap()).unwrap();
            let stranger = Signer::read(&now.origin, &Signer::generate().unwrap());
            head["checkpoint"] = json!(note::sign(&now.to_string(), &[&stranger.unwrap()]));
            head.to_string()
        },
        "1/head.json",
    );
    let empty = Outside::new();
    for (folder, parts) in [
        (&others, &["another board", "8474/log", "8473/log"][..]),
        (&cut, &["not a whole copy", "4 entries of 5"]),
        (&changed, &["not a whole copy", "of other entries"]),
        (&strange, &["not signed with the log's key"]),
        (&empty, &["no checkpoint"]),
    ] {
        has(&restore(&backup, &[folder]).failed(), parts);
    }
    // A log under the same name that another server has written.
    let forged = Outside::new();
    let twin = TestApp::start(
        database.alike().await,
        &["--public-url=http://127.0.0.1:8473", &forged.setting()],
    )
    .await;
    for _ in 0..4 {
        join(&twin).await;
    }
    has(
        &restore(&backup, &[&forged]).failed(),
        &["forked", "the database (3 entries", "6 entries"],
    );
    has(
        &restore(&backup, &[&outside, &forged]).failed(),
        &["forked", "(5 entries", "(6 entries"],
    );
    // The refused folders changed nothing. Of folders that continue each other, the longest wins.
    has(
        &refusal(&backup, &outside).await,
        &["has 3 entries", "5 entries"],
    );
    restore(&backup, &[&early, &outside, &middle]).done();
    let state = backup.store().await.log_state().await.unwrap().unwrap();
    assert_eq!(state.size, 5);
    has(
        &restore(&backup, &[&middle]).failed(),
        &["fewer than the 5 in the database"],
    );
    // A removal without an entry is noticed as well.
    let late = database.copy().await;
    let person = app.sign_in().await;
    assert_eq!(person.delete_account().await.status, 200);
    has(
        &refusal(&late, &outside).await,
        &["1 removals", "`restore-log"],
    );
    restore(&late, &[&outside]).done();
}

async fn a_copy_from_before_a_new_key_cannot_continue(database: TestDatabase) {
    let outside = Outside::new();
    let app = TestApp::start(database.again(), &[&outside.setting()]).await;
    join(&app).await;
    let backup = database.copy().await;
    has(
        &operate(&database.url, &["rotate-log-key"]),
        &["Take a backup now"],
    );
    log(&app).await;
    // Neither an entry nor the list of removals keeps it from a new log.
    let person = app.sign_in().await;
    assert_eq!(person.delete_account().await.status, 200);
    let rotated = restore(&backup, &[&outside]).failed();
    has(&rotated, &["lacks that key", "`new-log"]);
    let copied = outside.copy();
    let setting = copied.setting();
    operate(&backup.url, &[&setting, "new-log", "--because=A test."]);
    let again = TestApp::start(backup, &[&setting]).await;
    let rotations = text(&again.origin, "rotations").await;
    assert!(
        rotations.contains(&key(&app.origin).await.to_string()),
        "{rotations}"
    );
    // The private key is nowhere in the folder.
    let mut held = app.state.store.hold_log().await.unwrap();
    let secret = held.key("log").await.unwrap().unwrap();
    drop(held);
    for name in ["1/entries", "1/head.json"] {
        let content = fs::read_to_string(outside.file(name)).unwrap();
        assert!(!content.contains(&secret), "{name}");
    }
    // A copy from before `new-log` cannot continue the new log either.
    let backup = database.copy().await;
    let setting = outside.setting();
    operate(&database.url, &[&setting, "new-log", "--because=A test."]);
    has(
        &restore(&backup, &[&outside]).failed(),
        &["/log/2", "`new-log"],
    );
}

/// The database is lost together with the folder of the replica that wrote last.
async fn a_witness_that_knows_more_stops_a_survivor(database: TestDatabase) {
    let witness = Witness::start("one.example/w").await;
    let outside = Outside::new();
    let (setting, witnesses) = (
        outside.setting(),
        format!("--witnesses={}", witness.setting()),
    );
    let settings = ["--public-url=http://127.0.0.1:8475", &*setting, &*witnesses];
    let app = TestApp::start(database.again(), &settings).await;
    witness.register(&text(&app.origin, "key").await);
    join(&app).await;
    let backup = database.copy().await;
    join(&app).await;
    let survivor = outside.copy();
    join(&app).await;
    assert_eq!(witness.size(), Some(5));
    let url = backup.url.clone();
    restore(&backup, &[&survivor]).done();
    let setting = survivor.setting();
    let settings = ["--public-url=http://127.0.0.1:8475", &*setting, &*witnesses];
    let app = TestApp::start(backup, &settings).await;
    for _ in 0..2 {
        let stopped = app
            .state
            .board_log
            .step()
            .await
            .expect_err("the witness knows more");
        assert_matches!(stopped, BoardLogError::Forked { .. });
        has(&stopped.to_string(), &["`new-log"]);
        // No visitor sees the shorter log.
        let answer = app.get("/log/checkpoint").await;
        assert_eq!(answer.problem(), (503, "log-restored"));
    }
    // The fix that the message names works.
    operate(&url, &[&setting, "new-log", "--because=A disk was lost."]);
    log(&app).await;
    let (_, entries) = whole_log_at(&app.origin, "2/").await;
    assert_eq!(entries[0]["because"], "A disk was lost.");
    assert_eq!(app.get("/log/checkpoint").await.status, 200);
}

/// Also a full disk: nothing can be written where the folder should be.
async fn a_torn_line_is_repaired_and_no_checkpoint_precedes_the_folder(database: TestDatabase) {
    let outside = Outside::new();
    let settings = ["--public-url=http://127.0.0.1:8476", &outside.setting()];
    let app = TestApp::start(database.again(), &settings).await;
    join(&app).await;
    let (file, before) = (
        outside.file("1/entries"),
        text(&app.origin, "checkpoint").await,
    );
    // The entry is committed, and the folder cannot take it.
    let away = outside.file("away");
    fs::rename(outside.file("1"), &away).unwrap();
    fs::write(outside.file("1"), "").unwrap();
    app.sign_in().await;
    app.caught_up().await;
    let failed = app
        .state
        .board_log
        .step()
        .await
        .expect_err("it cannot be written");
    assert_matches!(failed, BoardLogError::Unwritable { .. });
    assert_eq!(app.state.store.log_state().await.unwrap().unwrap().size, 4);
    assert_eq!(text(&app.origin, "checkpoint").await, before);
    // Another replica, whose folder has none of it, shows nothing either.
    let full = Outside::new();
    fs::write(full.file("1"), "").unwrap();
    let setting = full.setting();
    let other = TestApp::start(database.again(), &[settings[0], &setting]).await;
    assert_eq!(
        other.get("/log/checkpoint").await.problem(),
        (503, "log-not-kept")
    );

    // A crash leaves half a line.
    fs::remove_file(outside.file("1")).unwrap();
    fs::rename(&away, outside.file("1")).unwrap();
    let half = fs::read_to_string(&file).unwrap() + "{\"kind\":\"bo";
    fs::write(&file, half).unwrap();
    let again = TestApp::start(database.again(), &settings).await;
    log(&again).await;
    let state = again.state.store.log_state().await.unwrap().unwrap();
    let logged = again.state.store.log_entries(1, 0, 100).await.unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), logged.join("\n") + "\n");
    let head: Value =
        serde_json::from_slice(&fs::read(outside.file("1/head.json")).unwrap()).unwrap();
    assert_eq!(head["checkpoint"], json!(state.checkpoint));
    log(&app).await;
    assert_eq!(whole_log(&app.origin).await.0, 4);
    // An altered entry, too.
    fs::write(&file, logged.join("\n").replace("begin", "bagin") + "\n").unwrap();
    let again = TestApp::start(database.again(), &settings).await;
    log(&again).await;
    assert_eq!(fs::read_to_string(&file).unwrap(), logged.join("\n") + "\n");
}
