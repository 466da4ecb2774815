//! The daily re-verification of premium users (decisions, D14): looks up their coins again, and
//! renews the proofs of those that are still unspent for another 90 days.
//!
//! One replica does this at a time. The transaction that records the result also sets when the users are due next, so when a replica
//! crashes, nothing has changed. The follower has already ended spent claims; this checks all coins once more.

use std::time::Duration;

use super::proving::Proving;
use super::submission::VALIDITY;
use crate::config::ProofBinding;
use crate::follow::{self, FollowError};
use crate::jobs::Next;
use chain::ChainError;
use store::follower::{Applied, Block};
use store::reverify::Reverified;

/// The pause between two searches for due users.
const POLL: Duration = Duration::from_secs(5);

/// The most users of one step.
const USERS: i64 = 200;

/// The time until users are tried again after the chain sources failed, in seconds.
const DELAY: i64 = 5 * 60;

/// The time until a user with an unknown coin is looked at again, in seconds. It does not hold up other users (decisions, D12).
const UNKNOWN_DELAY: i64 = 60 * 60;

impl Proving {
    /// Re-verifies some due users. Returns how many there were.
    ///
    /// # Errors
    /// When the chain sources or the database fail. The users are due again a little later.
    pub async fn reverify_some(&self) -> Result<usize, FollowError> {
        let now = self.clock.now();
        let users = self.store.due_reverifications(now, USERS).await?;
        if users.is_empty() || !self.store.take_lease("reverify", now).await? {
            return Ok(0);
        }
        let done = self.reverify(&users).await;
        match &done {
            Ok(ended) => tracing::info!(users = users.len(), ended, "verified again"),
            // A block has arrived meanwhile: they are still due.
            Err(FollowError::Chain(ChainError::Moved | ChainError::Disagreement { .. })) => {}
            Err(_) => {
                let now = self.clock.now();
                let delayed = self.store.delay_reverifications(&users, now, now + DELAY);
                delayed.await?;
            }
        }
        done.map(|_| users.len())
    }

    /// Looks up the users' coins and records the result. Returns how many claims have ended.
    async fn reverify(&self, users: &[String]) -> Result<u64, FollowError> {
        let network = self.chain.network_name();
        self.follower.advance(follow::ALL).await?;
        let claims = self.store.live_claims_of(network, users).await?;
        let looked_up = self.follower.look_up(claims).await?;
        let at = match looked_up.tip {
            Some(tip) => Block::from(&tip),
            None => Block::from(&self.chain.tip().await?),
        };
        let changes = self.follower.changes(looked_up).await?;
        let now = self.clock.now();
        let result = Reverified {
            users,
            network,
            at: &at,
            changes: &changes,
            expires_at: now + VALIDITY,
            again_at: now + UNKNOWN_DELAY,
            only_bound: self.settings.binding == ProofBinding::Required,
        };
        match self.store.reverify(result, now).await? {
            Applied::Done(ended) => Ok(ended),
            Applied::Crossed => Err(ChainError::Moved.into()),
        }
    }

    /// Re-verifies some due users, as a job.
    ///
    /// # Errors
    /// When the chain sources or the database fail.
    pub async fn reverify_due(&self) -> Result<Next, FollowError> {
        Ok(match self.reverify_some().await? {
            0 => Next::After(POLL),
            _ => Next::AtOnce,
        })
    }
}
