//! Questions to sources, and when two answers to one are the same.

use std::collections::HashMap;

use async_trait::async_trait;
use bitcoin::{BlockHash, OutPoint};

use super::super::{ChainError, ChainSource, Coin, Snapshot, Spends, Tip};

/// A question that can be asked of every source.
#[async_trait]
pub(in super::super) trait Question: Sync {
    type Answer: Clone + Send;

    async fn ask(&self, source: &dyn ChainSource) -> Result<Self::Answer, ChainError>;

    /// The part that two sources both say; `None` when they contradict each other.
    fn agree(one: &Self::Answer, other: &Self::Answer) -> Option<Self::Answer>;

    /// Whether the answer leaves nothing open.
    fn is_whole(_answer: &Self::Answer) -> bool {
        true
    }

    /// What `needed` of the answers say, with the rest left open; `None` when too little is common to them.
    fn common(_answers: &[Self::Answer], _needed: usize) -> Option<Self::Answer> {
        None
    }
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

    fn is_whole(snapshot: &Snapshot) -> bool {
        !snapshot.coins.contains(&Coin::Unknown)
    }

    /// Coin by coin, at the tip that most of them name: what one coin's look-up says, or fails to say, never holds up the
    /// others (decisions, D12).
    fn common(snapshots: &[Snapshot], needed: usize) -> Option<Snapshot> {
        let at = |tip: Tip| snapshots.iter().filter(move |it| it.tip == tip);
        let tips = snapshots.iter().map(|snapshot| snapshot.tip);
        let tip = tips.max_by_key(|tip| at(*tip).count())?;
        if at(tip).count() < needed {
            return None;
        }
        let mut times = at(tip).map(|snapshot| snapshot.median_times.clone());
        let first = times.next()?;
        let median_times = times.try_fold(first, |one, other| same_times(&one, &other))?;
        let count = at(tip).map(|snapshot| snapshot.coins.len()).min()?;
        let said = |index: usize| at(tip).map(move |snapshot| &snapshot.coins[index]);
        Some(Snapshot {
            tip,
            coins: (0..count)
                .map(|index| coin_of_most(said(index), needed))
                .collect(),
            median_times,
        })
    }
}

/// The state that `needed` of the sources say.
fn coin_of_most<'c>(said: impl Iterator<Item = &'c Coin>, needed: usize) -> Coin {
    let mut states: Vec<(Coin, usize)> = Vec::new();
    for coin in said.filter(|coin| **coin != Coin::Unknown) {
        let agreeing = states
            .iter_mut()
            .find_map(|state| Some((same_coin(&state.0, coin)?, state)));
        match agreeing {
            Some((common, state)) => *state = (common, state.1 + 1),
            None => states.push((coin.clone(), 1)),
        }
    }
    let most = states.into_iter().max_by_key(|(_, sources)| *sources);
    most.filter(|(_, sources)| *sources >= needed)
        .map_or(Coin::Unknown, |(coin, _)| coin)
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
