//! What the chain says about coins: one small interface, several sources behind it (decisions, D12).
//!
//! Nothing here trusts a file: the value and the script of a coin come from the source alone.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bitcoin::{Block, BlockHash, Network, OutPoint, Script, TxOut};
use futures_util::{StreamExt, TryStreamExt, stream};

pub mod core_rpc;
pub mod development;
pub mod esplora;
mod http;

pub use http::SourceUrlError;

/// The newest block that a source knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tip {
    /// Height of the block; the genesis block has height 0.
    pub height: u32,
    /// Hash of the block.
    pub hash: BlockHash,
    /// Median time past (BIP-0113) of the block, unix seconds; time locks compare with it.
    pub median_time: i64,
}

/// A coin that is there to be spent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unspent {
    /// Value in sats and scriptPubKey, authenticated by the source.
    pub output: TxOut,
    /// Height of the block that funded it; `None` while it is only in the mempool.
    pub height: Option<u32>,
    /// Hash of the block that funded it; `None` while it is only in the mempool.
    pub block: Option<BlockHash>,
    /// Whether a coinbase transaction created it (spendable only at a depth of 100).
    pub coinbase: bool,
}

impl Unspent {
    /// Number of blocks that confirm the coin at `tip`; 0 while it is only in the mempool.
    #[must_use]
    pub fn confirmations(&self, tip: &Tip) -> u32 {
        self.height
            .map_or(0, |height| (tip.height + 1).saturating_sub(height))
    }
}

/// What a source knows about one outpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coin {
    /// It exists and nothing spends it, neither in a block nor in the mempool.
    Unspent(Unspent),
    /// A block spends it.
    Spent,
    /// A transaction in the mempool spends it.
    SpentInMempool,
    /// No such transaction, or the transaction has no such output.
    Missing,
    /// The source keeps no history: the coin is spent or never existed.
    SpentOrMissing,
}

/// Why a source could not answer. Never means that a coin is spent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// The source did not answer, answered too late, or refused.
    #[error("{source_name} is unreachable: {reason}")]
    Unreachable {
        /// Which source.
        source_name: String,
        /// What happened, without credentials.
        reason: String,
    },
    /// The source answered something that cannot be true.
    #[error("{source_name} gave an answer that cannot be used: {reason}")]
    Invalid {
        /// Which source.
        source_name: String,
        /// What was wrong.
        reason: String,
    },
    /// The tip kept moving while the coins were looked up.
    #[error("the chain moved during the look-up")]
    Moved,
}

/// A source of truth about the chain.
#[async_trait]
pub trait ChainSource: Send + Sync + fmt::Debug {
    /// A name for logs and messages; never contains credentials.
    fn name(&self) -> &str;

    /// Hash of the block at height 0, which tells the network apart (rule B5).
    ///
    /// # Errors
    /// When the source cannot be reached or answers nonsense.
    async fn genesis(&self) -> Result<BlockHash, ChainError>;

    /// The newest block.
    ///
    /// # Errors
    /// When the source cannot be reached or answers nonsense.
    async fn tip(&self) -> Result<Tip, ChainError>;

    /// The state of each outpoint, in the order given.
    ///
    /// # Errors
    /// When the source cannot be reached or answers nonsense.
    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError>;

    /// The outpoints that the block spends, coinbase aside.
    ///
    /// # Errors
    /// When the source cannot be reached, does not know the block, or answers nonsense.
    async fn spent_in_block(&self, block: BlockHash) -> Result<Vec<OutPoint>, ChainError>;

    /// Median time past (BIP-0113) of the block before `block`, unix seconds: from then on, locks in
    /// time of the coins in `block` are counted (BIP-0068). `None` when the source has no such
    /// answers.
    ///
    /// # Errors
    /// When the source cannot be reached, does not know the block, or answers nonsense.
    async fn median_time_before(&self, _block: BlockHash) -> Result<Option<i64>, ChainError> {
        Ok(None)
    }
}

/// The chain as the rest of the server sees it.
#[derive(Clone, Debug)]
pub struct Chain {
    source: Arc<dyn ChainSource>,
    network: Network,
}

/// The coins of a look-up and the block that it is true for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The newest block before and after the look-up.
    pub tip: Tip,
    /// One entry for each outpoint asked for, in the same order.
    pub coins: Vec<Coin>,
    /// Median time past of the block before each of these blocks: of those that were asked for, the
    /// ones that the source could tell.
    pub median_times: HashMap<BlockHash, i64>,
}

