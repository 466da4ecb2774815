//! A source that forwards to another one, with changes: it can fail, lie, or fall behind.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use chain::Tip;
use chain::sources::development::DevelopmentChain;

use super::network::BITCOIN;
use super::*;

type ChangeCoins = Box<dyn Fn(&[OutPoint], &mut [Coin]) -> Result<(), ChainError> + Send + Sync>;
type ChangeTip = Box<dyn Fn(&mut Tip) + Send + Sync>;
type Blocks = Box<dyn Fn(u32) -> Option<BlockHash> + Send + Sync>;

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
        let lie = move |_: &[OutPoint], coins: &mut [Coin]| {
            coins.iter_mut().for_each(lie);
            Ok(())
        };
        Arc::new(Self {
            coins: Box::new(lie),
            ..Self::new(source)
        })
    }

    /// A source that fails at each request that contains this coin.
    pub(crate) fn failing_at(source: Source, about: OutPoint) -> Arc<Self> {
        let fail = move |outpoints: &[OutPoint], _: &mut [Coin]| match outpoints.contains(&about) {
            true => Err(failure()),
            false => Ok(()),
        };
        Arc::new(Self {
            coins: Box::new(fail),
            ..Self::new(source)
        })
    }

    /// Sets the blocks by height.
    pub(crate) fn with_blocks(
        self,
        blocks: impl Fn(u32) -> Option<BlockHash> + Send + Sync + 'static,
    ) -> Self {
        Self {
            blocks: Some(Box::new(blocks)),
            ..self
        }
    }

    /// Has the blocks by which mainnet is known.
    pub(crate) fn on_mainnet(self) -> Self {
        self.with_blocks(|height| match height {
            0 => Some(genesis_block(Network::Bitcoin).block_hash()),
            _ => BITCOIN.parse().ok(),
        })
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

    fn answer(&self) -> Result<(), ChainError> {
        match self.fails.load(Ordering::Relaxed) {
            true => Err(failure()),
            false => Ok(()),
        }
    }
}

fn failure() -> ChainError {
    ChainError::Unreachable {
        source_name: "a double".to_owned(),
        reason: "switched off".to_owned(),
    }
}

#[async_trait]
impl ChainSource for Double {
    fn name(&self) -> &str {
        "a double"
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        self.answer()?;
        match &self.blocks {
            Some(blocks) => Ok(blocks(height)),
            None => self.source.block_hash_at(height).await,
        }
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.answer()?;
        let mut tip = self.source.tip().await?;
        self.tip.lock().unwrap()(&mut tip);
        Ok(tip)
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.answer()?;
        let mut coins = self.source.coins(outpoints).await?;
        (self.coins)(outpoints, &mut coins)?;
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
