//! Coins on the chain: one small interface, and several sources behind it (decisions, D12).
//!
//! The value and the script of a coin always come from a source, never from a submitted file.

use std::collections::HashMap;
use std::fmt;

use async_trait::async_trait;
use bitcoin::block::Header;
use bitcoin::{BlockHash, OutPoint, Script, Transaction, TxOut};
use serde::Serialize;

mod address;
mod behind;
pub mod clock;
mod decode;
mod hosts;
mod http;
mod isolate;
mod network;
mod quorum;
mod secret;
mod service;
pub mod sources;

pub use address::{SourceUrlError, is_loopback};
pub use behind::Behind;
pub use network::{Checkpoint, coin_network, network_in_json};
pub use quorum::Chain;
pub use secret::Secret;

/// The newest block that a source knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tip {
    /// Height of the block; the genesis block has height 0.
    pub height: u32,
    pub hash: BlockHash,
    /// Median time past (BIP-0113) of the block, unix seconds; time locks compare with it.
    pub median_time: i64,
}

/// An unspent coin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unspent {
    /// Value in sats and scriptPubKey, authenticated by the source.
    pub output: TxOut,
    /// Height of the block that funded it; `None` while it is unconfirmed.
    pub height: Option<u32>,
    /// Hash of the block that funded it; `None` while it is unconfirmed.
    pub block: Option<BlockHash>,
    /// Whether a coinbase transaction created it (spendable only at a depth of 100).
    pub coinbase: bool,
}

impl Unspent {
    /// An output of a transaction that is not in a block yet; `None` when there is none, or it can never be spent.
    fn created_by(transaction: &Transaction, vout: u32) -> Option<Self> {
        let output = transaction.output.get(usize::try_from(vout).ok()?)?;
        (!is_unspendable(&output.script_pubkey)).then(|| Self {
            output: output.clone(),
            height: None,
            block: None,
            coinbase: transaction.is_coinbase(),
        })
    }

    /// Number of blocks that confirm the coin at `tip`; 0 while it is unconfirmed.
    pub fn confirmations(&self, tip: &Tip) -> u32 {
        self.height
            .map_or(0, |height| (tip.height + 1).saturating_sub(height))
    }
}

/// The state of one outpoint at a source.
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
    /// The source fails whenever it is asked about this coin. With several sources: too few agree about it (decisions, D12). Never means
    /// that the coin is spent.
    Unknown,
}

/// When a coin was spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// No block spends it.
    No,
    /// The block at this height does.
    At(u32),
    /// A block does; the source does not say which.
    Sometime,
}

/// What became of an outpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoinHistory {
    /// A coin.
    Known {
        /// Value and scriptPubKey, authenticated by the source.
        output: TxOut,
        /// Height of the block that funded it; `None` while it is unconfirmed.
        funded: Option<u32>,
        spent: Spent,
    },
    /// No such transaction, or the transaction has no such output.
    Missing,
    /// The source keeps no history: the coin is spent or never existed.
    SpentOrMissing,
    /// The source says nothing about it.
    Unknown,
}

/// The result of a look-up, and the block at which it was true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundCoins {
    /// The newest block before and after the look-up.
    pub tip: Tip,
    /// One entry for each requested outpoint, in the same order.
    pub coins: Vec<Coin>,
    /// For the blocks that were asked for and that the sources know: median time past of the block before.
    pub median_times: HashMap<BlockHash, i64>,
}

/// The coins that a block spends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spends {
    /// Hash of the previous block, from the header.
    pub previous: BlockHash,
    /// The outpoints that its transactions spend, without the coinbase.
    pub outpoints: Vec<OutPoint>,
}

