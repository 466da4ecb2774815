//! A source that waits for the real server.

use std::collections::HashSet;
use std::time::Instant;

use async_trait::async_trait;
use bitcoin::block::Header;
use bitcoin::{BlockHash, OutPoint, Txid};
use chain::sources::electrum::Electrum;
use chain::{ChainError, ChainSource, Coin, Spends, Tip};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::super::node::Node;
use super::{DEADLINE, ElectrumX, POLL};

/// The server as a source that answers only after it has processed its node's newest block: it polls the node
/// ten times a second, and tests do not wait between two steps.
pub(crate) struct CaughtUp {
    node: &'static Node,
    electrum: Electrum,
    seen: Mutex<HashSet<Txid>>,
}

impl CaughtUp {
    /// The shared server on the shared node.
    pub(crate) async fn shared() -> Self {
        Self {
            node: Node::shared().await,
            electrum: ElectrumX::shared().await.source(),
            seen: Mutex::default(),
        }
    }

    async fn blocks(&self) {
        let (height, _) = self.node.tip().await;
        let started = Instant::now();
        while self.electrum.tip().await.map_or(0, |tip| tip.height) < height {
            wait(started).await;
        }
    }

    async fn mempool(&self) {
        let mut seen = self.seen.lock().await;
        let mempool: Value = self.node.call("getrawmempool", json!([])).await;
        let txids = mempool.as_array().into_iter().flatten();
        let started = Instant::now();
        for txid in txids.filter_map(Value::as_str) {
            let txid: Txid = txid.parse().expect("a txid");
            let outputs = [0, 1].map(|vout| OutPoint { txid, vout });
            while !seen.contains(&txid) {
                let coins = self.electrum.coins(&outputs).await;
                if coins.is_ok_and(|coins| !coins.contains(&Coin::Unknown)) {
                    seen.insert(txid);
                } else {
                    wait(started).await;
                }
            }
        }
    }
}

async fn wait(started: Instant) {
    assert!(started.elapsed() < DEADLINE, "ElectrumX does not catch up");
    tokio::time::sleep(POLL).await;
}

#[async_trait]
impl ChainSource for CaughtUp {
    fn name(&self) -> &str {
        self.electrum.name()
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        self.blocks().await;
        self.electrum.block_hash_at(height).await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.blocks().await;
        self.electrum.tip().await
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.blocks().await;
        self.mempool().await;
        self.electrum.coins(outpoints).await
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Option<Spends>, ChainError> {
        self.electrum.spent_in_block(block).await
    }

    async fn median_time_before(
        &self,
        block: BlockHash,
        height: u32,
    ) -> Result<Option<i64>, ChainError> {
        self.blocks().await;
        self.electrum.median_time_before(block, height).await
    }

    async fn block_header(
        &self,
        block: BlockHash,
        height: u32,
    ) -> Result<Option<Header>, ChainError> {
        self.blocks().await;
        self.electrum.block_header(block, height).await
    }
}
