//! The daily re-verification of premium users (decisions, D14): looks up their coins again, and
//! renews the proofs of those that are still unspent for another 90 days.
//!
//! Replicas share the work: each takes a lease on due users in the database and extends it every few seconds while it looks up
//! coins. The transaction that records the result also sets when the users are due next. When a replica crashes, nothing
//! has changed, and another one takes its users over when the lease ends. The follower has already ended spent claims; this checks all
//! coins once more.

use std::convert::Infallible;
use std::time::Duration;

use tokio::sync::Mutex;

use super::proving::Proving;
use super::submission::VALIDITY;
use crate::config::ProofBinding;
use crate::follow::{self, FollowError};
use crate::jobs::Next;
use chain::ChainError;
use store::follower::{Applied, Block};
use store::reverify::{Reverified, Taken};

/// The pause between two searches for due users.
const POLL: Duration = Duration::from_secs(5);

/// The most users of one step.
const USERS: i64 = 200;

/// The length of a lease, in seconds, and how often it is extended.
const LEASE: i64 = 10;
const HEARTBEAT: Duration = Duration::from_secs(3);

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
        let taken = self
            .store
            .take_due_reverifications(now, now + LEASE, USERS)
            .await?;
        if taken.users.is_empty() {
            return Ok(0);
        }
        let users = taken.users.len();
        let taken = Mutex::new(taken);
        let work = async {
            let done = self.reverify(&taken).await;
            // Waits for an extension of the lease that is under way.
            let _extended = taken.lock().await;
            done
        };
        let done = tokio::select! {
            done = work => done,
            never = self.extend_lease(&taken) => match never {},
        };
        match done {
            Ok(ended) => {
                tracing::info!(users, ended, "verified again");
                Ok(users)
            }
            Err(error) => {
                let delay = match error {
                    // A block has arrived meanwhile.
                    FollowError::Chain(ChainError::Moved | ChainError::Disagreement { .. }) => 0,
                    _ => DELAY,
                };
                let again = self.clock.now() + delay;
                let taken = taken.into_inner();
                self.store.delay_reverifications(&taken, again).await?;
                Err(error)
            }
        }
    }

    /// Extends the lease again and again. While the database fails another replica may take the users over, and this one then
    /// records nothing about them.
    async fn extend_lease(&self, taken: &Mutex<Taken>) -> Infallible {
        loop {
            tokio::time::sleep(HEARTBEAT).await;
            let mut taken = taken.lock().await;
            let until = self.clock.now() + LEASE;
            if let Err(error) = self.store.keep_reverifications(&mut taken, until).await {
                tracing::warn!(%error, "cannot renew the lease on users that are being verified; another replica may take them over");
            }
        }
    }

    /// Looks up the users' coins and records the result. Returns how many claims have ended.
    async fn reverify(&self, taken: &Mutex<Taken>) -> Result<u64, FollowError> {
        let network = self.chain.network_name();
        self.follower.advance(follow::ALL).await?;
        let users = taken.lock().await.users.clone();
        let claims = self.store.live_claims_of(network, &users).await?;
        let looked_up = self.follower.look_up(claims).await?;
        let at = match looked_up.tip {
            Some(tip) => Block::from(&tip),
            None => Block::from(&self.chain.tip().await?),
        };
        let changes = self.follower.changes(looked_up).await?;
        // Held until the result is recorded, because the end of the lease identifies the users.
        let taken = taken.lock().await;
        let now = self.clock.now();
        let result = Reverified {
            taken: &taken,
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
