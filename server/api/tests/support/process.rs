//! The server as its own process, started as an operator starts it.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use api::config::Config;
use clap::CommandFactory;

use super::node::free_port;
use crate::support::prelude::*;

/// A server process, killed when it is dropped.
pub(crate) struct ServerProcess {
    child: Child,
    folder: TempDir,
    _database: Option<TestDatabase>,
    pub(crate) address: SocketAddr,
    metrics: SocketAddr,
    /// Its address without a path.
    pub(crate) origin: String,
    /// Where its pages are: the public address of a replica behind a proxy, else its own.
    site: String,
}

/// An address without a listener.
fn free_address() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], free_port()))
}

/// The operator's legal details, which production requires.
pub(crate) const LEGAL: [&str; 6] = [
    "--legal-company=A Company of Tests",
    "--legal-postal-address=1 Loopback Street, Testtown",
    "--legal-country=Testland",
    "--legal-privacy-email=privacy@reserves.example",
    "--legal-contact-email=hello@reserves.example",
    "--legal-updated=2026-11-22",
];

/// The program without settings from the tests' environment and without a home folder: what an audit keeps must not land
/// in the home folder of the developer.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_server"));
    command.env("HOME", "/dev/null");
    for argument in Config::command().get_arguments() {
        if let Some(name) = argument.get_env() {
            command.env_remove(name);
            let mut file = name.to_owned();
            file.push("_FILE");
            command.env_remove(file);
        }
    }
    command
}

/// The program `reserves-audit`, which cargo builds next to the server.
pub(crate) fn audit_program() -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_server")).with_file_name("reserves-audit");
    assert!(program.exists(), "cargo build --package audit makes it");
    let mut command = Command::new(program);
    command.env("HOME", "/dev/null");
    for name in ["CHAIN", "CHAIN_QUORUM", "CHAIN_CHECKPOINT", "NETWORK"] {
        command.env_remove(name);
    }
    command
}

/// The same after this shell command.
pub(crate) fn program_after(words: &str) -> Command {
    let program = program();
    let mut shell = Command::new("sh");
    for (name, _) in program.get_envs().filter(|(_, value)| value.is_none()) {
        shell.env_remove(name);
    }
    let words = format!("{words} && exec \"$0\" \"$@\"");
    shell.args(["-c", &words]).arg(program.get_program());
    shell
}

/// A program's exit status and output.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    /// Its standard output; the program must have succeeded.
    #[track_caller]
    pub(crate) fn done(self) -> String {
        assert!(self.status.success(), "{self:?}");
        self.out
    }

    /// Its standard error; the program must have failed.
    #[track_caller]
    pub(crate) fn failed(self) -> String {
        assert!(!self.status.success(), "{self:?}");
        self.err
    }
}

