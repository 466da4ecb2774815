//! The disk is full for a while. The board stays up, and everything works again as soon as there is space.

use std::fs::OpenOptions;
use std::io::Write;

use super::*;

/// More writes than the server has connections, but few enough that SQLite does not yet reuse its -wal file.
const PEOPLE: usize = 5;
const CONNECTIONS: &str = "--database-connections=3";

/// SQLITE_FULL: a small file system in its own namespace, which a file fills.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn everything_works_after_a_full_disk() {
    let mut may = Command::new("unshare");
    let may = may.args("-rm mount -t tmpfs none /mnt".split(' '));
    if !may.status().is_ok_and(|status| status.success()) {
        println!("skipped: this machine lets nobody mount a tmpfs in a namespace (unshare -rm)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().display();
    let url = format!("sqlite:{there}/reserves.sqlite");
    let words = format!(
        "exec unshare -rm sh -c 'mount -t tmpfs -o size=16m none {there} && exec \"$0\" \"$@\"' \"$0\" \"$@\""
    );
    let server = ServerProcess::start_after(&words, &url, &[CONNECTIONS]).await;
    // It empties the -wal file, and so frees space.
    let tidied = "job_last_success_seconds{task=\"tidy\"}";
    until("tidying up", async || server.metric(tidied).await).await;
    // The path as the server sees it.
    let inside = format!("/proc/{}/root{there}/filler", server.id());
    let fill = || {
        let filler = OpenOptions::new().append(true).create(true).open(&inside);
        let mut filler = filler.unwrap();
        while filler.write_all(&[0; 4096]).is_ok() {}
    };
    harmless(&server, fill, || fs::remove_file(&inside).unwrap()).await;
}

/// SQLITE_IOERR: files may not grow for a while.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn everything_works_after_disk_errors() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}/reserves.sqlite", folder.path().display());
    // The server's log is a file too.
    let words = "trap '' XFSZ && exec >/dev/null 2>&1";
    let server = ServerProcess::start_after(words, &url, &[CONNECTIONS]).await;
    let limit = |bytes: &str| {
        let (pid, size) = (
            format!("--pid={}", server.id()),
            format!("--fsize={bytes}:"),
        );
        let limit = Command::new("prlimit").args([pid, size]).status();
        assert!(limit.expect("prlimit of util-linux").success());
    };
    harmless(&server, || limit("0"), || limit("unlimited")).await;
}

/// Users write while the disk is full, and again afterwards.
async fn harmless(server: &ServerProcess, fill: impl Fn(), empty: impl Fn()) {
    let is = async |status: &str| {
        let ready = server.get("/readyz").await;
        (ready.body["status"] == status).then_some(ready)
    };
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        people.push(server.sign_in().await);
    }
    let delete_all = async |people: Vec<Person<'static>>| {
        let each = people.into_iter();
        join_all(each.map(async |person| (person.delete_account().await, person))).await
    };
    // Repeatedly: space that the server frees is used up as well.
    let degraded = async || {
        fill();
        is("degraded").await
    };
    let degraded = until("noticing", degraded).await.ok();
    let since = &degraded.body["writes_failing_since"];
    assert!(since.is_string(), "{degraded:?}");
    // A small write may fit into what a larger one, which failed, has made the -wal file grow by. All others are refused.
    let mut refused = Vec::new();
    for (answer, person) in delete_all(people).await {
        if answer.status != 200 {
            let unavailable = (503, "database-unavailable");
            assert_eq!(answer.problem(), unavailable, "{}", server.log());
            assert_eq!(answer.header("retry-after"), "5");
            refused.push(person);
        }
    }
    assert!(!refused.is_empty(), "{}", server.log());
    assert_eq!(server.get("/api/rest/v1/profiles").await.status, 200);

    empty();
    for (done, _) in delete_all(refused).await {
        assert_eq!(done.status, 200, "{}", server.log());
    }
    let ok = until("recovering", async || is("ok").await).await;
    assert_eq!(ok.body.get("writes_failing_since"), None);
}
