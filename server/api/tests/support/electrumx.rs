//! A real Electrum server, ElectrumX, on the node that all tests share.

use std::env;
use std::fs;
use std::path::PathBuf;

use chain::Coin;
use chain::sources::electrum::Electrum;
use tokio::net::TcpStream;
use tokio::sync::{Mutex as Turn, OnceCell};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::double::Double;
use super::keeper::{self, Kept};
use super::node::free_port;
use crate::support::prelude::*;

const DEADLINE: Duration = Duration::from_secs(60);

/// It has no peers.
const SETTINGS: &str = "COIN=Bitcoin NET=regtest PEER_DISCOVERY=off PEER_ANNOUNCE= COST_SOFT_LIMIT=0 COST_HARD_LIMIT=0 \
    DAEMON_POLL_INTERVAL_BLOCKS=100 DAEMON_POLL_INTERVAL_MEMPOOL=100 CACHE_MB=16 ALLOW_ROOT=yes";

/// The server's process and its addresses.
pub(crate) struct ElectrumX {
    _keeper: Kept,
    tcp: u16,
    ssl: u16,
    certificate: CertificateDer<'static>,
}

impl ElectrumX {
    /// The server that all tests of this binary share.
    pub(crate) async fn shared() -> &'static Self {
        static SERVER: OnceCell<ElectrumX> = OnceCell::const_new();
        let start = async || Self::start(Node::shared().await).await;
        SERVER.get_or_init(start).await
    }

    /// A separate server, on a separate node.
    pub(crate) async fn start(node: &Node) -> Self {
        let folder = keeper::folder("electrumx-");
        let identity = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
        fs::write(&certificate, identity.cert.pem()).expect("a writable folder");
        fs::write(&key, identity.signing_key.serialize_pem()).expect("a writable folder");
        let (tcp, ssl) = (free_port(), free_port());
        let services = format!("tcp://127.0.0.1:{tcp},ssl://127.0.0.1:{ssl}");
        let mut command = keeper::command(&folder, &executable());
        command
            .envs(SETTINGS.split(' ').filter_map(|it| it.split_once('=')))
            .env("DB_DIRECTORY", &folder)
            .env("DAEMON_URL", node.url())
            .env("SERVICES", services)
            .env("SSL_CERTFILE", &certificate)
            .env("SSL_KEYFILE", &key);
        let server = Self {
            _keeper: Kept::start(&mut command),
            tcp,
            ssl,
            certificate: identity.cert.der().clone(),
        };
        server.wait_until_ready(&folder).await;
        server
    }

    async fn wait_until_ready(&self, folder: &Path) {
        let begun = Instant::now();
        // It opens its ports one after the other.
        for port in [self.tcp, self.ssl] {
            while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                let output = || fs::read_to_string(folder.join("output")).unwrap_or_default();
                assert!(begun.elapsed() < DEADLINE, "no answer: {}", output());
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    /// Its port for plain TCP.
    pub(crate) fn port(&self) -> u16 {
        self.tcp
    }

    /// Its address for TLS.
    pub(crate) fn ssl_url(&self) -> String {
        format!("ssl://localhost:{}", self.ssl)
    }

    /// A source at the server, without TLS.
    pub(crate) fn source(&self) -> Electrum {
        Electrum::new(&format!("tcp://127.0.0.1:{}", self.tcp), trusting(None)).unwrap()
    }

    /// TLS that trusts its certificate.
    pub(crate) fn tls(&self) -> TlsConnector {
        trusting(Some(&self.certificate))
    }
}

/// TLS that trusts only this certificate, or none.
pub(crate) fn trusting(certificate: Option<&CertificateDer<'static>>) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(certificate.cloned());
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("TLS 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

/// The shared server on the shared node, as a source that answers only after it has processed its node's newest block and its mempool:
/// it polls the node ten times a second, and tests do not wait between two steps.
pub(crate) async fn caught_up() -> Arc<Double> {
    let source = Arc::new(ElectrumX::shared().await.source());
    let seen: Arc<Turn<HashSet<Txid>>> = Arc::default();
    let asked = Arc::clone(&source);
    let wait = move |about_coins| {
        let (source, seen) = (Arc::clone(&asked), Arc::clone(&seen));
        async move { until_it_knows(&source, about_coins, &seen).await }.boxed()
    };
    Arc::new(Double::waiting(source, wait))
}

async fn until_it_knows(source: &Electrum, about_coins: bool, seen: &Turn<HashSet<Txid>>) {
    let node = Node::shared().await;
    let (height, _) = node.tip().await;
    let started = Instant::now();
    while source.tip().await.map_or(0, |tip| tip.height) < height {
        wait(started).await;
    }
    if !about_coins {
        return;
    }
    let mut seen = seen.lock().await;
    let mempool = node.call("getrawmempool", json!([])).await;
    for txid in mempool.as_array().into_iter().flatten() {
        let txid: Txid = text(txid).parse().unwrap();
        let outputs = [0, 1].map(|vout| OutPoint { txid, vout });
        while !seen.contains(&txid) {
            match source.coins(&outputs).await {
                Ok(coins) if !coins.contains(&Coin::Unknown) => drop(seen.insert(txid)),
                _ => wait(started).await,
            }
        }
    }
}

async fn wait(started: Instant) {
    assert!(started.elapsed() < DEADLINE, "ElectrumX does not catch up");
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// `ELECTRUMX_EXE`, else the copy that `./test` installs.
fn executable() -> PathBuf {
    let installed = "../../.tools/electrumx/bin/electrumx_server";
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join(installed);
    let file = env::var_os("ELECTRUMX_EXE").map_or(installed, PathBuf::from);
    let advice = "run ./test, which gets ElectrumX, or name its electrumx_server in ELECTRUMX_EXE";
    assert!(file.is_file(), "{advice}");
    file
}
