//! Bitcoin Core's RPC as a source: the strongest one when the node is one's own (rule B6).
//!
//! Any node that speaks the same calls will do. `-txindex` is not needed, but with it a coin that is
//! spent can be told from one that never existed.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use bitcoin::{Block, BlockHash, OutPoint, consensus};
use reqwest::Client;
use serde::Deserialize;
use serde_json::json;

use super::address::{SourceUrlError, host_and_port, source_url};
use super::service::{MAX_BLOCK_BYTES, SMALL_ANSWER, Service};
use super::{ChainError, ChainSource, Coin, Spends, Tip, spends};

mod coins;
mod history;
mod json_rpc;
mod unspent;

use json_rpc::{JsonRpc, Packing};

/// A Bitcoin Core node.
pub struct CoreRpc {
    rpc: JsonRpc,
}

/// Shows which node it is and nothing of how one signs in to it.
impl fmt::Debug for CoreRpc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("CoreRpc")
            .field(&self.name())
            .finish()
    }
}

#[derive(Deserialize)]
struct BlockchainInfo {
    blocks: u32,
    bestblockhash: String,
    mediantime: i64,
}

#[derive(Deserialize)]
struct BlockHeader {
    mediantime: i64,
    previousblockhash: Option<String>,
}

impl CoreRpc {
    /// The node at `url`, for example `http://user:password@127.0.0.1:8332`. User and password are
    /// those of `-rpcauth`; they are percent-encoded where a URL asks for it.
    ///
    /// # Errors
    /// When `url` is not an `http` or `https` URL.
    pub fn new(url: &str, client: Client) -> Result<Self, SourceUrlError> {
        let url = source_url(url)?;
        let name = format!("Bitcoin Core at {}", host_and_port(&url));
        Ok(Self {
            rpc: JsonRpc::new(url, Service::new(name), client),
        })
    }

    /// Waits at most `timeout` for each answer.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.rpc.service.set_timeout(timeout);
        self
    }

    fn block_hash(&self, text: &str) -> Result<BlockHash, ChainError> {
        text.parse()
            .map_err(|_| self.rpc.service.invalid("a block hash that is none"))
    }

    async fn header(&self, hash: &str) -> Result<BlockHeader, ChainError> {
        self.rpc
            .call("getblockheader", json!([hash]), SMALL_ANSWER)
            .await
    }

    fn block(&self, hash: BlockHash, text: &str) -> Result<Block, ChainError> {
        let block: Block = consensus::encode::deserialize_hex(text)
            .map_err(|_| self.rpc.service.invalid("a block that cannot be decoded"))?;
        if block.block_hash() != hash {
            return Err(self.rpc.service.invalid("another block than asked for"));
        }
        Ok(block)
    }
}

#[async_trait]
impl ChainSource for CoreRpc {
    fn name(&self) -> &str {
        self.rpc.service.name()
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        let packing = Packing {
            calls: 1,
            limit: SMALL_ANSWER,
        };
        let params = [json!([height])].into_iter();
        let mut replies = self.rpc.each("getblockhash", params, packing).await?;
        let reply = replies.pop().unwrap_or(Ok(None));
        if matches!(&reply, Err(error) if error.is_out_of_range()) {
            return Ok(None);
        }
        let hash: String = self.rpc.result("getblockhash", reply)?;
        self.block_hash(&hash).map(Some)
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let info: BlockchainInfo = self
            .rpc
            .call("getblockchaininfo", json!([]), SMALL_ANSWER)
            .await?;
        Ok(Tip {
            height: info.blocks,
            hash: self.block_hash(&info.bestblockhash)?,
            median_time: info.mediantime,
        })
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.rpc.service.look_up(self.look_up(outpoints)).await
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Option<Spends>, ChainError> {
        // Two hex digits for each byte, and the envelope around them.
        let limit = 2 * MAX_BLOCK_BYTES + SMALL_ANSWER;
        let text: String = self
            .rpc
            .call("getblock", json!([block.to_string(), 0]), limit)
            .await?;
        let spent = spends(&self.block(block, &text)?).ok_or_else(|| {
            self.rpc
                .service
                .invalid("a block that is not what its header says")
        })?;
        Ok(Some(spent))
    }

    async fn median_time_before(
        &self,
        block: BlockHash,
        _height: u32,
    ) -> Result<Option<i64>, ChainError> {
        let header = self.header(&block.to_string()).await?;
        let Some(previous) = header.previousblockhash else {
            return Err(self.rpc.service.invalid("a block without a previous one"));
        };
        Ok(Some(self.header(&previous).await?.mediantime))
    }
}
