//! A server on an old copy of its database would contradict what visitors have seen, so it does not start.

use super::*;
use crate::support::process::{refusal, run};

/// Waits until the log at `origin` has this many entries.
async fn grows_to(origin: &str, size: u64) {
    grows_at(origin, "", size).await;
}

async fn grows_at(origin: &str, below: &str, size: u64) {
    until("logging", async || {
        let (now, _) = whole_log_at(origin, below).await;
        (now >= size).then_some(())
    })
    .await;
}

/// The address of the current log, from the app's configuration.
async fn current(origin: &str) -> Value {
    let config = format!("{origin}/api/functions/v1/app-config");
    let config = http_client().get(config).send().await.unwrap();
    config.json::<Value>().await.unwrap()["log"].clone()
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
    let published = folder.path().join("checkpoint");
    let setting = format!("--published-checkpoint={}", published.display());
    let mut server = ServerProcess::start(&database.url, &[&setting]).await;
    sign_in_at(&server.origin).await;
    grows_to(&server.origin, 3).await;
    server.stop().await;
    let backup = folder.path().join("copy");
    copy(file, &backup);

    let arguments = [setting.as_str()];
    let mut server = ServerProcess::start_again(server.address, &database.url, &arguments).await;
    sign_in_at(&server.origin).await;
    grows_to(&server.origin, 4).await;
    let seen = text(&server.origin, "checkpoint").await;
    until("publishing", async || {
        let there = std::fs::read_to_string(&published).ok()?;
        (there == seen).then_some(())
    })
    .await;
    server.stop().await;

    // The old copy replaces the database.
    copy(&backup, file);
    let listen = format!("--listen={}", server.address);
    let url = format!("--database-url={}", database.url);
    let service = ["--app-env=development", &listen, &url, &setting];
    let said = refusal(&service);
    for part in [
        "has 3 entries",
        "4 entries",
        "old copy",
        "new-log --because",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // Nor with an empty database.
    let empty = TestDatabase::sqlite().await;
    let empty = format!("--database-url={}", empty.url);
    let said = refusal(&["--app-env=development", &listen, &empty, &setting]);
    assert!(said.contains("has not been begun"), "{said}");
    // Nor with an unreadable file.
    std::fs::write(&published, "nonsense").unwrap();
    assert!(refusal(&service).contains("contains no checkpoint"));
    std::fs::write(&published, &seen).unwrap();

    let because = "The database of 22 November was lost with its disk.";
    let new = [&service[..], &["new-log", "--because", because]].concat();
    run(&new).done();
    let server = ServerProcess::start_again(server.address, &database.url, &arguments).await;
    let (_, entries) = whole_log_at(&server.origin, "2/").await;
    assert_eq!(entries[0]["kind"], "begin");
    assert_eq!(entries[0]["log"], 2);
    assert_eq!(entries[0]["because"], because);
    assert_eq!(entries[0]["before"], json!(seen));
    let note = text(&server.origin, "2/checkpoint").await;
    let second: VerifierKey = text(&server.origin, "2/key").await.parse().unwrap();
    let now = check::checkpoint(&note, &[second]).unwrap();
    assert!(now.origin.ends_with("/log/2"), "{}", now.origin);
    let before = seen
        .parse()
        .map(|note: board_log::note::Note| note.unchecked().parse());
    let before = before.unwrap().unwrap();
    let told = check::replay(&[], Some(&before), &now);
    assert_eq!(told, Err(CheckError::OtherLog));
    // The server continues.
    grows_at(&server.origin, "2/", 3).await;

    // The first log has ended, and nothing of the second is at an address of the first: browsers cache tiles for a year.
    assert_eq!(current(&server.origin).await, "/log/2");
    assert_eq!(text(&server.origin, "checkpoint").await, seen);
    check::checkpoint(&seen, &[key(&server.origin).await]).expect("its key");
    let others = "tile/0/000.p/5 1/checkpoint 02/checkpoint 3/checkpoint x/checkpoint -2/checkpoint 2 2/2/checkpoint";
    for path in others.split(' ') {
        assert_eq!(get(&server.origin, path).await, None, "{path}");
    }
    // A third log has its own addresses as well.
    let mut server = server;
    server.stop().await;
    let last = std::fs::read_to_string(&published).unwrap();
    run(&new).done();
    let server = ServerProcess::start_again(server.address, &database.url, &arguments).await;
    assert_eq!(current(&server.origin).await, "/log/3");
    assert_eq!(text(&server.origin, "checkpoint").await, seen);
    // The second log was complete: it has ended with an entry that says so, and stays readable.
    let ended = text(&server.origin, "2/checkpoint").await;
    let (_, second) = whole_log_at(&server.origin, "2/").await;
    let end = second.last().unwrap();
    assert_eq!(
        (&end["kind"], &end["because"]),
        (&json!("end"), &json!(because))
    );
    let size = |note: &str| note.lines().nth(1).and_then(|it| it.parse::<u64>().ok());
    assert_eq!(size(&ended), size(&last).map(|size| size + 1));
    let (_, entries) = whole_log_at(&server.origin, "3/").await;
    assert_eq!(entries[0]["before"], json!(ended));
}
