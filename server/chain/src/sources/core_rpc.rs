//! Bitcoin Core's RPC as a source: the strongest one if it is your own node (rule B6).
//!
//! Any node with the same RPC methods works. `-txindex` is not needed; with it, it distinguishes a spent coin from one that never existed. With
//! `-txospenderindex` as well, it says when a coin was spent.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bitcoin::block::Header;
use bitcoin::{BlockHash, OutPoint, consensus};
use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::json;

use super::kind::Kind;
use crate::address::{SourceUrlError, host_and_port, is_loopback, source_url};
use crate::service::{MAX_BLOCK_BYTES, SMALL_ANSWER, Service};
use crate::{Behind, ChainError, ChainSource, Coin, CoinHistory, Spends, Tip};

mod coins;
mod history;
mod json_rpc;
mod spenders;

/// Core's code for a parameter that is out of its range (`RPC_INVALID_PARAMETER`).
const OUT_OF_RANGE: i64 = -8;

/// The entry in the table of sources.
pub(super) const KIND: Kind = Kind {
    prefix: "bitcoind",
    own: true,
    open: |url, client| Ok(Arc::new(CoreRpc::new(url, client.clone())?)),
};

/// A Bitcoin Core node.
pub struct CoreRpc {
    service: Service,
    client: Client,
    /// May contain user and password: never shown.
    url: Url,
}

#[derive(Deserialize)]
struct BlockchainInfo {
    blocks: u32,
    headers: u32,
    initialblockdownload: bool,
    bestblockhash: BlockHash,
    mediantime: i64,
}

/// How many blocks, about an hour of them, a node may still have to download or validate.
const HEADERS_AHEAD: u32 = 6;

impl BlockchainInfo {
    /// Why the node cannot say which coins are unspent, if so.
    fn behind(&self) -> Option<Behind> {
        let ahead = self.headers.saturating_sub(self.blocks) > HEADERS_AHEAD;
        (self.initialblockdownload || ahead).then_some(Behind::Syncing {
            blocks: self.blocks,
            headers: self.headers,
        })
    }
}

/// The packing of calls into requests.
#[derive(Clone, Copy)]
struct Packing {
    /// Most calls in one request.
    calls: usize,
    /// The most bytes in a response.
    limit: usize,
}

/// The packing of block hashes, about 100 bytes each.
const BLOCKS: Packing = Packing {
    calls: 100,
    limit: 4 * SMALL_ANSWER,
};

#[derive(Deserialize)]
struct BlockHeader {
    height: u32,
    mediantime: i64,
    previousblockhash: Option<BlockHash>,
}

impl CoreRpc {
    /// The node at `url`, for example `http://user:password@127.0.0.1:8332`. User and password are
    /// those of `-rpcauth`, percent-encoded where a URL requires it.
    ///
    /// # Errors
    /// When `url` is not an `http` or `https` URL, or its password would be sent unencrypted.
    pub fn new(url: &str, client: Client) -> Result<Self, SourceUrlError> {
        let url = source_url(url)?;
        let password = !url.username().is_empty() || url.password().is_some();
        if password && url.scheme() == "http" && !is_loopback(&url) {
            return Err(SourceUrlError::PlainPassword);
        }
        Ok(Self {
            service: Service::new(format!("Bitcoin Core at {}", host_and_port(&url))),
            client,
            url,
        })
    }

    /// Waits at most `timeout` for each answer.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.service.set_timeout(timeout);
        self
    }

    async fn header(&self, hash: BlockHash) -> Result<BlockHeader, ChainError> {
        self.call("getblockheader", json!([hash]), SMALL_ANSWER)
            .await
    }
}

#[async_trait]
impl ChainSource for CoreRpc {
    fn name(&self) -> &str {
        self.service.name()
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        let params = vec![json!([height])];
        let hashes = self.each("getblockhash", params, BLOCKS, |_, reply| match reply {
            Err(error) if error.code == OUT_OF_RANGE => Ok(None),
            reply => self.service.result(reply).map(Some),
        });
        let hashes = hashes.await?;
        Ok(hashes.into_iter().flatten().next())
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let info: BlockchainInfo = self
            .call("getblockchaininfo", json!([]), SMALL_ANSWER)
            .await?;
        if let Some(behind) = info.behind() {
            let source_name = self.name().to_owned();
            return Err(ChainError::Behind {
                source_name,
                behind,
            });
        }
        Ok(Tip {
            height: info.blocks,
            hash: info.bestblockhash,
            median_time: info.mediantime,
        })
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.service.look_up(self.states(outpoints)).await
    }

    async fn histories(&self, outpoints: &[OutPoint]) -> Result<Vec<CoinHistory>, ChainError> {
        self.service.look_up(self.coin_histories(outpoints)).await
    }

    async fn block_header(&self, block: BlockHash) -> Result<Header, ChainError> {
        let params = json!([block, false]);
        let hex: String = self.call("getblockheader", params, SMALL_ANSWER).await?;
        self.service.header(block, &hex)
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Spends, ChainError> {
        // Two hex digits for each byte, and the envelope.
        let limit = 2 * MAX_BLOCK_BYTES + SMALL_ANSWER;
        let text: String = self.call("getblock", json!([block, 0]), limit).await?;
        let decoded = consensus::encode::deserialize_hex(&text);
        self.service.spends(block, decoded)
    }

    async fn median_time_before(&self, block: BlockHash) -> Result<i64, ChainError> {
        let Some(previous) = self.header(block).await?.previousblockhash else {
            return Err(self.service.invalid("a block without a previous one"));
        };
        Ok(self.header(previous).await?.mediantime)
    }
}
