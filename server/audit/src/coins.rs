//! Looks up any number of coins at one tip.

use std::collections::HashMap;

use bitcoin::{BlockHash, OutPoint};

use chain::{Chain, ChainError, Coin, FoundCoins, Tip};

/// How many coins are looked up together: each look-up has its own time limit.
const TOGETHER: usize = 1_000;

/// How often all coins are looked up again when a block arrives in between.
const ATTEMPTS: usize = 6;

/// Coins at one tip.
pub(super) struct KnownCoins {
    pub(super) tip: Tip,
    pub(super) coins: HashMap<OutPoint, Coin>,
    /// As in [`FoundCoins`].
    pub(super) median_times: HashMap<BlockHash, i64>,
}

/// Looks these coins up at one tip, each with whether it is time-locked. Reports to `done` how many have been looked up.
pub(super) async fn look_up(
    chain: &Chain,
    wanted: &[(OutPoint, bool)],
    done: impl Fn(usize),
) -> Result<KnownCoins, ChainError> {
    'again: for _ in 0..ATTEMPTS {
        let mut known = KnownCoins {
            tip: chain.tip().await?,
            coins: HashMap::new(),
            median_times: HashMap::new(),
        };
        for portion in wanted.chunks(TOGETHER) {
            let answer = match ask(chain, portion).await {
                Ok(answer) if answer.tip.hash == known.tip.hash => answer,
                Ok(_) | Err(ChainError::Moved | ChainError::Disagreement { .. }) => continue 'again,
                Err(error) => return Err(error),
            };
            let outpoints = portion.iter().map(|(coin, _)| *coin);
            known.coins.extend(outpoints.zip(answer.coins));
            known.median_times.extend(answer.median_times);
            done(known.coins.len());
        }
        return Ok(known);
    }
    Err(ChainError::Moved)
}

async fn ask(chain: &Chain, portion: &[(OutPoint, bool)]) -> Result<FoundCoins, ChainError> {
    let (outpoints, locked): (Vec<OutPoint>, Vec<bool>) = portion.iter().copied().unzip();
    let locked = locked.into_iter().enumerate();
    let locked = locked.filter_map(|(index, locked)| locked.then_some(index));
    let locked: Vec<usize> = locked.collect();
    chain.look_up_with_times(&outpoints, &locked).await
}
