//! A server on an old copy of its database would contradict what visitors have seen, so it does not start.

use super::*;
use crate::support::process::run;

/// The address of the current log, from the app's configuration.
async fn current(server: &ServerProcess) -> Value {
    let config = server.get("/api/functions/v1/app-config").await;
    config.body["log"].clone()
}

fn copy(from: &Path, to: &Path) {
    for end in ["", "-wal"] {
        let of = |path: &Path| format!("{}{end}", path.display());
        let _ = std::fs::remove_file(of(to));
        // SQLite's write-ahead log is empty or missing once a server has stopped.
        let _ = std::fs::copy(of(from), of(to));
    }
}

#[tokio::test]
async fn an_old_copy_of_the_database_is_not_served() {
    let database = TestDatabase::sqlite().await;
    let file = &database.files()[0];
    let folder = tempfile::tempdir().unwrap();
    let (published, backup) = (folder.path().join("log"), folder.path().join("copy"));
    let head_of = |log: i64| published.join(format!("{log}/head.json"));
    let checkpoint_in = |log| {
        let head = std::fs::read(head_of(log)).ok()?;
        let head: Value = serde_json::from_slice(&head).unwrap();
        Some(crate::support::text(&head["checkpoint"]))
    };
    let setting = format!("--published-log={}", published.display());
    let mut server = ServerProcess::start(&database.url, &[&setting]).await;
    let (address, origin) = (server.address, server.origin.clone());
    let again = async || ServerProcess::start_again(address, &database.url, &[&setting]).await;
    sign_in_at(&origin).await;
    grows_to(&origin, "", 3).await;
    server.stop().await;
    copy(file, &backup);

    server = again().await;
    sign_in_at(&origin).await;
    grows_to(&origin, "", 4).await;
    let seen = text(&origin, "checkpoint").await;
    assert_eq!(checkpoint_in(1).as_ref(), Some(&seen));
    server.stop().await;

    // The old copy replaces the database.
    copy(&backup, file);
    let listen = format!("--listen={address}");
    let service = |database: &TestDatabase, more: &[&str]| {
        let url = format!("--database-url={}", database.url);
        let usual = ["--app-env=development", &listen, &url, &setting];
        run(&[&usual[..], more].concat())
    };
    let refused = |database: &TestDatabase, parts: &str| {
        let parts: Vec<_> = parts.split(" | ").collect();
        has(&service(database, &[]).failed(), &parts);
    };
    let parts = "has 3 entries | 4 entries | old copy | restore-log | new-log --because";
    refused(&database, parts);
    // It does not start with an empty database either.
    refused(&TestDatabase::sqlite().await, "has not been begun");
    // It does not start with an unreadable file either.
    let head = std::fs::read(head_of(1)).unwrap();
    std::fs::write(head_of(1), "nonsense").unwrap();
    refused(&database, "PUBLISHED_LOG: cannot read");
    std::fs::write(head_of(1), head).unwrap();

    let because = "The database of 22 November was lost with its disk.";
    let new_log = ["new-log", "--because", because];
    service(&database, &new_log).done();
    server = again().await;
    let (_, entries) = whole_log_at(&origin, "2/").await;
    let said = ["kind", "log", "because", "before"].map(|name| &entries[0][name]);
    assert_eq!(json!(said), json!(["begin", 2, because, seen]));
    let note = text(&origin, "2/checkpoint").await;
    let second: VerifierKey = text(&origin, "2/key").await.parse().unwrap();
    let now = check::checkpoint(&note, &[second]).unwrap();
    assert!(now.origin.ends_with("/log/2"), "{}", now.origin);
    let before = check::unsigned(&seen).unwrap();
    let outcome = check::replay(&[], Some(&before), &now);
    assert_eq!(outcome, Err(CheckError::OtherLog));
    // The server continues.
    grows_to(&origin, "2/", 3).await;

    // The first log is closed, and nothing of the second is at an address of the first: browsers cache tiles for a year.
    assert_eq!(current(&server).await, "/log/2");
    assert_eq!(text(&origin, "checkpoint").await, seen);
    check::checkpoint(&seen, &[key(&origin).await]).expect("its key");
    assert_eq!(text(&origin, "rotations").await, "[]");
    for path in "tile/0/000.p/3 tile/entries/000.p/3 snapshot/2 receipts?ids=a".split(' ') {
        let closed = server.get(&format!("/log/{path}")).await;
        let said = (closed.status.as_u16(), &closed.body["code"]);
        assert_eq!(said, (410, &json!("log-replaced")), "{path}");
    }
    let others =
        "1/checkpoint 02/checkpoint 3/checkpoint x/checkpoint -2/checkpoint 2 2/2/checkpoint";
    for path in others.split(' ') {
        assert_eq!(get(&origin, path).await, None, "{path}");
    }
    // A third log has its own addresses as well.
    server.stop().await;
    let last = checkpoint_in(2).unwrap();
    service(&database, &new_log).done();
    server = again().await;
    assert_eq!(current(&server).await, "/log/3");
    assert_eq!(text(&origin, "checkpoint").await, seen);
    assert_eq!(text(&origin, "2/checkpoint").await, last);
    let (_, entries) = whole_log_at(&origin, "3/").await;
    assert_eq!(entries[0]["before"], json!(last));
}
