//! The node's process: started in its own folder, and ended with the tests.

use std::iter::{Cycle, Skip};
use std::net::TcpListener;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};
use std::{env, fs};

use rand::Rng;

use super::super::child_process::{self, ChildProcess};
use super::*;

const START_DEADLINE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(50);

/// Another process can take the free port before the node does.
const ATTEMPTS: u32 = 3;

/// The password begins with characters that a URL must encode, so that every test checks the
/// decoding. The rest is unique for each node: no test can reach another one's.
const PASSWORD: &str = "p@ss/w#rd%";
const PASSWORD_IN_URL: &str = "p%40ss%2Fw%23rd%25";

/// Options that only some nodes know: a node warns about an unknown line in its file, but
/// rejects an unknown argument. The wallets need not survive a power cut.
const CONFIGURATION: &str = "softwareexpiry=0\nunsafesqlitesync=1\n";

const OPTIONS: &str = "-regtest -server -rpcuser=test -listen=0 -connect=0 -rpcbind=127.0.0.1 -rpcallowip=127.0.0.1 \
    -rpcworkqueue=256 -fallbackfee=0.0001 -spendzeroconfchange=0 -keypool=10 -debuglogfile=0 -dbcache=16";

pub(super) struct Process {
    _process: ChildProcess,
    port: u16,
    password: String,
    pub(super) url: String,
}

impl Process {
    pub(super) async fn start(options: &[&str]) -> Self {
        let executable = executable();
        let mut failure = String::new();
        for _ in 0..ATTEMPTS {
            match Self::attempt(&executable, options).await {
                Ok(process) => return process,
                Err(output) => failure = output,
            }
        }
        panic!("{} did not start: {failure}", executable.display());
    }

    async fn attempt(executable: &Path, options: &[&str]) -> Result<Self, String> {
        let folder = child_process::folder("regtest-node-");
        fs::write(folder.join("bitcoin.conf"), CONFIGURATION).expect("a writable folder");
        let port = free_port();
        let own = Uuid::new_v4().simple();
        let password = format!("{PASSWORD}{own}");
        let mut command = child_process::command(&folder, executable);
        command
            .arg(format!("-datadir={}", folder.display()))
            .arg(format!("-rpcport={port}"))
            .arg(format!("-rpcpassword={password}"))
            .args(OPTIONS.split(' '))
            .args(options);
        let process = Self {
            _process: ChildProcess::start(&mut command),
            port,
            password,
            url: format!("http://test:{PASSWORD_IN_URL}{own}@127.0.0.1:{port}"),
        };
        process.wait_until_ready(&folder).await?;
        Ok(process)
    }

    async fn wait_until_ready(&self, folder: &Path) -> Result<(), String> {
        let request = json!({"id": 0, "method": "getblockchaininfo", "params": []});
        let started = Instant::now();
        while started.elapsed() < START_DEADLINE {
            if let Ok(answer) = self.post("", &request).await
                && answer["error"].is_null()
            {
                return Ok(());
            }
            let output = fs::read_to_string(folder.join("output")).unwrap_or_default();
            if output.contains("\nError:") {
                let errors = output.lines().filter(|line| line.contains("rror"));
                return Err(errors.collect::<Vec<_>>().join("\n"));
            }
            tokio::time::sleep(POLL).await;
        }
        Err(format!("no answer within {START_DEADLINE:?}"))
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, reqwest::Error> {
        let request = http_client().post(format!("http://127.0.0.1:{}{path}", self.port));
        let request = request.basic_auth("test", Some(&self.password)).json(body);
        request.send().await?.json().await
    }
}

/// `BITCOIND_EXE`, else `bitcoind` on the path.
fn executable() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|folder| folder.join("bitcoind"));
    let named = env::var_os("BITCOIND_EXE").map(PathBuf::from);
    let on_path = on_path.filter(|file| file.is_file());
    let mut found = named.into_iter().chain(on_path);
    let advice = "a Bitcoin node: run ./test, which gets one, or name bitcoind in BITCOIND_EXE";
    found.next().expect(advice)
}

/// Ports below the ephemeral range: while a listener is down, the system gives its port to no connection, so it can listen there again.
const PORTS: Range<u16> = 10_000..32_768;

/// A port without a listener, and not one that another test was given, whose server may not listen yet.
pub(crate) fn free_port() -> u16 {
    static NEXT: LazyLock<Mutex<Skip<Cycle<Range<u16>>>>> = LazyLock::new(|| {
        let first = rand::rng().random_range(0..PORTS.len());
        Mutex::new(PORTS.cycle().skip(first))
    });
    let mut ports = NEXT.lock().unwrap();
    let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let free = ports.by_ref().take(1_000).find(free);
    free.expect("a free port")
}