/// How often a look-up is repeated when a block arrives in the middle of it.
const LOOK_UP_ATTEMPTS: usize = 3;

impl Chain {
    /// Connects to `source` and checks that it follows `network` (rule B5).
    ///
    /// # Errors
    /// When the source cannot be reached or its genesis block is another network's.
    pub async fn connect(
        source: Arc<dyn ChainSource>,
        network: Network,
    ) -> Result<Self, ChainError> {
        let genesis = source.genesis().await?;
        let expected = bitcoin::constants::genesis_block(network).block_hash();
        if genesis != expected {
            return Err(ChainError::Invalid {
                source_name: source.name().to_owned(),
                reason: format!("its genesis block is {genesis}, not that of {network}"),
            });
        }
        Ok(Self { source, network })
    }

    /// The network whose coins can be proven here.
    #[must_use]
    pub fn network(&self) -> Network {
        self.network
    }

    /// The newest block.
    ///
    /// # Errors
    /// When the source cannot be reached or answers nonsense.
    pub async fn tip(&self) -> Result<Tip, ChainError> {
        self.source.tip().await
    }

    /// The state of each outpoint at one tip: read before and after, and the look-up repeated when
    /// it moved in between (rule B2).
    ///
    /// # Errors
    /// When the source fails, or the tip keeps moving.
    pub async fn look_up(&self, outpoints: &[OutPoint]) -> Result<Snapshot, ChainError> {
        self.look_up_with_times(outpoints, &[]).await
    }

    /// The same, and for the coins at the indexes `locked_in_time` when their locks began.
    ///
    /// # Errors
    /// When the source fails, or the tip keeps moving.
    pub async fn look_up_with_times(
        &self,
        outpoints: &[OutPoint],
        locked_in_time: &[usize],
    ) -> Result<Snapshot, ChainError> {
        for _ in 0..LOOK_UP_ATTEMPTS {
            let before = self.source.tip().await?;
            let coins = self.source.coins(outpoints).await?;
            let tip = self.source.tip().await?;
            if coins.len() != outpoints.len() {
                return Err(ChainError::Invalid {
                    source_name: self.source.name().to_owned(),
                    reason: "it answered for another number of coins than it was asked".to_owned(),
                });
            }
            if before.hash == tip.hash {
                let locked = locked_in_time.iter().filter_map(|index| coins.get(*index));
                let median_times = self.median_times(locked).await?;
                return Ok(Snapshot {
                    tip,
                    coins,
                    median_times,
                });
            }
        }
        Err(ChainError::Moved)
    }

    /// Blocks are named by their hashes, so it does not matter whether the tip moves meanwhile.
    async fn median_times(
        &self,
        coins: impl Iterator<Item = &Coin>,
    ) -> Result<HashMap<BlockHash, i64>, ChainError> {
        let blocks: HashSet<BlockHash> = coins
            .filter_map(|coin| match coin {
                Coin::Unspent(coin) => coin.block,
                _ => None,
            })
            .collect();
        stream::iter(blocks)
            .map(async |block| Ok((block, self.source.median_time_before(block).await?)))
            .buffer_unordered(http::IN_FLIGHT)
            .try_filter_map(async |(block, time)| Ok(time.map(|time| (block, time))))
            .try_collect()
            .await
    }
}

/// Longest script that can be run, in bytes (Core's `MAX_SCRIPT_SIZE`).
const MAX_SCRIPT_BYTES: usize = 10_000;

/// Whether an output can never be spent, so that a node keeps no coin for it (Core's
/// `CScript::IsUnspendable`): an `OP_RETURN`, or a script too long
/// to be run.
fn is_unspendable(script: &Script) -> bool {
    script.is_op_return() || script.len() > MAX_SCRIPT_BYTES
}

/// The outpoints that a block spends, coinbase aside; `None` when its transactions are not those
/// that its header commits to.
fn spent_outpoints(block: &Block) -> Option<Vec<OutPoint>> {
    block.check_merkle_root().then(|| {
        let spending = block
            .txdata
            .iter()
            .filter(|transaction| !transaction.is_coinbase());
        spending
            .flat_map(|transaction| transaction.input.iter().map(|input| input.previous_output))
            .collect()
    })
}
