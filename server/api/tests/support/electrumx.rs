//! A real Electrum server, ElectrumX, on the node that all tests share.

use std::env;
use std::fs;
use std::path::PathBuf;

use chain::sources::electrum::Electrum;
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

mod caught_up;

pub(crate) use caught_up::caught_up;

use super::keeper::{self, Kept};
use super::node::free_port;
use crate::support::prelude::*;

const DEADLINE: Duration = Duration::from_secs(60);

/// The server's process and its addresses.
#[derive(Debug)]
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
        SERVER
            .get_or_init(async || Self::start(Node::shared().await).await)
            .await
    }

    /// A separate server, on a separate node.
    pub(crate) async fn start(node: &Node) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("electrumx-")
            .tempdir()
            .unwrap()
            .keep();
        let identity = rcgen::generate_simple_self_signed(["localhost".to_owned()])
            .expect("a certificate for this machine");
        let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
        fs::write(&certificate, identity.cert.pem()).expect("a writable folder");
        fs::write(&key, identity.signing_key.serialize_pem()).expect("a writable folder");
        let (tcp, ssl) = (free_port(), free_port());
        let services = format!("tcp://127.0.0.1:{tcp},ssl://127.0.0.1:{ssl}");
        let mut command = keeper::command(&folder, &executable());
        command
            .envs([("COIN", "Bitcoin"), ("NET", "regtest")])
            .env("DB_DIRECTORY", &folder)
            .env("DAEMON_URL", node.url())
            .env("SERVICES", services)
            .env("SSL_CERTFILE", &certificate)
            .env("SSL_KEYFILE", &key)
            // It has no peers.
            .envs([("PEER_DISCOVERY", "off"), ("PEER_ANNOUNCE", "")])
            .envs([("COST_SOFT_LIMIT", "0"), ("COST_HARD_LIMIT", "0")])
            .env("DAEMON_POLL_INTERVAL_BLOCKS", "100")
            .env("DAEMON_POLL_INTERVAL_MEMPOOL", "100")
            .envs([("CACHE_MB", "16"), ("ALLOW_ROOT", "yes")]);
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
        let url = format!("tcp://127.0.0.1:{}", self.tcp);
        Electrum::new(&url, trusting(None)).unwrap()
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

/// `ELECTRUMX_EXE`, else the copy that `./test` installs.
fn executable() -> PathBuf {
    let installed = "../../.tools/electrumx/bin/electrumx_server";
    env::var_os("ELECTRUMX_EXE")
        .map(PathBuf::from)
        .or_else(|| Some(Path::new(env!("CARGO_MANIFEST_DIR")).join(installed)))
        .filter(|file| file.is_file())
        .expect(
            "these tests need ElectrumX: run ./test, which gets it, or install it (pip install \
             'e-x<2' plyvel) and name its electrumx_server in ELECTRUMX_EXE",
        )
}