/// Why a source could not answer. Never means that a coin is spent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ChainError {
    /// The source did not answer, answered too late, or refused.
    #[error("{source_name} is unreachable: {reason}")]
    Unreachable {
        source_name: String,
        /// The reason, without credentials.
        reason: String,
    },
    /// The source gave an answer that cannot be true.
    #[error("{source_name} gave an invalid answer: {reason}")]
    Invalid { source_name: String, reason: String },
    /// The source answers, but lags behind.
    #[error("{source_name} cannot answer: {behind}")]
    Behind { source_name: String, behind: Behind },
    /// A block arrived while the coins were looked up.
    #[error("the chain moved during the look-up")]
    Moved,
    /// Too few of several sources answered.
    #[error("{answered} chain sources answered where {needed} must agree: {reasons}")]
    TooFew {
        answered: usize,
        needed: usize,
        reasons: String,
        /// Why one of those that did not answer lags.
        behind: Option<Behind>,
    },
    /// Enough sources answered, but they disagree.
    #[error("the chain sources disagree: fewer than {needed} give the same answer")]
    Disagreement { needed: usize },
}

impl ChainError {
    /// The source did not answer.
    pub fn unreachable(source: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Unreachable {
            source_name: source.into(),
            reason: reason.into(),
        }
    }

    /// The source gave an answer that cannot be true.
    pub fn invalid(source: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Invalid {
            source_name: source.into(),
            reason: reason.into(),
        }
    }

    /// Why a source lags, when that is why there is no answer.
    pub fn behind(&self) -> Option<Behind> {
        match self {
            Self::Behind { behind, .. } => Some(*behind),
            Self::TooFew { behind, .. } => *behind,
            _ => None,
        }
    }
}

impl fmt::Debug for dyn ChainSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[async_trait]
pub trait ChainSource: Send + Sync {
    /// A name for the server log and messages; never contains credentials.
    fn name(&self) -> &str;

    /// Hash of the block at `height` in the best chain; `None` while the chain is shorter. The block
    /// at height 0 identifies the network (rule B5).
    ///
    /// # Errors
    /// When the source cannot be reached or answers nonsense.
    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError>;

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

    /// What became of each outpoint, in the order given. By default as far as [`coins`](Self::coins) says it.
    ///
    /// # Errors
    /// When the source cannot be reached or answers nonsense.
    async fn histories(&self, outpoints: &[OutPoint]) -> Result<Vec<CoinHistory>, ChainError> {
        let coins = self.coins(outpoints).await?.into_iter();
        let histories = coins.map(|coin| match coin {
            Coin::Unspent(Unspent { output, height, .. }) => CoinHistory::Known {
                output,
                funded: height,
                spent: Spent::No,
            },
            Coin::Missing => CoinHistory::Missing,
            Coin::Spent | Coin::SpentOrMissing => CoinHistory::SpentOrMissing,
            Coin::SpentInMempool | Coin::Unknown => CoinHistory::Unknown,
        });
        Ok(histories.collect())
    }

    /// The spends of a block.
    ///
    /// # Errors
    /// When the source cannot be reached, does not know the block, or answers nonsense.
    async fn spent_in_block(&self, block: BlockHash) -> Result<Spends, ChainError>;

    /// Median time past (BIP-0113) of the block before `block`, unix seconds. Relative locks in time of coins in
    /// `block` begin then (BIP-0068).
    ///
    /// # Errors
    /// When the source cannot be reached, does not know the block, or answers nonsense.
    async fn median_time_before(&self, block: BlockHash) -> Result<i64, ChainError>;

    /// The header of the block: its hash is that of the block.
    ///
    /// # Errors
    /// When the source cannot be reached, does not know the block, or answers nonsense.
    async fn block_header(&self, block: BlockHash) -> Result<Header, ChainError>;
}

/// The longest script that can be executed, in bytes (Core's `MAX_SCRIPT_SIZE`).
const MAX_SCRIPT_BYTES: usize = 10_000;

/// Whether an output can never be spent, so that a node keeps no coin for it (Core's
/// `CScript::IsUnspendable`): an `OP_RETURN`, or a script that is too long to be executed.
fn is_unspendable(script: &Script) -> bool {
    script.is_op_return() || script.len() > MAX_SCRIPT_BYTES
}