/// Runs a program to its end, for two minutes at most: a server that serves instead of refusing would never end.
pub(crate) fn ended(command: &mut Command) -> Ended {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    let id = child.id();
    let (ended, waits) = channel::<()>();
    let watch = thread::spawn(move || {
        if waits.recv_timeout(Duration::from_secs(120)) == Err(RecvTimeoutError::Timeout) {
            tell_to_stop(id);
        }
    });
    let output = child.wait_with_output().expect("what it said");
    drop(ended);
    watch.join().expect("a watch");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ended {
        status: output.status,
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}

/// Runs the server's program to its end.
pub(crate) fn run(arguments: &[&str]) -> Ended {
    ended(program().args(arguments))
}

pub(crate) fn tell_to_stop(id: u32) {
    let status = Command::new("kill").arg(id.to_string()).status();
    assert!(status.expect("kill").success());
}

/// Runs a command on this database, which must succeed; returns its output.
pub(crate) fn operate(database_url: &str, command: &[&str]) -> String {
    let database = format!("--database-url={database_url}");
    run(&[&["--app-env=development", &database], command].concat()).done()
}

/// The error of a program that must fail.
pub(crate) fn refusal(arguments: &[&str]) -> String {
    run(arguments).failed()
}

impl ServerProcess {
    /// Starts a server in development mode and waits until it answers.
    pub(crate) async fn start(url: &str, more: &[&str]) -> Self {
        Self::begin(url, more).ready().await
    }

    /// Starts one on a new SQLite file.
    pub(crate) async fn on_sqlite(more: &[&str]) -> Self {
        let database = TestDatabase::sqlite().await;
        let mut process = Self::start(&database.url, more).await;
        process._database = Some(database);
        process
    }

    /// Starts a server in a shell, after this shell command.
    pub(crate) async fn start_after(words: &str, url: &str, more: &[&str]) -> Self {
        let process = Self::begin_as(program_after(words), free_address(), url, more);
        process.ready().await
    }

    /// Starts one at an earlier one's address: signatures for its origin are valid again.
    pub(crate) async fn start_again(address: SocketAddr, url: &str, more: &[&str]) -> Self {
        Self::begin_as(program(), address, url, more).ready().await
    }

    /// Starts it without waiting.
    pub(crate) fn begin(url: &str, more: &[&str]) -> Self {
        Self::begin_as(program(), free_address(), url, more)
    }

    fn begin_as(mut program: Command, address: SocketAddr, url: &str, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = File::create(folder.path().join("log")).unwrap();
        let metrics = free_address();
        let origin = format!("http://{address}");
        let site = more.iter().find_map(|it| it.strip_prefix("--public-url="));
        let site = site.unwrap_or(&origin).to_owned();
        program
            .arg("--app-env=development")
            .arg(format!("--listen={address}"))
            .arg(format!("--metrics-listen={metrics}"))
            .arg(format!("--database-url={url}"))
            .args(more)
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        Self {
            child: program.spawn().expect("the server's program"),
            folder,
            _database: None,
            address,
            metrics,
            origin,
            site,
        }
    }

    async fn ready(mut self) -> Self {
        self.answers().await;
        self
    }

    /// Waits until it is ready.
    pub(crate) async fn answers(&mut self) {
        let ready = format!("{}/readyz", self.origin);
        wait_until("starting", async || {
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("the server ended with {status}: {}", self.log());
            }
            let answer = http_client().get(&ready).send().await;
            answer.is_ok_and(|answer| answer.status().is_success())
        })
        .await;
    }

    /// A visitor's GET.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        answer(http_client().get(format!("{}{path}", self.origin))).await
    }

    /// A new mock user.
    pub(crate) async fn sign_in(&self) -> Person<'static> {
        let session = sign_in_from(&self.origin, &self.site).await;
        Person::new(&self.origin, &session.body)
    }

    /// Whether an access token is accepted.
    pub(crate) async fn is_in(&self, token: &str) -> bool {
        let request = http_client().get(format!("{}/api/auth/v1/user", self.origin));
        answer(request.bearer_auth(token)).await.status == 200
    }

    /// All its metrics, in Prometheus' format.
    pub(crate) async fn metrics(&self) -> String {
        let page = http_client().get(format!("http://{}/metrics", self.metrics));
        page.send().await.unwrap().text().await.unwrap()
    }

    /// The value of a series; `None` when there is no such series.
    pub(crate) async fn metric(&self, series: &str) -> Option<f64> {
        let page = self.metrics().await;
        let mut lines = page.lines();
        let value = lines.find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        value?.parse().ok()
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its peak memory so far, in kB; `None` where the system does not report it.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let peak = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        peak.split_whitespace().nth(1)?.parse().ok()
    }

    /// Its output so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Kills it, like a power cut.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends it a signal, by its name without `SIG`.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.expect("kill").success());
    }

    /// Sends it the signal to stop.
    pub(crate) fn tell_to_stop(&self) {
        tell_to_stop(self.id());
    }

    /// Stops it, which must succeed.
    pub(crate) async fn stop(&mut self) {
        self.tell_to_stop();
        self.stopped().await;
    }

    /// Waits until it has stopped, which must succeed.
    pub(crate) async fn stopped(&mut self) {
        let status = until("stopping", async || self.child.try_wait().unwrap()).await;
        assert!(status.success(), "{status}: {}", self.log());
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // Both fail when it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
