//! Questions to sources, and when two answers to one are the same.

use std::collections::HashMap;

use async_trait::async_trait;
use bitcoin::{BlockHash, OutPoint};

use super::super::{ChainError, ChainSource, Coin, Snapshot, Spends, Tip};

/// A question that can be asked of every source.
#[async_trait]
pub(in super::super) trait Question: Sync {
    type Answer: Send;

    async fn ask(&self, source: &dyn ChainSource) -> Result<Self::Answer, ChainError>;

    /// The part that two sources both say; `None` when they contradict each other.
    fn agree(one: &Self::Answer, other: &Self::Answer) -> Option<Self::Answer>;
}

/// What is the newest block?
pub(in super::super) struct NewestBlock;

/// Which block is at this height?
pub(in super::super) struct BlockAt(pub(in super::super) u32);

/// What does this block spend?
pub(in super::super) struct SpentIn(pub(in super::super) BlockHash);

/// What is the state of these coins?
pub(in super::super) struct LookUp<'q> {
    pub(in super::super) outpoints: &'q [OutPoint],
    pub(in super::super) locked_in_time: &'q [usize],
}

#[async_trait]
impl Question for NewestBlock {
    type Answer = Tip;

    async fn ask(&self, source: &dyn ChainSource) -> Result<Tip, ChainError> {
        source.tip().await
    }

    fn agree(one: &Tip, other: &Tip) -> Option<Tip> {
        same(one, other)
    }
}

#[async_trait]
impl Question for BlockAt {
    type Answer = Option<BlockHash>;

    async fn ask(&self, source: &dyn ChainSource) -> Result<Self::Answer, ChainError> {
        source.block_hash_at(self.0).await
    }

    fn agree(one: &Self::Answer, other: &Self::Answer) -> Option<Self::Answer> {
        same(one, other)
    }
}

#[async_trait]
impl Question for SpentIn {
    type Answer = Option<Spends>;

    async fn ask(&self, source: &dyn ChainSource) -> Result<Self::Answer, ChainError> {
        source.spent_in_block(self.0).await
    }

    fn agree(one: &Self::Answer, other: &Self::Answer) -> Option<Self::Answer> {
        same(one, other)
    }
}

#[async_trait]
impl Question for LookUp<'_> {
    type Answer = Snapshot;

    async fn ask(&self, source: &dyn ChainSource) -> Result<Snapshot, ChainError> {
        Snapshot::take(source, self.outpoints, self.locked_in_time).await
    }

    fn agree(one: &Snapshot, other: &Snapshot) -> Option<Snapshot> {
        let coins = one.coins.iter().zip(&other.coins);
        Some(Snapshot {
            tip: same(&one.tip, &other.tip)?,
            coins: coins
                .map(|(one, other)| same_coin(one, other))
                .collect::<Option<_>>()?,
            median_times: same_times(&one.median_times, &other.median_times)?,
        })
    }
}

fn same<T: Clone + PartialEq>(one: &T, other: &T) -> Option<T> {
    (one == other).then(|| one.clone())
}

/// The state that both say: a source without history says less than one that has it. A coin that is in no block may be in
/// the mempool of one source alone, or in a stale block that another still knows (rule B9): for both it is in no block.
fn same_coin(one: &Coin, other: &Coin) -> Option<Coin> {
    match (one, other) {
        (Coin::SpentOrMissing, Coin::Spent | Coin::Missing)
        | (Coin::Spent | Coin::Missing, Coin::SpentOrMissing) => Some(Coin::SpentOrMissing),
        (Coin::Unspent(coin), Coin::Missing | Coin::SpentOrMissing)
        | (Coin::Missing | Coin::SpentOrMissing, Coin::Unspent(coin))
            if coin.block.is_none() =>
        {
            Some(Coin::Missing)
        }
        _ => same(one, other),
    }
}

/// The times that both know.
fn same_times(
    one: &HashMap<BlockHash, i64>,
    other: &HashMap<BlockHash, i64>,
) -> Option<HashMap<BlockHash, i64>> {
    one.iter()
        .filter_map(|(block, time)| Some((block, time, other.get(block)?)))
        .map(|(block, time, other)| (time == other).then_some((*block, *time)))
        .collect()
}
