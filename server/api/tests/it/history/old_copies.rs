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
    let (published, backup) = (folder.path().join("checkpoint"), folder.path().join("copy"));
    let setting = format!("--published-checkpoint={}", published.display());
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
    let there = async || std::fs::read_to_string(&published).is_ok_and(|it| it == seen);
    wait_until("publishing", there).await;
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
    let parts = "has 3 entries | 4 entries | old copy | new-log --because";
    refused(&database, parts);
    // Nor with an empty database.
    refused(&TestDatabase::sqlite().await, "has not been begun");
    // Nor with an unreadable file.
    std::fs::write(&published, "nonsense").unwrap();
    refused(&database, "contains no checkpoint");
    std::fs::write(&published, &seen).unwrap();

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
    let told = check::replay(&[], Some(&before), &now);
    assert_eq!(told, Err(CheckError::OtherLog));
    // The server continues.
    grows_to(&origin, "2/", 3).await;

    // The first log has ended, and nothing of the second is at an address of the first: browsers cache tiles for a year.
    assert_eq!(current(&server).await, "/log/2");
    assert_eq!(text(&origin, "checkpoint").await, seen);
    check::checkpoint(&seen, &[key(&origin).await]).expect("its key");
    let others = "tile/0/000.p/5 1/checkpoint 02/checkpoint 3/checkpoint x/checkpoint -2/checkpoint 2 2/2/checkpoint";
    for path in others.split(' ') {
        assert_eq!(get(&origin, path).await, None, "{path}");
    }
    // A third log has its own addresses as well.
    server.stop().await;
    let last = std::fs::read_to_string(&published).unwrap();
    service(&database, &new_log).done();
    server = again().await;
    assert_eq!(current(&server).await, "/log/3");
    assert_eq!(text(&origin, "checkpoint").await, seen);
    // The second log was complete: it has ended with an entry that says so, and stays readable.
    let ended = text(&origin, "2/checkpoint").await;
    let (_, second) = whole_log_at(&origin, "2/").await;
    let end = second.last().unwrap();
    let said = ["kind", "because"].map(|name| &end[name]);
    assert_eq!(json!(said), json!(["end", because]));
    let size = |note: &str| check::unsigned(note).unwrap().size;
    assert_eq!(size(&ended), size(&last) + 1);
    let (_, entries) = whole_log_at(&origin, "3/").await;
    assert_eq!(entries[0]["before"], json!(ended));
}
