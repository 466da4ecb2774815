//! A chain in memory, and verdicts on files over its coins.

use std::collections::HashMap;

use bitcoin::BlockHash;
use bitcoin::absolute::LOCK_TIME_THRESHOLD;
use chain::{Coin, FoundCoins, Tip};
use verify::{Candidate, verify};

use super::*;
use crate::forge;

/// The default of `MIN_CONFIRMATIONS`.
const MIN_CONFIRMATIONS: u32 = 1;

/// A tip at which every lock in the published vectors is over.
pub(crate) fn no_lock() -> Tip {
    Tip {
        height: LOCK_TIME_THRESHOLD - 1,
        hash: BlockHash::all_zeros(),
        median_time: i64::MAX,
    }
}

/// The coins of the chain; all others are missing.
pub(crate) struct Ledger {
    pub(crate) tip: Tip,
    /// The median time past of the block before the coins', where it is known.
    pub(crate) since: Option<i64>,
    coins: HashMap<OutPoint, Coin>,
}

impl Ledger {
    /// These coins are in block 100, and the newest block is 150.
    pub(crate) fn new(coins: &[forge::Coin]) -> Self {
        let state = |coin: &forge::Coin| {
            let unspent = Unspent {
                output: coin.output.clone(),
                height: Some(100),
                block: Some(BlockHash::all_zeros()),
                coinbase: false,
            };
            (coin.outpoint, Coin::Unspent(unspent))
        };
        Self {
            tip: Tip {
                height: 150,
                hash: BlockHash::all_zeros(),
                median_time: 1_700_000_000,
            },
            since: Some(1_690_000_000),
            coins: coins.iter().map(state).collect(),
        }
    }

    pub(crate) fn set(&mut self, outpoint: OutPoint, coin: Coin) {
        self.coins.insert(outpoint, coin);
    }

    /// The verdict on a file that has been read, bound or not.
    pub(crate) fn verdict_of_candidate(&self, candidate: Candidate) -> Verdict {
        let state = |outpoint| self.coins.get(outpoint).cloned().unwrap_or(Coin::Missing);
        let times = self.since.map(|since| (BlockHash::all_zeros(), since));
        let found = FoundCoins {
            tip: self.tip,
            coins: candidate.outpoints().iter().map(state).collect(),
            median_times: times.into_iter().collect(),
        };
        verify(candidate, &found, MIN_CONFIRMATIONS)
    }

    /// The verdict on an unbound file, sent with the client's statements about its coins.
    pub(crate) fn verdict_with(&self, file: impl AsRef<[u8]>, hints: Vec<UtxoHint>) -> Verdict {
        let verified = self.verdict_of_candidate(read(&text(file), hints)?)?;
        verified.final_at_next_block().map(|()| verified)
    }

    /// The verdict on the bytes of an unbound file.
    pub(crate) fn verdict(&self, file: impl AsRef<[u8]>) -> Verdict {
        self.verdict_with(file, Vec::new())
    }

    /// The verdict on a final transaction.
    pub(crate) fn verdict_of(&self, transaction: &Transaction) -> Verdict {
        self.verdict(serialize(transaction))
    }
}

/// The verdict on a final transaction over these coins.
pub(crate) fn verdict_of(transaction: &Transaction, coins: &[forge::Coin]) -> Verdict {
    Ledger::new(coins).verdict_of(transaction)
}
