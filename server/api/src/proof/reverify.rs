//! The daily re-verification of premium users (decisions, D14): their coins are looked up again, and
//! the proofs of those that are still there count for another 90 days.
//!
//! Due users are taken from the database, so that any number of replicas share the work; when each is
//! due next is set in the transaction that records the result. During a look-up, a replica renews the lease on
//! its users every few seconds. One that dies has changed nothing, its lease runs out, and another replica takes
//! its users over. The follower has ended what was spent; this looks at everything once more, with whatever sources there are.

use std::convert::Infallible;
use std::time::Duration;

use tokio::sync::Mutex;

use super::proving::Proving;
use super::submission::VALIDITY;
use crate::config::ProofBinding;
use crate::follow::{self, FollowError};
use crate::jobs::next::Next;
use chain::ChainError;
use store::claims::change::ClaimChanges;
use store::follower::{Applied, Block};
use store::reverify::{Reverified, Taken};

/// The pause before due users are looked for again.
const POLL: Duration = Duration::from_secs(5);

/// How many users are verified together.
const USERS: i64 = 200;

/// The length of a lease on users in seconds, and how often it is renewed.
const LEASE: i64 = 10;
const HEARTBEAT: Duration = Duration::from_secs(3);

/// The delay before another attempt when the chain cannot be asked, in seconds.
const DELAY: i64 = 5 * 60;

/// The delay until a user is verified again when one of their coins has no answer, in seconds. Other users are not affected (decisions, D12).
const UNKNOWN_DELAY: i64 = 60 * 60;

impl Proving {
    /// Verifies some of the due users. Returns how many there were.
    ///
    /// # Errors
    /// When the chain cannot be asked, or the database fails. The users are then due again a little later.
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
            // A renewal that has begun completes.
            let _said = taken.lock().await;
            done
        };
        let done = tokio::select! {
            done = work => done,
            never = self.keep(&taken) => match never {},
        };
        match done {
            Ok(ended) => {
                tracing::info!(users, ended, "verified again");
                Ok(users)
            }
            Err(error) => {
                let delay = match error {
                    // A block has arrived in between.
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

    /// Renews the lease on the users. While the database fails, another replica may take them over,
    /// and what this one finds out about them is then not recorded.
    async fn keep(&self, taken: &Mutex<Taken>) -> Infallible {
        loop {
            tokio::time::sleep(HEARTBEAT).await;
            let mut taken = taken.lock().await;
            let until = self.clock.now() + LEASE;
            if let Err(error) = self.store.keep_reverifications(&mut taken, until).await {
                tracing::warn!(%error, "cannot renew the lease on users that are being verified; another replica may take them over");
            }
        }
    }

    /// Returns how many claims have ended.
    async fn reverify(&self, taken: &Mutex<Taken>) -> Result<u64, FollowError> {
        let network = self.chain.network_name();
        self.follower.advance(follow::ALL).await?;
        let users = taken.lock().await.users.clone();
        let claims = self.store.live_claims_of(network, &users).await?;
        let (at, changes) = match self.follower.look_up(&claims).await? {
            Some((tip, coins)) => {
                let changes = self.follower.changes(&tip, coins).await?;
                (Block::from(&tip), changes)
            }
            None => (
                Block::from(&self.chain.tip().await?),
                ClaimChanges::default(),
            ),
        };
        // Held until the result is recorded: the lease's end identifies the users.
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

    /// Verifies some of the due users, as a job.
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
