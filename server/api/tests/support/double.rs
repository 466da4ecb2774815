//! A source that forwards to another one, with changes: it can fail, lie, or fall behind.

use std::fmt;

use async_trait::async_trait;
use bitcoin::block::Header;
use chain::sources::development::DevelopmentChain;
use chain::{Coin, Spends, Tip};

use super::prelude::*;

type ChangeCoins = Box<dyn Fn(&[OutPoint], &mut [Coin]) -> Result<(), ChainError> + Send + Sync>;
type ChangeTip = Box<dyn Fn(&mut Tip) + Send + Sync>;
type Blocks = Box<dyn Fn(u32) -> Option<BlockHash> + Send + Sync>;

/// A source of any kind.
pub(crate) type Source = Arc<dyn ChainSource>;

pub(crate) struct Double {
    source: Source,
    fails: AtomicBool,
    coins: ChangeCoins,
    tip: Mutex<ChangeTip>,
    /// The blocks by height, when they are not those of the source.
    blocks: Option<Blocks>,
    /// How often it was asked for coins.
    asked: AtomicUsize,
}

impl fmt::Debug for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a double of {:?}", self.source)
    }
}

impl Double {
    pub(crate) fn new(source: Source) -> Self {
        Self {
            source,
            fails: AtomicBool::new(false),
            coins: Box::new(|_, _| Ok(())),
            tip: Mutex::new(Box::new(|_| ())),
            blocks: None,
            asked: AtomicUsize::new(0),
        }
    }

    /// A source of a made-up chain.
    pub(crate) fn made_up() -> Self {
        Self::new(Arc::new(DevelopmentChain::new()))
    }

    pub(crate) fn honest(source: Source) -> Arc<Self> {
        Arc::new(Self::new(source))
    }

    /// A source that changes its response about each coin.
    pub(crate) fn lying(source: Source, lie: fn(&mut Coin)) -> Arc<Self> {
        let coins: ChangeCoins = Box::new(move |_, coins| {
            coins.iter_mut().for_each(lie);
            Ok(())
        });
        let honest = Self::new(source);
        Arc::new(Self { coins, ..honest })
    }

    /// A source that fails at each request that contains this coin.
    pub(crate) fn failing_at(source: Source, about: OutPoint) -> Arc<Self> {
        let coins: ChangeCoins = Box::new(move |asked, _| failure(asked.contains(&about)));
        let honest = Self::new(source);
        Arc::new(Self { coins, ..honest })
    }

    /// Sets the blocks by height.
    pub(crate) fn with_blocks(
        mut self,
        blocks: impl Fn(u32) -> Option<BlockHash> + Send + Sync + 'static,
    ) -> Self {
        self.blocks = Some(Box::new(blocks));
        self
    }

    pub(crate) fn fail(&self, fails: bool) {
        self.fails.store(fails, Ordering::Relaxed);
    }

    /// Changes its newest block from now on.
    pub(crate) fn change_tip(&self, change: impl Fn(&mut Tip) + Send + Sync + 'static) {
        *self.tip.lock().unwrap() = Box::new(change);
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn begin(&self) -> Result<(), ChainError> {
        failure(self.fails.load(Ordering::Relaxed))
    }
}

fn failure(fails: bool) -> Result<(), ChainError> {
    let unreachable = || ChainError::Unreachable {
        source_name: "a double".to_owned(),
        reason: "switched off".to_owned(),
    };
    if fails { Err(unreachable()) } else { Ok(()) }
}

#[async_trait]
impl ChainSource for Double {
    fn name(&self) -> &str {
        self.source.name()
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        self.begin()?;
        match &self.blocks {
            Some(blocks) => Ok(blocks(height)),
            None => self.source.block_hash_at(height).await,
        }
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.begin()?;
        let mut tip = self.source.tip().await?;
        self.tip.lock().unwrap()(&mut tip);
        Ok(tip)
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.begin()?;
        let mut coins = self.source.coins(outpoints).await?;
        (self.coins)(outpoints, &mut coins)?;
        Ok(coins)
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Spends, ChainError> {
        self.begin()?;
        self.source.spent_in_block(block).await
    }

    async fn median_time_before(&self, block: BlockHash) -> Result<i64, ChainError> {
        self.begin()?;
        self.source.median_time_before(block).await
    }

    async fn block_header(&self, block: BlockHash) -> Result<Header, ChainError> {
        self.begin()?;
        self.source.block_header(block).await
    }
}
