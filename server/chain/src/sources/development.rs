//! The chain of development mode (D11): a fixed regtest chain in memory, so
//! that the product runs without a network. Only the set of coins is made up; proofs over
//! them are checked by the same code as in production.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use bitcoin::block::Header;
use bitcoin::constants::genesis_block;
use bitcoin::hashes::{Hash, HashEngine, sha256d};
use bitcoin::{BlockHash, Network, OutPoint, Transaction, TxOut, Txid};
use parking_lot::RwLock;
use tokio::sync::watch;

use crate::{ChainError, ChainSource, Coin, Spends, Tip, Unspent};

/// Height of the newest block.
pub const TIP_HEIGHT: u32 = 1_000;

/// Height of the block that funds every coin: deep enough for any `MIN_CONFIRMATIONS`.
pub const FUNDING_HEIGHT: u32 = 800;

/// Median time past of the newest block: 2025-01-01T00:00:00 UTC.
const MEDIAN_TIME: i64 = 1_735_689_600;

/// Seconds between two blocks. The median time past is the time five blocks before.
const SPACING: i64 = 600;

const NAME: &str = "the development chain";

/// A block as explorers show it. Times are unix seconds.
#[derive(Debug)]
pub struct Block {
    pub height: u32,
    pub hash: BlockHash,
    pub time: i64,
    /// The median time past (BIP-0113).
    pub median_time: i64,
}

/// A chain whose only coins are those that [`fund`](Self::fund) registered.
#[derive(Debug, Default)]
pub struct DevelopmentChain {
    coins: RwLock<HashMap<OutPoint, Unspent>>,
    /// Whether coins from before a restart are being registered.
    restoring: watch::Sender<bool>,
}

impl DevelopmentChain {
    /// Creates a chain without coins.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes every output of `transaction` a confirmed coin. Idempotent.
    pub fn fund(&self, transaction: &Transaction) {
        let txid = transaction.compute_txid();
        let mut coins = self.coins.write();
        for (vout, _) in (0..).zip(&transaction.output) {
            let Some(mut coin) = Unspent::created_by(transaction, vout) else {
                continue;
            };
            coin.height = Some(FUNDING_HEIGHT);
            coin.block = Some(block_hash(FUNDING_HEIGHT));
            coins.insert(OutPoint { txid, vout }, coin);
        }
    }

    /// The outputs of a transaction that funded coins, in their order; none when there is no such transaction.
    pub fn outputs_of(&self, txid: Txid) -> Vec<TxOut> {
        let coins = self.coins.read();
        let output = |vout| coins.get(&OutPoint { txid, vout });
        (0..)
            .map_while(output)
            .map(|coin| coin.output.clone())
            .collect()
    }

    /// The block at a height; none above the newest.
    pub fn block_at(&self, height: u32) -> Option<Block> {
        let median_time = MEDIAN_TIME - SPACING * i64::from(TIP_HEIGHT.checked_sub(height)?);
        Some(Block {
            height,
            hash: block_hash(height),
            time: median_time + 5 * SPACING,
            median_time,
        })
    }

    /// The block with this hash.
    pub fn block(&self, hash: BlockHash) -> Option<Block> {
        let mut blocks = (0..=TIP_HEIGHT).filter_map(|height| self.block_at(height));
        blocks.find(|block| block.hash == hash)
    }

    /// Registers coins on a thread of its own. Look-ups of coins that are not known yet wait until it is done.
    pub fn restore(self: &Arc<Self>, fund_all: impl FnOnce(&Self) + Send + 'static) {
        self.restoring.send_replace(true);
        let chain = Arc::clone(self);
        std::thread::spawn(move || {
            fund_all(&chain);
            chain.restoring.send_replace(false);
        });
    }

    fn knows(&self, outpoint: &OutPoint) -> bool {
        self.coins.read().contains_key(outpoint)
    }
}

/// The hash of the block at `height`: regtest's genesis block, and made-up ones above it.
fn block_hash(height: u32) -> BlockHash {
    if height == 0 {
        return genesis_block(Network::Regtest).block_hash();
    }
    let mut engine = sha256d::Hash::engine();
    engine.input(b"Proof of Reserves development chain");
    engine.input(&height.to_le_bytes());
    BlockHash::from_raw_hash(sha256d::Hash::from_engine(engine))
}

#[async_trait]
impl ChainSource for DevelopmentChain {
    fn name(&self) -> &str {
        NAME
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        Ok((height <= TIP_HEIGHT).then(|| block_hash(height)))
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        Ok(Tip {
            height: TIP_HEIGHT,
            hash: block_hash(TIP_HEIGHT),
            median_time: MEDIAN_TIME,
        })
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        if !outpoints.iter().all(|outpoint| self.knows(outpoint)) {
            let mut restoring = self.restoring.subscribe();
            // Waiting cannot fail, because the sender is our own.
            let _ = restoring.wait_for(|restoring| !restoring).await;
        }
        let coins = self.coins.read();
        Ok(outpoints
            .iter()
            .map(|outpoint| {
                coins
                    .get(outpoint)
                    .map_or(Coin::Missing, |coin| Coin::Unspent(coin.clone()))
            })
            .collect())
    }

    /// Its blocks spend nothing.
    async fn spent_in_block(&self, block: BlockHash) -> Result<Spends, ChainError> {
        let above_genesis = self.block(block).filter(|block| block.height > 0);
        let block = above_genesis.ok_or_else(|| ChainError::unreachable(NAME, "no such block"))?;
        Ok(Spends {
            previous: block_hash(block.height - 1),
            outpoints: Vec::new(),
        })
    }

    async fn median_time_before(&self, block: BlockHash) -> Result<i64, ChainError> {
        let block = self.block(block);
        let block = block.ok_or_else(|| ChainError::unreachable(NAME, "no such block"))?;
        Ok(block.median_time - SPACING)
    }

    /// Only its genesis block, which is regtest's, has a header: the other hashes are made up.
    async fn block_header(&self, block: BlockHash) -> Result<Header, ChainError> {
        let genesis = genesis_block(Network::Regtest).header;
        let header = (genesis.block_hash() == block).then_some(genesis);
        header.ok_or_else(|| ChainError::unreachable(NAME, "the block has no header"))
    }
}
