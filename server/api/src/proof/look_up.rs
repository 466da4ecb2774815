//! Looking a file's coins up where the chain is followed to (rule B8).

use std::time::Duration;

use tokio::sync::SemaphorePermit;

use super::proving::Proving;
use super::submission::SubmitError;
use crate::follow::{self, FollowError};
use chain::{ChainError, Coin, Snapshot};
use verify::Candidate;

/// The time for which a sender waits for blocks to be followed.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most coins that are looked up without waiting for others. A source answers a few of many look-ups in turn, so that those
/// of many coins, which keep it busy each by itself, would only make each other late: one at a time is done as soon.
const FEW: usize = 200;

/// The most look-ups of one file when blocks arrive in the middle.
const ATTEMPTS: usize = 3;

impl Proving {
    /// The coins of a file. A block that has just arrived is followed first, so that nobody has to try
    /// again because of it.
    ///
    /// # Errors
    /// When the chain cannot be asked, about one of the coins or at all, or cannot be followed in time.
    pub(super) async fn look_up(&self, candidate: &Candidate) -> Result<Snapshot, SubmitError> {
        let (outpoints, locked_in_time) = (candidate.outpoints(), candidate.locked_in_time());
        for _ in 0..ATTEMPTS {
            let snapshot = {
                let _turn = self.turn(outpoints.len()).await;
                let chain = &self.chain;
                chain
                    .look_up_with_times(&outpoints, &locked_in_time)
                    .await?
            };
            let unknown = snapshot.coins.iter().position(|it| *it == Coin::Unknown);
            if let Some(index) = unknown {
                let input = candidate.virtual_inputs() + index;
                return Err(SubmitError::UnknownCoin { input });
            }
            let followed = self.store.cursor(self.chain.network_name()).await?;
            if followed.is_some_and(|cursor| cursor.block.hash == snapshot.tip.hash.to_string()) {
                return Ok(snapshot);
            }
            tokio::time::timeout(PATIENCE, self.follower.advance(follow::ALL))
                .await
                .unwrap_or(Err(FollowError::Chain(ChainError::Moved)))?;
        }
        Err(ChainError::Moved.into())
    }

    /// Waits until this many coins may be looked up: whoever has waited longest is next among those who have many.
    async fn turn(&self, coins: usize) -> Option<SemaphorePermit<'_>> {
        if coins <= FEW {
            return None;
        }
        // It is never closed, so there is always a turn in the end.
        self.many_coins.acquire().await.ok()
    }
}
