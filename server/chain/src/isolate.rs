//! Finds the coins for which a source fails, so that the others still get an answer (decisions, D12).

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use bitcoin::OutPoint;

use super::{ChainError, ChainSource, Coin};

/// The most requests of one search: enough to find one coin of five hundred. Coins without an answer by then are
/// looked up again later, with fewer others.
const MAX_REQUESTS: usize = 20;

/// The time after which no more requests are sent.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The state of each outpoint, in the order given; [`Coin::Unknown`] for those at which the source fails while it still answers
/// in general.
///
/// # Errors
/// When the source does not answer in general.
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
    for _ in 0..MAX_REQUESTS {
        let Some(range) = waiting.pop_front() else {
            break;
        };
        if begin.elapsed() > TIME_LIMIT {
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
    let reason = "it answered for another number of coins than it was asked";
    Err(ChainError::invalid(source.name(), reason))
}

/// Both halves; none when the range is one coin.
fn halves(range: Range<usize>) -> Vec<Range<usize>> {
    let middle = range.start + range.len() / 2;
    match range.len() {
        0 | 1 => Vec::new(),
        _ => vec![range.start..middle, middle..range.end],
    }
}
