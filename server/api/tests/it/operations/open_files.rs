//! The number of files and connections that the system lets the server open.

use crate::support::database::TestDatabase;
use crate::support::process::{ServerProcess, program_after};

/// The limits and the log of a server that was started after this shell command.
async fn limits(words: &str) -> ([Option<f64>; 3], String) {
    let database = TestDatabase::sqlite().await;
    let server = ServerProcess::start_after(words, &database.url, &[]).await;
    let numbers = [
        server.metric("process_max_fds").await,
        server.metric("http_connections_limit").await,
        server.metric("live_streams_limit").await,
    ];
    (numbers, server.log())
}

#[tokio::test]
async fn the_server_takes_what_the_system_gives() {
    let (numbers, log) = limits("ulimit -Sn 300 && ulimit -Hn 14000").await;
    if cfg!(target_os = "linux") {
        assert_eq!(numbers, [14_000.0, 12_000.0, 10_000.0].map(Some));
    }
    assert!(!log.contains("MAX_CONNECTIONS"), "{log}");
}

#[tokio::test]
async fn clients_never_take_the_files_that_the_server_needs() {
    let (numbers, log) = limits("ulimit -n 466").await;
    if cfg!(target_os = "linux") {
        assert_eq!(numbers, [466.0, 200.0, 150.0].map(Some));
    }
    let said = "MAX_CONNECTIONS is 12000, but the system lets this process open 466 files";
    assert!(log.contains(said), "{log}");
}

#[tokio::test]
async fn a_server_without_room_for_clients_does_not_start() {
    let database = TestDatabase::sqlite().await;
    let output = program_after("ulimit -n 300")
        .args(["--app-env=development", "--listen=127.0.0.1:0"])
        .arg(format!("--database-url={}", database.url))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    for words in ["lets this process open 300 files", "LimitNOFILE"] {
        assert!(said.contains(words), "{said}");
    }
}
