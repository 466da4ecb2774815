//! The server as a process of its own: what a person who starts and stops it sees.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::http_client;

const PATIENCE: Duration = Duration::from_secs(30);

/// Ends the process however the test ends.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until `done` has a value, and fails after a while.
async fn until<T>(what: &str, mut done: impl AsyncFnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(value) = done().await {
            return value;
        }
        assert!(begin.elapsed() < PATIENCE, "{what} took too long");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn it_stops_when_it_is_told_to_although_a_page_is_open() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = free.local_addr().expect("the address");
    drop(free);
    let program = Command::new(env!("CARGO_BIN_EXE_server"))
        .arg("--app-env=development")
        .arg(format!("--listen={address}"))
        .arg(format!(
            "--database-url=sqlite:{}",
            folder.path().join("test.sqlite").display()
        ))
        .stdout(Stdio::null())
        .spawn()
        .expect("the server starts");
    let mut server = Server(program);

    let client = http_client();
    let changes = format!("http://{address}/api/rest/v1/profiles/changes");
    let mut stream = until("starting", async || client.get(&changes).send().await.ok()).await;
    stream
        .chunk()
        .await
        .expect("a stream")
        .expect("the opening");

    let told = Command::new("kill").arg(server.0.id().to_string()).status();
    assert!(told.expect("kill").success());
    let status = until("stopping", async || server.0.try_wait().expect("a child")).await;
    assert!(status.success(), "{status}");
}
