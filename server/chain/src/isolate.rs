//! Coins about which a source has no answer, told apart from the others (decisions, D12): anybody can make a coin whose
//! history is too much for a server, and nobody else must wait for it.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use bitcoin::OutPoint;

use super::{ChainError, ChainSource, Coin};

/// The most questions by which such coins are looked for among others: one coin of five hundred is found. What stays
/// unfound in between is asked for again later, in smaller company.
const QUESTIONS: usize = 20;

/// The time after which no more of them are asked.
const PATIENCE: Duration = Duration::from_secs(30);

/// The state of each outpoint, in the order given. A source that goes on answering in general but fails at some
/// of the coins leaves these [`Coin::Unknown`].
///
/// # Errors
/// When the source is in trouble as a whole.
pub(super) async fn coins(
    source: &dyn ChainSource,
    outpoints: &[OutPoint],
) -> Result<Vec<Coin>, ChainError> {
    let failure = match ask(source, outpoints).await {
        Err(failure @ (ChainError::Unreachable { .. } | ChainError::Invalid { .. })) => failure,
        answer => return answer,
    };
    if source.tip().await.is_err() {
        return Err(failure);
    }
    let begin = Instant::now();
    let mut coins = vec![Coin::Unknown; outpoints.len()];
    let mut waiting = VecDeque::from(halves(0..outpoints.len()));
    for _ in 0..QUESTIONS {
        let Some(range) = waiting.pop_front() else {
            break;
        };
        if begin.elapsed() > PATIENCE {
            break;
        }
        match ask(source, &outpoints[range.clone()]).await {
            Ok(answered) => coins[range].clone_from_slice(&answered),
            Err(_) => waiting.extend(halves(range)),
        }
    }
    let unknown = coins.iter().filter(|coin| **coin == Coin::Unknown).count();
    tracing::warn!(%failure, unknown, of = coins.len(), "a chain source has no answer about some coins");
    Ok(coins)
}

async fn ask(source: &dyn ChainSource, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
    let coins = source.coins(outpoints).await?;
    if coins.len() == outpoints.len() {
        return Ok(coins);
    }
    Err(ChainError::Invalid {
        source_name: source.name().to_owned(),
        reason: "it answered for another number of coins than it was asked".to_owned(),
    })
}

/// Both halves; none of what is one coin.
fn halves(range: Range<usize>) -> Vec<Range<usize>> {
    let middle = range.start + range.len() / 2;
    match range.len() {
        0 | 1 => Vec::new(),
        _ => vec![range.start..middle, middle..range.end],
    }
}
