//! Snapshots: the coins of one source at one tip.

use std::collections::{HashMap, HashSet};

use bitcoin::absolute::LOCK_TIME_THRESHOLD;
use bitcoin::{BlockHash, OutPoint};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::service::IN_FLIGHT;
use super::{ChainError, ChainSource, Coin, Tip, isolate};

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

/// The tries of a look-up, because a block may arrive in the middle of one.
const ATTEMPTS: usize = 3;

impl Snapshot {
    /// The state of each outpoint at one tip: read before and after, and the look-up repeated when
    /// it moved in between (rule B2). For the coins at the indexes `locked_in_time` also when their
    /// locks began.
    ///
    /// # Errors
    /// When the source fails, or the tip keeps moving.
    pub(super) async fn take(
        source: &dyn ChainSource,
        outpoints: &[OutPoint],
        locked_in_time: &[usize],
    ) -> Result<Self, ChainError> {
        for _ in 0..ATTEMPTS {
            let before = source.tip().await?;
            let coins = isolate::coins(source, outpoints).await?;
            let tip = source.tip().await?;
            if tip.height >= LOCK_TIME_THRESHOLD {
                return Err(ChainError::Invalid {
                    source_name: source.name().to_owned(),
                    reason: "a height that no chain reaches".to_owned(),
                });
            }
            // Some sources have a block in their index before they name it as the newest.
            let ahead = coins.iter().any(|coin| match coin {
                Coin::Unspent(coin) => coin.height > Some(tip.height),
                _ => false,
            });
            if before.hash == tip.hash && !ahead {
                let locked = locked_in_time.iter().filter_map(|index| coins.get(*index));
                let median_times = median_times(source, locked).await?;
                return Ok(Self {
                    tip,
                    coins,
                    median_times,
                });
            }
        }
        Err(ChainError::Moved)
    }
}

/// Times of blocks, which are named by their hashes: it does not matter whether the tip moves
/// meanwhile.
async fn median_times(
    source: &dyn ChainSource,
    coins: impl Iterator<Item = &Coin>,
) -> Result<HashMap<BlockHash, i64>, ChainError> {
    let blocks: HashSet<(BlockHash, u32)> = coins
        .filter_map(|coin| match coin {
            Coin::Unspent(coin) => coin.block.zip(coin.height),
            _ => None,
        })
        .collect();
    stream::iter(blocks)
        .map(async |(block, height)| Ok((block, source.median_time_before(block, height).await?)))
        .buffer_unordered(IN_FLIGHT)
        .try_filter_map(async |(block, time)| Ok(time.map(|time| (block, time))))
        .try_collect()
        .await
}
