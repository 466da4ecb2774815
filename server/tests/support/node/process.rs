//! The node's process: started with a folder of its own, ended with the tests whatever happens.

use std::env;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};

use serde_json::{Value, json};
use uuid::Uuid;

use super::super::http_client;

const START_DEADLINE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(50);

/// Another process can take the free port before the node does.
const ATTEMPTS: u32 = 3;

/// A password begins with characters that a URL must encode, so that every test proves that they are
/// decoded. What follows is the node's own: no test ever talks to another's node.
const PASSWORD: &str = "p@ss/w#rd%";
const PASSWORD_IN_URL: &str = "p%40ss%2Fw%23rd%25";

/// The node runs under a shell that waits for the end of its own input. That is a pipe from the
/// test process, which the system closes however that process ends, so no node outlives its tests:
/// neither a panic nor an interrupt skips it, and values in statics need no destructor.
const KEEPER: &str = r#"
trap '' INT HUP TERM
folder=$1; shift
exec 3<&0
"$@" </dev/null >"$folder/output" 2>&1 &
node=$!
{ cat <&3 >/dev/null; kill -9 "$node" 2>/dev/null; } >/dev/null 2>&1 &
wait "$node"
while read -r _ <&3; do :; done
rm -rf "$folder"
"#;

/// Options that only some nodes know: a node warns about an unknown line in its file, while it
/// refuses an unknown argument. The wallets need not survive a power cut.
const CONFIGURATION: &str = "softwareexpiry=0\nunsafesqlitesync=1\n";

#[derive(Debug)]
pub(super) struct Process {
    keeper: Child,
    port: u16,
    password: String,
    url: String,
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
        let folder = tempfile::Builder::new()
            .prefix("regtest-node-")
            .tempdir()
            .expect("a temporary folder")
            .keep();
        fs::write(folder.join("bitcoin.conf"), CONFIGURATION).expect("a writable folder");
        let port = free_port();
        let own = Uuid::new_v4().simple();
        let password = format!("{PASSWORD}{own}");
        let keeper = Command::new("sh")
            .args(["-c", KEEPER, "sh"])
            .arg(&folder)
            .arg(executable)
            .arg(format!("-datadir={}", folder.display()))
            .arg(format!("-rpcport={port}"))
            .arg(format!("-rpcpassword={password}"))
            .args([
                "-regtest",
                "-server",
                "-rpcuser=test",
                "-listen=0",
                "-connect=0",
            ])
            .args([
                "-rpcbind=127.0.0.1",
                "-rpcallowip=127.0.0.1",
                "-rpcworkqueue=256",
            ])
            .args([
                "-fallbackfee=0.0001",
                "-spendzeroconfchange=0",
                "-keypool=10",
            ])
            .args(["-debuglogfile=0", "-dbcache=16"])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh is there");
        let process = Self {
            keeper,
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

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, reqwest::Error> {
        let request = http_client()
            .post(format!("http://127.0.0.1:{}{path}", self.port))
            .basic_auth("test", Some(&self.password))
            .json(body);
        request.send().await?.json().await
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ended: io::Result<_> = self.keeper.wait();
    }
}

/// `BITCOIND_EXE`, else `bitcoind` on the path.
fn executable() -> PathBuf {
    env::var_os("BITCOIND_EXE")
        .map(PathBuf::from)
        .or_else(|| {
            let path = env::var_os("PATH")?;
            env::split_paths(&path)
                .map(|folder| folder.join("bitcoind"))
                .find(|file| file.is_file())
        })
        .expect(
            "these tests need a Bitcoin node: run ./test, which gets one, or install bitcoind and \
             name it in BITCOIND_EXE",
        )
}

fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| listener.local_addr())
        .expect("a free port")
        .port()
}
