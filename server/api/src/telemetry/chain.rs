//! Measures the response times of chain sources.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use bitcoin::block::Header;
use bitcoin::{BlockHash, OutPoint};

use ::chain::{ChainError, ChainSource, Coin, Spends, Tip};

/// Records the time and the result of each request to a source.
#[derive(Debug)]
pub struct Measured(pub Arc<dyn ChainSource>);

impl Measured {
    async fn measure<T>(
        &self,
        question: &'static str,
        response: impl Future<Output = Result<T, ChainError>> + Send,
    ) -> Result<T, ChainError> {
        let begin = Instant::now();
        let response = response.await;
        let result = match &response {
            Ok(_) => "ok",
            Err(ChainError::Unreachable { .. }) => "unreachable",
            Err(ChainError::Invalid { .. }) => "invalid",
            Err(ChainError::Behind { .. }) => "behind",
            Err(_) => "other",
        };
        let source = self.0.name().to_owned();
        metrics::histogram!("chain_request_duration_seconds", "source" => source, "question" => question, "result" => result)
            .record(begin.elapsed());
        response
    }
}

#[async_trait]
impl ChainSource for Measured {
    fn name(&self) -> &str {
        self.0.name()
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        self.measure("block-hash", self.0.block_hash_at(height))
            .await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.measure("tip", self.0.tip()).await
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.measure("coins", self.0.coins(outpoints)).await
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Option<Spends>, ChainError> {
        self.measure("block", self.0.spent_in_block(block)).await
    }

    async fn median_time_before(
        &self,
        block: BlockHash,
        height: u32,
    ) -> Result<Option<i64>, ChainError> {
        self.measure("median-time", self.0.median_time_before(block, height))
            .await
    }

    async fn block_header(
        &self,
        block: BlockHash,
        height: u32,
    ) -> Result<Option<Header>, ChainError> {
        self.measure("header", self.0.block_header(block, height))
            .await
    }
}
