//! The Electrum protocol 1.4 as a source.
//!
//! Not the crate `electrum-client`, because that one blocks a thread for each connection, has no limit on the size of responses, and uses its
//! own root certificates. This client uses the TLS stack and the roots of the server's other outbound connections.
//!
//! The protocol has no blocks, so this source cannot say what a block spends. And it indexes coins by the hash of their script, so a look-up
//! fetches the transaction first, then the script's unspent outputs, and for a coin that is not among them the transaction that spends it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bitcoin::block::Header;
use bitcoin::{BlockHash, OutPoint};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::json;
use tokio_rustls::TlsConnector;
use url::Url;

use super::kind::Kind;
use crate::address::{SourceUrlError, bare_host, host_and_port, is_loopback};
use crate::json_rpc::Reply;
use crate::service::{SMALL_ANSWER, Service};
use crate::{ChainError, ChainSource, Coin, Tip};

mod blocks;
mod calls;
mod coins;
mod connection;
mod headers;
mod spenders;
mod tls;

use connection::{Connection, TLS};
use headers::{MEDIAN_SPAN, header, median_time};
pub use tls::tls;

/// The entry in the table of sources.
pub(super) const KIND: Kind = Kind {
    prefix: "electrum",
    own: false,
    open: |url, _| Ok(Arc::new(Electrum::new(url, tls()?)?)),
};

/// An Electrum server: ElectrumX, electrs, Fulcrum and others.
pub struct Electrum {
    service: Service,
    url: Url,
    tls: TlsConnector,
    idle: Mutex<Vec<Connection>>,
}

/// The result of `blockchain.headers.subscribe`.
#[derive(Deserialize)]
struct TipAnswer {
    height: u32,
    hex: String,
}

impl Electrum {
    /// The server at `url`: `ssl://host:50002`, or `tcp://127.0.0.1:50001` on this machine.
    ///
    /// # Errors
    /// When `url` is not such an address, or is plain TCP to another machine.
    pub fn new(url: &str, tls: TlsConnector) -> Result<Self, SourceUrlError> {
        let url = parse(url)?;
        Ok(Self {
            service: Service::new(format!("Electrum at {}", host_and_port(&url))),
            url,
            tls,
            idle: Mutex::default(),
        })
    }

    /// Waits at most `timeout` for each answer.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.service.set_timeout(timeout);
        self
    }

    /// The newest block, according to the server.
    async fn newest(&self) -> Result<TipAnswer, ChainError> {
        let method = "blockchain.headers.subscribe";
        let read = |reply: Reply<'_>| self.service.result(reply);
        self.one(method, json!([]), SMALL_ANSWER, read).await
    }
}

#[async_trait]
impl ChainSource for Electrum {
    fn name(&self) -> &str {
        self.service.name()
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        // Servers have different errors for a block that does not exist, so compare with the newest one.
        if height > self.newest().await?.height {
            return Ok(None);
        }
        let hashes = self.block_hashes(BTreeSet::from([height])).await?;
        Ok(hashes.get(&height).copied())
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let TipAnswer { height, hex } = self.newest().await?;
        let newest = header(&self.service, &hex)?;
        let headers = self.headers_up_to(height, MEDIAN_SPAN).await?;
        if headers.last() != Some(&newest) {
            return Err(ChainError::Moved);
        }
        Ok(Tip {
            height,
            hash: newest.block_hash(),
            median_time: median_time(&headers),
        })
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.service.look_up(self.states(outpoints)).await
    }

    async fn block_header(
        &self,
        block: BlockHash,
        height: u32,
    ) -> Result<Option<Header>, ChainError> {
        Ok(self.headers_to(block, height, 1).await?.pop())
    }

    async fn median_time_before(
        &self,
        block: BlockHash,
        height: u32,
    ) -> Result<Option<i64>, ChainError> {
        let headers = self.headers_to(block, height, MEDIAN_SPAN + 1).await?;
        match headers.split_last() {
            Some((_, before)) if !before.is_empty() => Ok(Some(median_time(before))),
            _ => Err(self.service.invalid("a block without a previous one")),
        }
    }
}

/// Parses `ssl://host:port` or `tcp://host:port`.
fn parse(text: &str) -> Result<Url, SourceUrlError> {
    let url = Url::parse(text.trim()).map_err(|_| SourceUrlError::NotAUrl)?;
    let credentials = !url.username().is_empty() || url.password().is_some();
    let more = url.query().is_some() || url.fragment().is_some() || !matches!(url.path(), "" | "/");
    let has_port = !bare_host(&url).is_empty() && url.port().is_some();
    if ![TLS, "tcp"].contains(&url.scheme()) || credentials || more || !has_port {
        return Err(SourceUrlError::Electrum);
    }
    match url.scheme() == TLS || is_loopback(&url) {
        true => Ok(url),
        false => Err(SourceUrlError::PlainTcp),
    }
}
