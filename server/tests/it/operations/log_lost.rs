//! A log that cannot be written, or that nobody reads: its lines are lost and counted, and everything else goes on.

use futures_util::future::join_all;

use crate::support::app::{answer, sign_in_at};
use crate::support::database::TestDatabase;
use crate::support::node::free_port;
use crate::support::process::{ServerProcess, program, program_after};
use crate::support::{http_client, until};

/// How many lines the server says that it has dropped.
async fn dropped(metrics: &str) -> Option<u64> {
    let page = http_client().get(format!("http://{metrics}/metrics"));
    let page = page.send().await.ok()?.text().await.ok()?;
    let line = page
        .lines()
        .find_map(|line| line.strip_prefix("log_lines_dropped_total "))?;
    line.parse().ok()
}

/// A server whose output goes where these words of a shell lead it.
async fn start(words: &str, metrics: &str, log: &str) -> (TestDatabase, ServerProcess) {
    let database = TestDatabase::sqlite().await;
    let listen = format!("--metrics-listen={metrics}");
    let arguments = [log, &listen];
    let server = ServerProcess::start_after(words, &database.url, &arguments).await;
    (database, server)
}

#[tokio::test]
async fn a_log_that_cannot_be_written_takes_nothing_else_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().display();
    let closed = format!("mkfifo {at}/closed && {{ : <{at}/closed & }} && exec >{at}/closed 2>&1");
    // Its own reader, which never reads.
    let unread = format!("mkfifo {at}/unread && exec 3<>{at}/unread >{at}/unread 2>&1");
    for words in ["exec >/dev/full 2>&1", &closed, &unread] {
        let metrics = format!("127.0.0.1:{}", free_port());
        let (_database, mut server) = start(words, &metrics, "--log=trace").await;
        until("losing lines", async || {
            let user = format!("{}/api/auth/v1/user", server.origin);
            let client = http_client();
            for refused in join_all((0..50).map(|_| answer(client.get(&user)))).await {
                assert_eq!(refused.status, 401, "{words}");
            }
            dropped(&metrics).await.filter(|lines| *lines > 0)
        })
        .await;
        let session = sign_in_at(&server.origin).await;
        assert!(session["access_token"].is_string(), "{words}");
        server.tell_to_stop();
        let status = server.stopped().await;
        assert!(status.success(), "{words}: {status}");
    }
}

#[tokio::test]
async fn nothing_is_lost_while_somebody_reads() {
    let metrics = format!("127.0.0.1:{}", free_port());
    let (_database, mut server) = start("true", &metrics, "--log=info").await;
    for _ in 0..100 {
        answer(http_client().get(format!("{}/api/auth/v1/user", server.origin))).await;
    }
    assert_eq!(dropped(&metrics).await, Some(0));
    server.tell_to_stop();
    assert!(server.stopped().await.success());
    // The last line of all.
    let log = server.log();
    assert!(log.trim_end().ends_with("stopped"), "{log}");
}

/// What it did is done, and whoever reads its status knows that its words are missing.
#[tokio::test]
async fn a_command_whose_output_cannot_be_written_fails_without_a_panic() {
    let database = TestDatabase::sqlite().await;
    drop(ServerProcess::start(&database.url, &[]).await);
    let arguments = |command: &mut std::process::Command| {
        let url = format!("--database-url={}", database.url);
        let output = command
            .args(["--app-env=development", &url, "rotate-keys"])
            .output();
        output.expect("the program")
    };
    assert!(arguments(&mut program()).status.success());
    let full = arguments(&mut program_after("exec >/dev/full"));
    let said = String::from_utf8_lossy(&full.stderr).into_owned();
    assert_eq!(full.status.code(), Some(1), "{said}");
    assert!(said.contains("its output cannot be written"), "{said}");
    let silent = arguments(&mut program_after("exec >/dev/full 2>&1"));
    assert_eq!(silent.status.code(), Some(1));
}
