//! The disk is full for a while. The board stays up, and everything works again as soon as there is room.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::process::Command;

use futures_util::future::join_all;
use reqwest::header::RETRY_AFTER;
use serde_json::{Value, json};

use crate::support::app::{Answer, answer, sign_in_at};
use crate::support::node::free_port;
use crate::support::process::ServerProcess;
use crate::support::{http_client, until};

/// More than the server has connections. Few, so that SQLite does not yet use the room in its log again.
const PEOPLE: usize = 5;
const CONNECTIONS: &str = "--database-connections=3";

/// SQLITE_FULL: a file system of its own, in a namespace of its own, that a file fills.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_harms_nothing_once_there_is_room_again() {
    let may = Command::new("unshare")
        .args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"])
        .status();
    if !may.is_ok_and(|status| status.success()) {
        println!("skipped: this machine lets nobody mount a tmpfs in a namespace (unshare -rm)");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let there = folder.path().display();
    let url = format!("sqlite:{there}/reserves.sqlite");
    let words = format!(
        "exec unshare -rm sh -c 'mount -t tmpfs -o size=16m none {there} && exec \"$0\" \"$@\"' \"$0\" \"$@\""
    );
    let metrics = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let listen = format!("--metrics-listen={metrics}");
    let server = ServerProcess::start_after(&words, &url, &[&listen, CONNECTIONS]).await;
    // Which empties SQLite's log, and so makes room.
    until("tidying up", async || {
        let page = http_client().get(format!("http://{metrics}/metrics"));
        let page = page.send().await.ok()?.text().await.ok()?;
        page.contains("job_last_success_seconds{task=\"tidy\"}")
            .then_some(())
    })
    .await;
    // As the server sees it.
    let inside = format!("/proc/{}/root{there}/filler", server.id());
    let fill = || {
        let filler = OpenOptions::new().append(true).create(true).open(&inside);
        let mut filler = filler.expect("a file");
        while filler.write_all(&[0; 4096]).is_ok() {}
    };
    harmless(&server, fill, || fs::remove_file(&inside).expect("a file")).await;
}

/// SQLITE_IOERR: files may not grow for a while.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_fails_harms_nothing_once_it_works_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}/reserves.sqlite", folder.path().display());
    // Its own log is a file too.
    let words = "trap '' XFSZ && exec >/dev/null 2>&1";
    let server = ServerProcess::start_after(words, &url, &[CONNECTIONS]).await;
    let limit = |bytes: &str| {
        let limit = Command::new("prlimit")
            .arg(format!("--pid={}", server.id()))
            .arg(format!("--fsize={bytes}:"))
            .status();
        assert!(
            limit.is_ok_and(|status| status.success()),
            "prlimit of util-linux"
        );
    };
    harmless(&server, || limit("0"), || limit("unlimited")).await;
}

/// People write while the disk is full, and again when it is not.
async fn harmless(server: &ServerProcess, fill: impl Fn(), empty: impl Fn()) {
    let ready = async || answer(http_client().get(format!("{}/readyz", server.origin))).await;
    let is = async |status: &str| {
        let ready = ready().await;
        (ready.body["status"] == status).then_some(ready)
    };
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        people.push(sign_in_at(&server.origin).await);
    }
    let delete = |person: &Value| {
        let token = person["access_token"].as_str().expect("a token").to_owned();
        http_client()
            .post(format!("{}/api/functions/v1/delete-account", server.origin))
            .bearer_auth(token)
            .json(&json!({}))
    };
    // Again and again: what the server frees is used up as well.
    let degraded: Answer = until("noticing", async || {
        fill();
        is("degraded").await
    })
    .await;
    assert_eq!(degraded.status, 200);
    assert!(
        degraded.body["writes_failing_since"].is_string(),
        "{degraded:?}"
    );
    for refused in join_all(people.iter().map(|person| delete(person).send())).await {
        let refused = refused.expect("an answer");
        assert_eq!(refused.status(), 503, "{}", server.log());
        assert_eq!(refused.headers()[RETRY_AFTER], "5");
        let body: Value = refused.json().await.expect("JSON");
        assert_eq!(body["code"], "database-unavailable");
    }
    let board = http_client().get(format!("{}/api/rest/v1/profiles", server.origin));
    assert_eq!(answer(board).await.status, 200);

    empty();
    for done in join_all(people.iter().map(|person| delete(person).send())).await {
        assert_eq!(done.expect("an answer").status(), 200, "{}", server.log());
    }
    let ok = until("recovering", async || is("ok").await).await;
    assert_eq!(ok.body.get("writes_failing_since"), None);
}
