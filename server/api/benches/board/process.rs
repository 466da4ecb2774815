//! Programs that are measured: the server, and its peer.

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
    /// The server in development mode, with a chain source that nobody needs.
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
            "--max-streams=20000",
            "--max-streams-per-address=20000",
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

    /// How long it takes from now on until it answers so.
    pub(crate) async fn answers(&self, path: &str, status: u16) -> Duration {
        let begin = Instant::now();
        loop {
            if let Ok(mut connection) = Connection::open(self.address).await
                && let Ok(answer) = connection.ask(&get(path, "")).await
                && answer.status == status
            {
                return begin.elapsed();
            }
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "{path} is not {status}"
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// What it keeps in memory, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        kilobytes.unwrap_or_default() * 1024
    }

    /// How long it has kept processors busy.
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
        // Both fail when it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the peer answers in place of another: its status, headers and body.
type Told = Arc<RwLock<(StatusCode, HeaderMap, Bytes)>>;

/// Where the peer is told what to answer there.
pub(crate) const TOLD: &str = "/told";

/// The peer: one route that answers `ok`, and one that answers what another server did.
pub(crate) async fn serve_plain(address: &str) {
    let app = Router::new()
        .route("/", routing::get(async || "ok"))
        .route(TOLD, routing::get(told).post(tell))
        .with_state(Told::default());
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .expect("the address");
    axum::serve(listener, app).await.expect("the peer serves");
}

async fn told(State(told): State<Told>) -> (StatusCode, HeaderMap, Bytes) {
    told.read().expect("nobody panics").clone()
}

async fn tell(State(told): State<Told>, answer: Bytes) -> StatusCode {
    let Some(answer) = parsed(&answer) else {
        return StatusCode::BAD_REQUEST;
    };
    *told.write().expect("nobody panics") = answer;
    StatusCode::OK
}

/// An answer as it came over the wire.
fn parsed(answer: &Bytes) -> Option<(StatusCode, HeaderMap, Bytes)> {
    let end = find(answer, b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let status = head.get(9..12)?.parse().ok()?;
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    // The others are of the connection, which says them itself.
    let own = ["content-length", "date", "transfer-encoding"];
    let headers = lines.filter(|(name, _)| !own.contains(name));
    let headers = headers.map(|(name, value)| Some((name.parse().ok()?, value.parse().ok()?)));
    let headers: HeaderMap = headers.collect::<Option<_>>()?;
    Some((status, headers, answer.slice(end..)))
}
