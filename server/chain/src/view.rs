//! The chain as the rest of the server sees it: one or several sources that agree.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bitcoin::block::Header;
use bitcoin::{BlockHash, Network, OutPoint};
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream};
use tokio::time::{Instant, sleep};

use super::quorum::{Quorum, alike, at_one_tip};
use super::service::IN_FLIGHT;
use super::{ChainError, ChainSource, Coin, Expected, Snapshot, Spends, Tip};
use crate::clock::Clock;

/// How long to wait until enough sources have heard of the same newest block, and the pause before they are asked again.
const PATIENCE: Duration = Duration::from_secs(15);
const PAUSE: Duration = Duration::from_secs(1);

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

    /// The newest block. Sources hear of a block one after the other, so this waits until enough of them name the same one, at
    /// most 15 seconds. Everything else is asked once.
    ///
    /// # Errors
    /// When too few sources answer, or they do not agree in time.
    pub async fn tip(&self) -> Result<Tip, ChainError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.look_up(&[]).await {
                Err(ChainError::Moved | ChainError::Disagreement { .. })
                    if Instant::now() + PAUSE < deadline =>
                {
                    sleep(PAUSE).await;
                }
                snapshot => return Ok(snapshot?.tip),
            }
        }
    }

    /// Hash of the block at `height` in the best chain; `None` while the chain is shorter.
    ///
    /// # Errors
    /// When too few sources answer, or they do not agree.
    pub async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        let hash = self
            .quorum
            .ask(|member| member.source.block_hash_at(height), alike);
        hash.await
    }

    /// The header of the block at `height`. The hash proves it, so one source is enough.
    ///
    /// # Errors
    /// When no source has it.
    pub async fn block_header(&self, block: BlockHash, height: u32) -> Result<Header, ChainError> {
        self.quorum.block_header(block, height).await
    }

    /// The outpoints that the block spends; `None` when no source has blocks. The
    /// hash commits to it, so one source is enough; whether the block is in the chain is for
    /// [`block_hash_at`](Self::block_hash_at) to say.
    ///
    /// # Errors
    /// When no source can tell.
    pub async fn spent_in_block(&self, block: BlockHash) -> Result<Option<Spends>, ChainError> {
        self.quorum.spent_in_block(block).await
    }

    /// The state of each outpoint at one tip (rules B1, B2).
    ///
    /// # Errors
    /// When too few sources answer, they do not agree on a tip, or a block arrives meanwhile.
    pub async fn look_up(&self, outpoints: &[OutPoint]) -> Result<Snapshot, ChainError> {
        let look_up = self
            .quorum
            .ask(|member| member.look_up(outpoints).boxed(), at_one_tip);
        look_up.await
    }

    /// The same, and for the coins at the indexes `locked_in_time` when their locks began. Blocks are named by their hashes, so it
    /// does not matter whether the tip moves meanwhile.
    ///
    /// # Errors
    /// As for [`look_up`](Self::look_up).
    pub async fn look_up_with_times(
        &self,
        outpoints: &[OutPoint],
        locked_in_time: &[usize],
    ) -> Result<Snapshot, ChainError> {
        let mut snapshot = self.look_up(outpoints).await?;
        let locked = locked_in_time
            .iter()
            .filter_map(|index| snapshot.coins.get(*index));
        let blocks: HashSet<(BlockHash, u32)> = locked
            .filter_map(|coin| match coin {
                Coin::Unspent(coin) => coin.block.zip(coin.height),
                _ => None,
            })
            .collect();
        snapshot.median_times = stream::iter(blocks)
            .map(async |(block, height)| {
                let time = self.quorum.ask(
                    |member| member.source.median_time_before(block, height),
                    alike,
                );
                Ok(time.await?.map(|time| (block, time)))
            })
            .buffer_unordered(IN_FLIGHT)
            .try_filter_map(async |time| Ok(time))
            .try_collect()
            .await?;
        Ok(snapshot)
    }
}
