//! The chain as the rest of the server sees it: one or several sources that agree.

use std::sync::Arc;

use bitcoin::{BlockHash, Network, OutPoint};

use super::quorum::{BlockAt, LookUp, NewestBlock, Quorum, SpentIn};
use super::{ChainError, ChainSource, Expected, Snapshot, Spends, Tip};
use crate::clock::Clock;

/// The chain as the rest of the server sees it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Chain {
    quorum: Arc<Quorum>,
    network: Network,
}

impl Chain {
    /// Connects to `source` alone, by the machine's clock, and checks that it follows the expected chain (rule B5).
    ///
    /// # Errors
    /// When the source follows another network.
    pub async fn connect(
        source: Arc<dyn ChainSource>,
        expected: impl Into<Expected>,
    ) -> Result<Self, ChainError> {
        Self::connect_all(vec![source], 1, expected, Clock::System).await
    }

    /// Connects to several sources, in the order in which they are asked, of which `needed` must
    /// agree on every answer (rule B6). With 1 the others stand in for those that fail. `clock` tells which of them lag.
    ///
    /// # Errors
    /// When a source follows another network. Those that cannot be reached now are checked before they are first asked.
    pub async fn connect_all(
        sources: Vec<Arc<dyn ChainSource>>,
        needed: usize,
        expected: impl Into<Expected>,
        clock: Clock,
    ) -> Result<Self, ChainError> {
        let expected = expected.into();
        let quorum = Quorum::connect(sources, needed, expected, &clock).await?;
        let quorum = Arc::new(quorum);
        let network = expected.network;
        Ok(Self { quorum, network })
    }

    /// The network whose coins can be proven here.
    #[must_use]
    pub fn network(&self) -> Network {
        self.network
    }

    /// The network's name, part of what makes a claim unique.
    #[must_use]
    pub fn network_name(&self) -> &'static str {
        self.network.to_core_arg()
    }

    /// The newest block.
    ///
    /// # Errors
    /// When too few sources answer, or they do not agree.
    pub async fn tip(&self) -> Result<Tip, ChainError> {
        self.quorum.ask(&NewestBlock).await
    }

    /// Hash of the block at `height` in the best chain; `None` while the chain is shorter.
    ///
    /// # Errors
    /// When too few sources answer, or they do not agree.
    pub async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        self.quorum.ask(&BlockAt(height)).await
    }

    /// The outpoints that the block spends; `None` when no source has blocks. The
    /// hash commits to it, so one source is enough; whether the block is in the chain is for
    /// [`block_hash_at`](Self::block_hash_at) to say.
    ///
    /// # Errors
    /// When no source can tell.
    pub async fn spent_in_block(&self, block: BlockHash) -> Result<Option<Spends>, ChainError> {
        self.quorum.ask_any(&SpentIn(block)).await
    }

    /// The state of each outpoint at one tip (rules B1, B2).
    ///
    /// # Errors
    /// When too few sources answer, they do not agree, or the tip keeps moving.
    pub async fn look_up(&self, outpoints: &[OutPoint]) -> Result<Snapshot, ChainError> {
        self.look_up_with_times(outpoints, &[]).await
    }

    /// The state of each outpoint at one tip, and for the coins at the indexes `locked_in_time`
    /// when their locks began.
    ///
    /// # Errors
    /// When too few sources answer, they do not agree, or the tip keeps moving.
    pub async fn look_up_with_times(
        &self,
        outpoints: &[OutPoint],
        locked_in_time: &[usize],
    ) -> Result<Snapshot, ChainError> {
        let question = LookUp {
            outpoints,
            locked_in_time,
        };
        self.quorum.ask(&question).await
    }
}
