//! Rule B6: several sources, of which some must agree. Real ones, and some that lie, lag or fail.

mod agreement;
mod failover;
mod submission;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bitcoin::{Amount, BlockHash, Network, OutPoint};
use chain::clock::Clock;
use chain::{Chain, ChainError, ChainSource, Coin, Spends, Tip};

use super::{Source, core_rpc, esplora};
use crate::support::electrumx::CaughtUp;
use crate::support::node::Node;

/// A source in front of another one, that can be made to fail, to lie, or to fall behind.
#[derive(Debug)]
struct Doubtful {
    source: Source,
    fails: AtomicBool,
    lie: fn(&mut Coin),
    /// The newest block that it admits to, when it lags.
    stuck: Mutex<Option<Tip>>,
    /// How often it was asked about coins.
    asked: AtomicUsize,
}

impl Doubtful {
    fn honest(source: Source) -> Arc<Self> {
        Self::lying(source, |_| ())
    }

    fn lying(source: Source, lie: fn(&mut Coin)) -> Arc<Self> {
        Arc::new(Self {
            source,
            fails: AtomicBool::new(false),
            lie,
            stuck: Mutex::new(None),
            asked: AtomicUsize::new(0),
        })
    }

    fn failing(source: Source) -> Arc<Self> {
        let failing = Self::honest(source);
        failing.fail(true);
        failing
    }

    fn fail(&self, fails: bool) {
        self.fails.store(fails, Ordering::Relaxed);
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn answer(&self) -> Result<(), ChainError> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(ChainError::Unreachable {
                source_name: self.name().to_owned(),
                reason: "switched off".to_owned(),
            });
        }
        Ok(())
    }
}

#[async_trait]
impl ChainSource for Doubtful {
    fn name(&self) -> &str {
        "doubtful"
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        self.answer()?;
        self.source.block_hash_at(height).await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.answer()?;
        let stuck = *self.stuck.lock().expect("no panic");
        match stuck {
            Some(tip) => Ok(tip),
            None => self.source.tip().await,
        }
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.answer()?;
        let mut coins = self.source.coins(outpoints).await?;
        coins.iter_mut().for_each(self.lie);
        Ok(coins)
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Option<Spends>, ChainError> {
        self.answer()?;
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

fn says_spent(coin: &mut Coin) {
    *coin = Coin::Spent;
}

fn says_more(coin: &mut Coin) {
    if let Coin::Unspent(coin) = coin {
        coin.output.value += Amount::ONE_SAT;
    }
}

async fn node() -> &'static Node {
    Node::shared().await
}

async fn a_core_rpc() -> Source {
    Arc::new(core_rpc(node().await))
}

async fn an_esplora() -> Source {
    Arc::new(esplora(node().await).await)
}

async fn an_electrum() -> Source {
    Arc::new(CaughtUp::shared().await)
}

async fn agreeing(sources: Vec<Source>, needed: usize) -> Chain {
    Chain::connect_all(sources, needed, Network::Regtest, Clock::System)
        .await
        .expect("enough sources on this network")
}
