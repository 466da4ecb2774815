//! Sources of mainnet that have fallen hours behind (rule B6).

use std::sync::Arc;

use async_trait::async_trait;
use bitcoin::{BlockHash, OutPoint};

use super::{Behind, ChainError, ChainSource, Coin, Spends, Tip};
use crate::clock::Clock;

/// The age in seconds, by median time past, from which on the newest block shows that a source of mainnet lags: the
/// median is about an hour behind, and six hours with no more than five blocks come once in many thousand years.
const STALE: i64 = 6 * HOUR;

const HOUR: i64 = 60 * 60;

/// A source of mainnet that has no tip while its newest block is old. Other networks stand still for days.
#[derive(Debug)]
pub(super) struct Fresh {
    pub(super) source: Arc<dyn ChainSource>,
    pub(super) clock: Clock,
}

#[async_trait]
impl ChainSource for Fresh {
    fn name(&self) -> &str {
        self.source.name()
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        self.source.block_hash_at(height).await
    }

    /// Every look-up and every step of the follower begins with it.
    async fn tip(&self) -> Result<Tip, ChainError> {
        let tip = self.source.tip().await?;
        let age = self.clock.now().saturating_sub(tip.median_time);
        if age < STALE {
            return Ok(tip);
        }
        Err(ChainError::Behind {
            source_name: self.name().to_owned(),
            behind: Behind::Stale { hours: age / HOUR },
        })
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.source.coins(outpoints).await
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Option<Spends>, ChainError> {
        self.source.spent_in_block(block).await
    }

    async fn median_time_before(
        &self,
        block: BlockHash,
        height: u32,
    ) -> Result<Option<i64>, ChainError> {
        self.source.median_time_before(block, height).await
    }
}
