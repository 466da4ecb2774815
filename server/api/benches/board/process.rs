//! The measured programs: the server, and its peer.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use api::config::Config;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::{Router, routing};
use clap::CommandFactory;

use crate::load::{Connection, find, get};

/// A program that listens, killed when it is dropped.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
}

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address")
}

impl Process {
    /// The server in development mode, with a chain source that does not answer.
    pub(crate) fn server(database_url: &str) -> Self {
        let address = free_address();
        let mut command = Command::new(env!("CARGO_BIN_EXE_server"));
        for argument in Config::command().get_arguments() {
            if let Some(name) = argument.get_env() {
                command.env_remove(name);
            }
        }
        command.args([
            "--app-env=development",
            "--chain=esplora:http://127.0.0.1:9",
            "--network=regtest",
            &format!("--listen={address}"),
            &format!("--database-url={database_url}"),
        ]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().expect("the server's program");
        Self { child, address }
    }

    /// This program as the bare peer.
    pub(crate) fn plain() -> Self {
        let address = free_address();
        let program = std::env::current_exe().expect("this program");
        let child = Command::new(program)
            .args(["--plain", &address.to_string()])
            .spawn();
        Self {
            child: child.expect("this program"),
            address,
        }
    }

    /// Waits until `path` answers with `status`.
    pub(crate) async fn wait_for(&self, path: &str, status: u16) {
        let begin = Instant::now();
        loop {
            if let Ok(mut connection) = Connection::open(self.address).await
                && let Ok(answer) = connection.ask(&get(path, "")).await
                && answer.status == status
            {
                return;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "{path} is not {status}"
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// Resident memory in MiB.
    pub(crate) fn mebibytes(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
        kilobytes.unwrap_or_default() / 1024.0
    }

    /// Processor time so far.
    pub(crate) fn processor(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        // Fields 14 and 15 of proc(5), in ticks, of which Linux has a hundred a second.
        let ticks = [11, 12]
            .iter()
            .filter_map(|at| fields.get(*at)?.parse::<u64>().ok());
        Duration::from_millis(ticks.sum::<u64>() * 10)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail when the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A response of the server that the peer sends as its own.
type Replayed = Arc<RwLock<(StatusCode, HeaderMap, Bytes)>>;

/// GET sends the response that was posted here.
pub(crate) const REPLAY: &str = "/replay";

/// The peer: bare axum routes.
pub(crate) async fn serve_plain(address: &str) {
    let app = Router::new()
        .route("/", routing::get(async || "ok"))
        .route(REPLAY, routing::get(replay).post(record))
        .with_state(Replayed::default());
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .expect("the address");
    axum::serve(listener, app).await.expect("the peer serves");
}

async fn replay(State(replayed): State<Replayed>) -> (StatusCode, HeaderMap, Bytes) {
    replayed.read().expect("no panic").clone()
}

async fn record(State(replayed): State<Replayed>, answer: Bytes) -> StatusCode {
    let Some(answer) = parsed(&answer) else {
        return StatusCode::BAD_REQUEST;
    };
    *replayed.write().expect("no panic") = answer;
    StatusCode::OK
}

/// A response as it was received.
fn parsed(answer: &Bytes) -> Option<(StatusCode, HeaderMap, Bytes)> {
    let end = find(answer, b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let status = head.get(9..12)?.parse().ok()?;
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    // axum sets these itself.
    let own = ["content-length", "date", "transfer-encoding"];
    let headers = lines.filter(|(name, _)| !own.contains(name));
    let headers = headers.map(|(name, value)| Some((name.parse().ok()?, value.parse().ok()?)));
    let headers: HeaderMap = headers.collect::<Option<_>>()?;
    Some((status, headers, answer.slice(end..)))
}
