//! Looks up a file's coins at the block that the chain is followed to (rule B8).

use std::time::Duration;

use tokio::sync::SemaphorePermit;

use super::proving::Proving;
use super::submission::SubmitError;
use crate::follow::{self, FollowError};
use chain::{ChainError, Coin, Snapshot};
use verify::Candidate;

/// How long a request waits until the sources agree on a block and the follower has reached it.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most coins that are looked up without a permit. A source shares its time among concurrent look-ups; large
/// ones keep it busy by themselves, so in parallel they would only delay each other. They run one at a time.
const FEW: usize = 200;

impl Proving {
    /// The coins of a file.
    ///
    /// # Errors
    /// When the chain cannot be asked, one of the coins is unknown, or the cursor is not at the block of the look-up.
    pub(super) async fn look_up(&self, candidate: &Candidate) -> Result<Snapshot, SubmitError> {
        let (outpoints, locked_in_time) = (candidate.outpoints(), candidate.locked_in_time());
        let turn = self.turn(outpoints.len()).await;
        let chain = &self.chain;
        let snapshot = chain
            .look_up_with_times(&outpoints, &locked_in_time)
            .await?;
        drop(turn);
        if let Some(index) = snapshot.coins.iter().position(|it| *it == Coin::Unknown) {
            let input = candidate.kind.virtual_inputs() + index;
            return Err(SubmitError::UnknownCoin { input });
        }
        let followed = self.store.cursor(self.chain.network_name()).await?;
        if followed.is_some_and(|cursor| cursor.block.hash == snapshot.tip.hash.to_string()) {
            return Ok(snapshot);
        }
        Err(ChainError::Moved.into())
    }

    /// Waits until the sources agree on the newest block, and the follower has reached it.
    ///
    /// # Errors
    /// When that takes too long, the chain cannot be asked, or the database fails.
    pub(super) async fn catch_up(&self) -> Result<(), SubmitError> {
        tokio::time::timeout(PATIENCE, self.follower.advance(follow::ALL))
            .await
            .unwrap_or(Err(FollowError::Chain(ChainError::Moved)))?;
        Ok(())
    }

    /// Waits until this many coins may be looked up. Large look-ups take turns in the order of arrival.
    async fn turn(&self, coins: usize) -> Option<SemaphorePermit<'_>> {
        if coins <= FEW {
            return None;
        }
        // The semaphore is never closed, so this always succeeds.
        self.many_coins.acquire().await.ok()
    }
}
