//! Esplora's REST API as a source, for boards without their own node.
//!
//! For an output that does not exist Esplora answers "not spent", so the transaction is fetched and checked first. Transaction ids and
//! block hashes are recomputed, because the server's word is not enough.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bitcoin::block::Header;
use bitcoin::{BlockHash, OutPoint, consensus};
use reqwest::{Client, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::kind::Kind;
use crate::address::{SourceUrlError, host_and_port, is_loopback, source_url};
use crate::http::send;
use crate::service::{MAX_BLOCK_BYTES, SMALL_ANSWER, Service};
use crate::{ChainError, ChainSource, Coin, CoinHistory, Spends, Tip};

mod coins;

/// The entry in the table of sources.
pub(super) const KIND: Kind = Kind {
    prefix: "esplora",
    own: false,
    open: |url, client| Ok(Arc::new(Esplora::new(url, client.clone())?)),
};

/// An Esplora server, for example `https://blockstream.info/api`.
pub struct Esplora {
    service: Service,
    client: Client,
    /// The base URL of the API, with a slash at its end: joining replaces everything after the last one.
    base: Url,
}

#[derive(Deserialize)]
struct BlockAnswer {
    id: BlockHash,
    height: u32,
    mediantime: i64,
    previousblockhash: Option<BlockHash>,
}

impl Esplora {
    /// The API below `base_url`, with or without a trailing slash.
    ///
    /// # Errors
    /// When `base_url` is not a URL, or is plain `http` to another machine: anyone on the way
    /// could change what is proven.
    pub fn new(base_url: &str, client: Client) -> Result<Self, SourceUrlError> {
        let mut base = source_url(base_url)?;
        if base.scheme() == "http" && !is_loopback(&base) {
            return Err(SourceUrlError::PlainHttp);
        }
        if !base.path().ends_with('/') {
            let path = format!("{}/", base.path());
            base.set_path(&path);
        }
        Ok(Self {
            service: Service::new(format!("Esplora at {}", host_and_port(&base))),
            client,
            base,
        })
    }

    /// Waits at most `timeout` for each answer.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.service.set_timeout(timeout);
        self
    }

    /// The body at `path`; `None` for 404.
    async fn get(&self, path: &str, limit: usize) -> Result<Option<Vec<u8>>, ChainError> {
        let url = self
            .base
            .join(path)
            .map_err(|_| self.service.invalid("an address that cannot be joined"))?;
        send(&self.service, self.client.get(url), limit).await
    }

    /// A small JSON object.
    async fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, ChainError> {
        let body = self.get(path, SMALL_ANSWER).await?;
        self.service.json(&body.ok_or_else(|| self.not_found())?)
    }

    /// A block hash as plain text; `None` for 404.
    async fn find_block_hash(&self, path: &str) -> Result<Option<BlockHash>, ChainError> {
        let body = self.get(path, SMALL_ANSWER).await?;
        let hash = body.map(|body| String::from_utf8_lossy(&body).trim().parse());
        hash.transpose()
            .map_err(|_| self.service.invalid("a block hash that is none"))
    }

    fn not_found(&self) -> ChainError {
        self.service.unreachable("HTTP 404")
    }

    async fn block(&self, hash: BlockHash) -> Result<BlockAnswer, ChainError> {
        let block: BlockAnswer = self.json(&format!("block/{hash}")).await?;
        if block.id != hash {
            return Err(self.service.invalid("another block than asked for"));
        }
        Ok(block)
    }
}

#[async_trait]
impl ChainSource for Esplora {
    fn name(&self) -> &str {
        self.service.name()
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        let path = format!("block-height/{height}");
        self.find_block_hash(&path).await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let hash = self.find_block_hash("blocks/tip/hash").await?;
        let hash = hash.ok_or_else(|| self.not_found())?;
        let block = self.block(hash).await?;
        Ok(Tip {
            height: block.height,
            hash,
            median_time: block.mediantime,
        })
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.service.look_up(self.states(outpoints)).await
    }

    async fn histories(&self, outpoints: &[OutPoint]) -> Result<Vec<CoinHistory>, ChainError> {
        self.service.look_up(self.coin_histories(outpoints)).await
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Spends, ChainError> {
        let service = &self.service;
        let path = format!("block/{block}/raw");
        let body = self.get(&path, MAX_BLOCK_BYTES).await?;
        let unknown = || service.unreachable(format!("it does not know the block {block}"));
        let block_bytes = body.ok_or_else(unknown)?;
        let decoded = consensus::deserialize(&block_bytes);
        service.spends(block, decoded)
    }

    async fn median_time_before(&self, block: BlockHash) -> Result<i64, ChainError> {
        let Some(previous) = self.block(block).await?.previousblockhash else {
            return Err(self.service.invalid("a block without a previous one"));
        };
        Ok(self.block(previous).await?.mediantime)
    }

    async fn block_header(&self, block: BlockHash) -> Result<Header, ChainError> {
        let path = format!("block/{block}/header");
        let body = self.get(&path, SMALL_ANSWER).await?.unwrap_or_default();
        let hex = str::from_utf8(&body).unwrap_or_default();
        self.service.header(block, hex)
    }
}
