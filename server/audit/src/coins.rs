//! What the chain says about coins, however many, at one tip.

use std::collections::HashMap;

use bitcoin::{BlockHash, OutPoint};

use chain::{Chain, ChainError, Coin, Snapshot, Tip};

/// How many coins are looked up together: each look-up has its own time to take.
const TOGETHER: usize = 1_000;

/// How often coins are looked up again because a block has come between.
const ATTEMPTS: usize = 6;

/// Coins at one tip.
pub(super) struct Known {
    pub(super) tip: Tip,
    pub(super) coins: HashMap<OutPoint, Coin>,
    /// As in [`Snapshot`].
    pub(super) median_times: HashMap<BlockHash, i64>,
}

/// These coins, each with whether it is locked for a time, at one tip. `done` is told how many have been looked up.
pub(super) async fn look_up(
    chain: &Chain,
    wanted: &[(OutPoint, bool)],
    done: impl Fn(usize),
) -> Result<Known, ChainError> {
    let portions: Vec<&[(OutPoint, bool)]> = wanted.chunks(TOGETHER).collect();
    let mut answers: Vec<Option<Snapshot>> = vec![None; portions.len()];
    let mut tip = chain.tip().await?;
    for _ in 0..ATTEMPTS {
        for (at, portion) in portions.iter().enumerate() {
            if is_at(answers[at].as_ref(), &tip) {
                continue;
            }
            let answer = ask(chain, portion).await?;
            tip = answer.tip;
            answers[at] = Some(answer);
            done(at * TOGETHER + portion.len());
        }
        if answers.iter().all(|answer| is_at(answer.as_ref(), &tip)) {
            return Ok(Known::of(tip, &portions, answers));
        }
    }
    Err(ChainError::Moved)
}

fn is_at(answer: Option<&Snapshot>, tip: &Tip) -> bool {
    answer.is_some_and(|answer| answer.tip.hash == tip.hash)
}

async fn ask(chain: &Chain, portion: &[(OutPoint, bool)]) -> Result<Snapshot, ChainError> {
    let (outpoints, locked): (Vec<OutPoint>, Vec<bool>) = portion.iter().copied().unzip();
    let locked = locked.into_iter().enumerate();
    let locked = locked.filter_map(|(index, locked)| locked.then_some(index));
    let locked: Vec<usize> = locked.collect();
    chain.look_up_with_times(&outpoints, &locked).await
}

impl Known {
    fn of(tip: Tip, portions: &[&[(OutPoint, bool)]], answers: Vec<Option<Snapshot>>) -> Self {
        let (mut coins, mut median_times) = (HashMap::new(), HashMap::new());
        for (portion, answer) in portions.iter().zip(answers.into_iter().flatten()) {
            let outpoints = portion.iter().map(|(coin, _)| *coin);
            coins.extend(outpoints.zip(answer.coins));
            median_times.extend(answer.median_times);
        }
        Self {
            tip,
            coins,
            median_times,
        }
    }
}
