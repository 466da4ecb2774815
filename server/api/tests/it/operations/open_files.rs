//! How many files and connections the system lets the server open.

use std::net::SocketAddr;

use crate::support::database::TestDatabase;
use crate::support::http_client;
use crate::support::node::free_port;
use crate::support::process::{ServerProcess, program_after};

/// What a server says of its limits that was started after these words of a shell, and its log.
async fn limits(words: &str) -> ([f64; 3], String) {
    let database = TestDatabase::sqlite().await;
    let metrics = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let listen = format!("--metrics-listen={metrics}");
    let server = ServerProcess::start_after(words, &database.url, &[&listen]).await;
    let page = http_client()
        .get(format!("http://{metrics}/metrics"))
        .send();
    let page = page.await.expect("metrics").text().await.expect("text");
    let names = [
        "process_max_fds",
        "http_connections_limit",
        "live_streams_limit",
    ];
    let numbers = names.map(|name| {
        let value = page
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.and_then(|it| it.parse().ok()).unwrap_or(0.0)
    });
    (numbers, server.log())
}

#[tokio::test]
async fn the_server_takes_what_the_system_gives() {
    let (numbers, log) = limits("ulimit -Sn 300 && ulimit -Hn 14000").await;
    if cfg!(target_os = "linux") {
        assert_eq!(numbers, [14_000.0, 12_000.0, 10_000.0]);
    }
    assert!(!log.contains("MAX_CONNECTIONS"), "{log}");
}

#[tokio::test]
async fn clients_never_take_the_files_that_the_server_needs() {
    let (numbers, log) = limits("ulimit -n 466").await;
    if cfg!(target_os = "linux") {
        assert_eq!(numbers, [466.0, 200.0, 150.0]);
    }
    assert!(
        log.contains("MAX_CONNECTIONS is 12000, but the system lets this process open 466 files"),
        "{log}"
    );
}

#[tokio::test]
async fn a_server_without_room_for_clients_does_not_start() {
    let database = TestDatabase::sqlite().await;
    let output = program_after("ulimit -n 300")
        .args(["--app-env=development", "--listen=127.0.0.1:0"])
        .arg(format!("--database-url={}", database.url))
        .output()
        .expect("the server's program");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{said}");
    assert!(
        said.contains("lets this process open 300 files") && said.contains("LimitNOFILE"),
        "{said}"
    );
}
