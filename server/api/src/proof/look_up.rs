//! Looks up the coins of a file, at the block to which the chain is followed (rule B8).

use std::time::Duration;

use super::proving::Proving;
use super::submission::SubmitError;
use crate::follow::{self, FollowError};
use chain::{ChainError, Coin, Snapshot};
use verify::Candidate;

/// How long a sender waits until the sources agree on a block and the follower has reached it.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(20);

/// Files with more coins are looked up one at a time: each keeps the sources busy by itself, so several would only delay each other.
const MANY_COINS: usize = 200;

impl Proving {
    /// The coins of a file.
    ///
    /// # Errors
    /// When the sources fail or do not agree about one of the coins, or when the chain is not followed to the block of the look-up.
    pub(super) async fn look_up(&self, candidate: &Candidate) -> Result<Snapshot, SubmitError> {
        let (outpoints, locked_in_time) = (candidate.outpoints(), candidate.locked_in_time());
        let permit = match outpoints.len() > MANY_COINS {
            true => self.many_coins.acquire().await.ok(),
            false => None,
        };
        let snapshot = self
            .chain
            .look_up_with_times(&outpoints, &locked_in_time)
            .await?;
        drop(permit);
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

    /// Waits until the sources agree on the newest block and the chain is followed to it.
    ///
    /// # Errors
    /// When that takes too long, or the sources or the database fail.
    pub(super) async fn catch_up(&self) -> Result<(), SubmitError> {
        tokio::time::timeout(CATCH_UP_TIMEOUT, self.follower.advance(follow::ALL))
            .await
            .unwrap_or(Err(FollowError::Chain(ChainError::Moved)))?;
        Ok(())
    }
}
