//! A restored copy of the database continues the log, without what was removed since (decisions, D24).

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

use api::app::App;
use api::board_log::BoardLogError;
use api::config::Config;
use audit::Site;
use audit::log::{self as audit_log, Look, Seen};
use clap::Parser;

use super::*;
use crate::support::process::{Ended, run as run_program};
use crate::support::witness::{Mood, Witness};

on_both!(
    restore_log_after_a_lost_hour_causes_no_alarm,
    the_next_entry_waits_for_the_chain,
    only_a_whole_copy_of_this_log_is_restored,
    a_copy_from_before_a_new_key_cannot_continue,
    earlier_logs_keep_their_ends_on_every_replica,
    a_witness_that_knows_more_stops_a_survivor,
    a_torn_line_is_repaired_and_no_checkpoint_precedes_the_folder,
    nothing_is_shown_before_every_witness_has_answered,
    a_new_key_is_not_announced_before_the_folder_has_it,
    of_two_lists_the_later_event_is_right,
    replicas_share_a_folder,
    a_write_keeps_its_locks_when_its_reader_has_gone,
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

    /// The last checkpoint of a log.
    fn checkpoint(&self, log: i64) -> String {
        let head = fs::read(self.file(&format!("{log}/head.json"))).unwrap();
        let head: Value = serde_json::from_slice(&head).unwrap();
        crate::support::text(&head["checkpoint"])
    }

    /// Whether no process writes into it.
    fn is_free(&self) -> bool {
        File::create(self.file("lock")).unwrap().try_lock().is_ok()
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
    let (leaving, staying) = (server.sign_in().await, server.sign_in().await);
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
    // The server answered only after the removal was on the disk.
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
    let old_list = server.get(list).await;
    let number_before = number(&old_list);
    let old_row = server.get(&staying.row()).await;
    let lost_again = backup.copy().await;
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
    let mut server = ServerProcess::start_again(server.address, &backup.url, &settings).await;
    assert_eq!(server.get(&proof).await.status, 404);
    assert!(!server.is_in(&blocked.token).await);
    assert!(!server.is_in(&leaving.token).await);
    let rows = server.get(list).await;
    assert!(!rows.text().contains(&leaving.id), "{rows:?}");
    assert!(
        number(&rows) > number_before + 1_000_000,
        "clients never take an old row for a new one"
    );
    // A tag is of the bytes that it stands for: what a client has is either right, or sent again.
    let known = async |path: &str, old: &Answer| {
        let request = http_client().get(format!("{}{path}", server.origin));
        let answer = answer(request.header("if-none-match", old.header("etag"))).await;
        assert!(number(&answer) > number_before, "{answer:?}");
        (answer.status.as_u16(), answer.text())
    };
    assert_eq!(known(list, &old_list).await, (200, rows.text()));
    assert_eq!(known(&staying.row(), &old_row).await.0, 304);
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

    // The same old copy is restored a second time; it knows nothing of the first restore.
    let number_before = number(&server.get(list).await);
    server.stop().await;
    restore(&lost_again, &[&outside]).done();
    let server = ServerProcess::start_again(server.address, &lost_again.url, &settings).await;
    assert!(number(&server.get(list).await) > number_before);
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
    let old_key = key(&app.origin).await;
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
    // The copy has only the key that was replaced, maybe because it was stolen.
    let bytes = |key: VerifierKey| key.to_string().rsplit('+').next().unwrap().to_owned();
    let new: VerifierKey = text(&again.origin, "2/key").await.parse().unwrap();
    assert!(![bytes(old_key), bytes(key(&app.origin).await)].contains(&bytes(new)));
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

/// Also with a copy of the database from before an earlier new log, and on a replica that saw none of it.
async fn earlier_logs_keep_their_ends_on_every_replica(database: TestDatabase) {
    let outside = Outside::new();
    let settings = ["--public-url=http://127.0.0.1:8477", &outside.setting()];
    let app = TestApp::start(database.again(), &settings).await;
    join(&app).await;
    let backup = database.copy().await;
    let behind = outside.copy();
    join(&app).await;
    operate(
        &database.url,
        &[settings[1], "new-log", "--because=A test."],
    );
    log(&app).await;
    let [first, second] = [1, 2].map(|log| outside.checkpoint(log));

    // The folder of the other replica gets both.
    let late = database.copy().await;
    let setting = behind.setting();
    let other = TestApp::start(database.again(), &[settings[0], &setting]).await;
    assert_eq!(text(&other.origin, "checkpoint").await, first);
    assert_eq!(behind.checkpoint(1), first);
    assert_eq!(text(&other.origin, "2/checkpoint").await, second);
    assert_eq!(behind.checkpoint(2), second);

    // A list comes from a replica that has not seen the new log, too.
    let stale = outside.copy();
    let person = app.sign_in().await;
    assert_eq!(person.delete_account().await.status, 200);
    fs::copy(outside.file("removals"), stale.file("removals")).unwrap();
    has(&refusal(&late, &stale).await, &["1 removals"]);
    has(&restore(&late, &[&stale]).done(), &["lacked 0"]);

    // The copy knows neither end.
    let setting = behind.setting();
    operate(&backup.url, &[&setting, "new-log", "--because=Lost."]);
    let again = TestApp::start(backup, &[settings[0], &setting]).await;
    assert_eq!(text(&again.origin, "checkpoint").await, first);
    assert_eq!(text(&again.origin, "2/checkpoint").await, second);
    let (_, entries) = whole_log_at(&again.origin, "3/").await;
    assert_eq!(entries[0]["before"], json!(second));
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

/// Any of them may know a longer log than the backup and the folders. One that never saw the log cannot.
async fn nothing_is_shown_before_every_witness_has_answered(database: TestDatabase) {
    let [one, two] = Witness::two().await;
    let strange = Witness::start("three.example/w").await;
    let outside = Outside::new();
    let setting = outside.setting();
    let of = |witnesses: &[&Witness]| {
        let witnesses: Vec<String> = witnesses.iter().map(|it| it.setting()).collect();
        format!("--witnesses={}", witnesses.join(","))
    };
    let all = of(&[&one, &two, &strange]);
    let settings = ["--public-url=http://127.0.0.1:8478", &*setting, &*all];
    let app = TestApp::start(database.again(), &settings).await;
    for witness in [&one, &two] {
        witness.register(&text(&app.origin, "key").await);
    }
    join(&app).await;
    let backup = database.copy().await;
    join(&app).await;
    restore(&backup, &[&outside]).done();
    let spare = backup.copy().await;
    two.be(Mood::Away);
    let app = TestApp::start(backup.again(), &settings).await;
    for _ in 0..2 {
        let waits = app.state.board_log.step().await.expect_err("it is away");
        assert_matches!(waits, BoardLogError::Silent { .. });
        has(&waits.to_string(), &["two.example/w", "WITNESSES"]);
        let answer = app.get("/log/checkpoint").await;
        assert_eq!(answer.problem(), (503, "log-restored"));
    }
    // Without it in the settings the others are enough.
    let fewer = of(&[&one, &strange]);
    let without = [settings[0], &*setting, &*fewer];
    let without = TestApp::start(spare, &without).await;
    assert_eq!(without.state.board_log.step().await.unwrap(), Next::AtOnce);
    assert_eq!(without.get("/log/checkpoint").await.status, 200);
    two.be(Mood::Strict);
    log(&app).await;
    assert_eq!(app.get("/log/checkpoint").await.status, 200);
    assert_eq!(two.size(), Some(5));
}

async fn a_new_key_is_not_announced_before_the_folder_has_it(database: TestDatabase) {
    let outside = Outside::new();
    let app = TestApp::start(database.again(), &[&outside.setting()]).await;
    join(&app).await;
    // The command runs where another replica is, which has a folder of its own.
    operate(&database.url, &["rotate-log-key"]);
    assert_eq!(text(&app.origin, "rotations").await, "[]");
    log(&app).await;
    let rotations = text(&app.origin, "rotations").await;
    let rotations: Vec<String> = serde_json::from_str(&rotations).unwrap();
    let head: Value =
        serde_json::from_slice(&fs::read(outside.file("1/head.json")).unwrap()).unwrap();
    assert_eq!(
        (rotations.len(), json!(rotations)),
        (1, head["rotations"].clone())
    );
}

/// Also within one second, and whichever folder is named first.
async fn of_two_lists_the_later_event_is_right(database: TestDatabase) {
    let outside = Outside::new();
    let app = TestApp::start(database.again(), &[&outside.setting()]).await;
    let person = app.sign_in().await;
    person.proves("self-transfer.psbt").await;
    log(&app).await;
    let backups = [database.copy().await, database.copy().await];
    let shows = async |shown_as: &str| {
        let changed = person.change(json!({"shown_as": shown_as})).await;
        assert_eq!(changed.status, 204);
        app.state.board_log.keep_removals().await;
        outside.copy()
    };
    let [hidden, shown] = [shows("range").await, shows("exact").await];
    for (backup, folders) in backups.iter().zip([[&hidden, &shown], [&shown, &hidden]]) {
        restore(backup, &folders).done();
        let store = backup.store().await;
        let profile = store.profile(&person.id).await.unwrap().unwrap();
        assert_eq!(profile.shown_as, ShownAs::Exact);
    }
}

/// What the other one has written is not missing in the database, which has it first.
async fn replicas_share_a_folder(database: TestDatabase) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (outside, elsewhere) = (Outside::new(), Outside::new());
    let app = TestApp::start(database.again(), &[&elsewhere.setting()]).await;
    let person = app.sign_in().await;
    let busy = File::create(outside.file("lock")).unwrap();
    busy.lock().unwrap();
    let starting = tokio::spawn({
        let (store, folder) = (database.store().await, outside.0.path().to_owned());
        async move {
            let folder = Folder::new(Some(folder));
            folder.keep_removals(&store, NOW).await
        }
    });
    let inode = format!(":{} ", busy.metadata().unwrap().ino());
    wait_until("waiting for the folder", async || {
        let locks = fs::read_to_string("/proc/locks").unwrap();
        let mut waiting = locks.lines().filter(|line| line.contains("->"));
        waiting.any(|line| line.contains(&inode))
    })
    .await;
    assert_eq!(person.delete_account().await.status, 200);
    fs::copy(elsewhere.file("removals"), outside.file("removals")).unwrap();
    busy.unlock().unwrap();
    starting.await.unwrap().expect("nothing is missing");
}

/// Else the end of a write could undo a later one.
async fn a_write_keeps_its_locks_when_its_reader_has_gone(database: TestDatabase) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let outside = Outside::new();
    let app = TestApp::start(database.again(), &[&outside.setting()]).await;
    app.sign_in().await;
    // A disk that does not answer, while the write compares what the file has.
    let head = outside.file("1/head.json");
    fs::remove_file(&head).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&head).status();
    assert!(made.unwrap().success());
    // Its folder has the log already, unless the log has grown.
    let grown = TestApp::start(database.again(), &[]).await;
    log(&grown).await;
    let board_log = Arc::clone(&app.state.board_log);
    let reader = tokio::spawn(async move { board_log.head(1).await });
    let disk = until("the reader", async || {
        // Without this flag of Linux it would wait for the reader, and with it opening fails until then.
        let mut options = fs::OpenOptions::new();
        options.write(true).custom_flags(0o4000).open(&head).ok()
    })
    .await;
    reader.abort();
    assert!(reader.await.unwrap_err().is_cancelled());
    assert!(!outside.is_free());
    drop(disk);
    wait_until("writing", async || outside.is_free()).await;
    assert_eq!(
        outside.checkpoint(1),
        text(&grown.origin, "checkpoint").await
    );
}
