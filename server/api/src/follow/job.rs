//! The follower's job. One replica runs it at a time; another takes over when that one stops.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::advance::Position;
use super::follower::{FollowError, Follower};
use crate::jobs::next::Next;

/// The pause before the chain is asked for the next block.
const POLL: Duration = Duration::from_secs(10);

/// How many blocks one step follows.
const BLOCKS: u32 = 20;

/// The length of the lease in seconds, and how often it is renewed. A killed replica does not
/// renew it.
const LEASE: i64 = 10;
pub const HEARTBEAT: Duration = Duration::from_secs(3);

/// The pause before another replica tries to take the lease.
const STAND_BY: Duration = Duration::from_secs(3);

impl Follower {
    /// Follows new blocks, and then does the look-ups of [`Follower::tidy`].
    ///
    /// # Errors
    /// When the chain cannot be asked, or the database fails. Nothing has ended then.
    pub async fn step(&self) -> Result<Next, FollowError> {
        if !self.take().await? {
            return Ok(Next::After(STAND_BY));
        }
        if self.advance(BLOCKS).await? == Position::Behind || self.tidy().await? {
            return Ok(Next::AtOnce);
        }
        Ok(Next::After(POLL))
    }

    /// Renews this replica's lease, if it has it, even while a step takes long.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hold(&self) -> Result<(), sqlx::Error> {
        if self.leads.load(Ordering::Relaxed) {
            self.take().await?;
        }
        Ok(())
    }

    async fn take(&self) -> Result<bool, sqlx::Error> {
        let now = self.clock.now();
        let taken = self
            .store
            .take_lease("follow", &self.holder, now, now + LEASE);
        let ours = taken.await?;
        self.leads.store(ours, Ordering::Relaxed);
        Ok(ours)
    }

    /// Releases the lease, so that no replica has to wait until it runs out.
    ///
    /// # Errors
    /// When the database fails: then the lease runs out by itself.
    pub async fn stop(&self) -> Result<(), sqlx::Error> {
        self.store.release_leases(&self.holder).await
    }
}
