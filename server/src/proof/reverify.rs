//! The daily re-verification of premium users (decisions, D14): their coins are looked up again, and
//! the proofs of those that are still there count for another 90 days.
//!
//! Due users are taken from the database, so that any number of replicas share the work; when each is
//! due next is set in the transaction that records the result. A replica that dies in the
//! middle has changed nothing, and somebody else takes its users over when its time is up. The follower
//! has ended what was spent; this looks at everything once more, with whatever sources there are.

use std::time::Duration;

use super::proving::Proving;
use super::submission::VALIDITY;
use crate::base::next::Next;
use crate::chain::ChainError;
use crate::follow::{self, FollowError, same_block};
use crate::store::claims::change::ClaimChanges;
use crate::store::follower::{Applied, Block};
use crate::store::reverify::{Reverified, Taken};

/// The time until users who are due are looked for again.
const POLL: Duration = Duration::from_secs(60);

/// The users that are looked at together.
const USERS: i64 = 200;

/// The time that a replica has for them, in seconds.
const LEASE: i64 = 15 * 60;

/// The time until they are tried again when the chain cannot be asked, in seconds.
const DELAY: i64 = 5 * 60;

/// The time until somebody is looked at again of whose coins one is unknown, in seconds. Everybody else goes on (decisions, D12).
const UNKNOWN_DELAY: i64 = 60 * 60;

/// The most look-ups when a block arrives in the middle.
const ATTEMPTS: usize = 3;

impl Proving {
    /// Looks at some users who are due. Answers how many there were.
    ///
    /// # Errors
    /// When the chain cannot be asked, or the database fails. The users are due again a little later.
    pub async fn reverify_some(&self) -> Result<usize, FollowError> {
        let now = self.clock.now();
        let taken = self
            .store
            .take_due_reverifications(now, now + LEASE, USERS)
            .await?;
        if taken.users.is_empty() {
            return Ok(0);
        }
        match self.reverify(&taken).await {
            Ok(ended) => {
                tracing::info!(users = taken.users.len(), ended, "verified again");
                Ok(taken.users.len())
            }
            Err(error) => {
                let again = self.clock.now() + DELAY;
                self.store.delay_reverifications(&taken, again).await?;
                Err(error)
            }
        }
    }

    /// Answers how many claims have ended.
    async fn reverify(&self, taken: &Taken) -> Result<u64, FollowError> {
        let network = self.chain.network_name();
        for _ in 0..ATTEMPTS {
            self.follower.advance(follow::ALL).await?;
            let claims = self.store.live_claims_of(network, &taken.users).await?;
            let (at, changes) = match same_block(self.follower.look_up(&claims).await?)? {
                Some((tip, coins)) => {
                    let changes = self.follower.changes(&tip, coins).await?;
                    (Block::from(&tip), changes)
                }
                None => (
                    Block::from(&self.chain.tip().await?),
                    ClaimChanges::default(),
                ),
            };
            let now = self.clock.now();
            let result = Reverified {
                taken,
                network,
                at: &at,
                changes: &changes,
                expires_at: now + VALIDITY,
                again_at: now + UNKNOWN_DELAY,
            };
            if let Applied::Done(ended) = self.store.reverify(result, now).await? {
                return Ok(ended);
            }
        }
        Err(ChainError::Moved.into())
    }

    /// Looks at some users who are due, as a job.
    ///
    /// # Errors
    /// When the chain cannot be asked, or the database fails.
    pub async fn reverify_due(&self) -> Result<Next, FollowError> {
        Ok(match self.reverify_some().await? {
            0 => Next::After(POLL),
            _ => Next::AtOnce,
        })
    }
}
