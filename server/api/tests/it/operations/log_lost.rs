//! A log that cannot be written, or that no process reads: its lines are lost and counted, and everything else continues.

use super::*;

const USER: &str = "/api/auth/v1/user";

/// The number of dropped lines in the metrics.
async fn dropped(server: &ServerProcess) -> Option<f64> {
    server.metric("log_lines_dropped_total").await
}

#[tokio::test]
async fn a_log_that_cannot_be_written_takes_nothing_else_down() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().display();
    let closed = format!("mkfifo {at}/closed && {{ : <{at}/closed & }} && exec >{at}/closed 2>&1");
    // Its own pipe, which is never read.
    let unread = format!("mkfifo {at}/unread && exec 3<>{at}/unread >{at}/unread 2>&1");
    for words in ["exec >/dev/full 2>&1", &closed, &unread] {
        let database = TestDatabase::sqlite().await;
        let mut server = ServerProcess::start_after(words, &database.url, &["--log=trace"]).await;
        until("losing lines", async || {
            for refused in join_all((0..50).map(|_| server.get(USER))).await {
                assert_eq!(refused.status, 401, "{words}");
            }
            dropped(&server).await.filter(|lines| *lines > 0.0)
        })
        .await;
        let session = server.sign_in().await;
        assert!(session["access_token"].is_string(), "{words}");
        server.stop().await;
    }
}

#[tokio::test]
async fn nothing_is_lost_while_somebody_reads() {
    let mut server = ServerProcess::on_sqlite(&["--log=info"]).await;
    for _ in 0..100 {
        server.get(USER).await;
    }
    assert_eq!(dropped(&server).await, Some(0.0));
    server.stop().await;
    // The last line of all.
    let log = server.log();
    assert!(log.trim_end().ends_with("stopped"), "{log}");
}

/// The command has done its work, and its exit status says that the output is missing.
#[tokio::test]
async fn a_command_whose_output_cannot_be_written_fails_without_a_panic() {
    let database = TestDatabase::sqlite().await;
    drop(ServerProcess::start(&database.url, &[]).await);
    let url = format!("--database-url={}", database.url);
    let rotate = |mut command: Command| {
        let ended = ended(command.args(["--app-env=development", &url, "rotate-keys"]));
        (ended.status.code(), ended.err)
    };
    assert_eq!(rotate(program()).0, Some(0));
    let (code, said) = rotate(program_after("exec >/dev/full"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("its output cannot be written"), "{said}");
    assert_eq!(rotate(program_after("exec >/dev/full 2>&1")).0, Some(1));
}
