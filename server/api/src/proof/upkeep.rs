//! The jobs of the room: proofs end when they expire, and those of premium users are verified again each day (decisions, D14), which
//! renews them for as long again while their coins are unspent.
//!
//! Every replica ends expired proofs; the first one ends all of them in one transaction. One replica at a time verifies again. The transaction
//! that records the result also sets when the users are due next, so when a replica crashes, nothing has changed. The follower has already ended spent claims; this checks all coins once more.

use std::time::Duration;

use super::proving::Proving;
use super::submission::VALIDITY;
use crate::chain_follower::{self, FollowError};
use crate::config::ProofBinding;
use crate::jobs::Next;
use chain::ChainError;
use store::chain_cursor::Block;
use store::reverify::Reverified;

/// The pause between two searches for due users.
const POLL: Duration = Duration::from_secs(5);

/// The most users of one step.
const USERS: i64 = 200;

/// The time until users are tried again after the chain sources failed, in seconds.
const DELAY: i64 = 5 * 60;

/// The time until a user with an unknown coin is looked at again, in seconds. It does not hold up other users (decisions, D12).
const UNKNOWN_DELAY: i64 = 60 * 60;

/// The longest wait, in seconds: the clock may be changed meanwhile, and proofs deleted.
const LONGEST_WAIT: i64 = 60;

impl Proving {
    /// Re-verifies some due users.
    ///
    /// # Errors
    /// When the chain sources or the database fail. The users are due again a little later.
    pub async fn reverify_due(&self) -> Result<Next, FollowError> {
        let now = self.clock.now();
        let users = self.store.due_reverifications(now, USERS).await?;
        if users.is_empty() || !self.store.take_lease("reverify").await? {
            return Ok(Next::After(POLL));
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
        done.map(|_| Next::AtOnce)
    }

    /// Looks up the users' coins and records the result. Returns how many claims have ended.
    async fn reverify(&self, users: &[String]) -> Result<u64, FollowError> {
        let network = self.chain.network_name();
        self.follower.advance(chain_follower::ALL).await?;
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
        let ended = self.store.reverify(result, now).await?;
        ended.ok_or(ChainError::Moved.into())
    }

    /// Ends expired proofs, settles accounts that were set aside, and returns when the next proof expires.
    pub async fn expire(&self) -> sqlx::Result<Next> {
        let now = self.clock.now();
        self.store.expire_due(now).await?;
        self.store.settle_set_aside(now).await?;
        let expiry = self.store.next_expiry(now).await?;
        let left = expiry.map_or(LONGEST_WAIT, |expiry| expiry - self.clock.now());
        let left = left.clamp(0, LONGEST_WAIT);
        Ok(Next::After(Duration::from_secs(left.unsigned_abs())))
    }
}
