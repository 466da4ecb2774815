//! The job that follows the chain. One replica runs it at a time; another takes over when that one is gone.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::advance::Position;
use super::follower::{FollowError, Follower};
use crate::jobs::Next;

/// The pause between two checks for the next block.
const POLL: Duration = Duration::from_secs(10);

/// The most blocks of one step.
const BLOCKS: u32 = 20;

/// The length of the lease on this job, in seconds, and how often it is extended.
const LEASE: i64 = 10;
pub const HEARTBEAT: Duration = Duration::from_secs(3);

/// How often other replicas try to take the lease.
const STAND_BY: Duration = Duration::from_secs(3);

impl Follower {
    /// Follows the blocks that have arrived, and looks up claims that need it.
    ///
    /// # Errors
    /// When the chain sources or the database fail. Then nothing changes.
    pub async fn step(&self) -> Result<Next, FollowError> {
        if !self.take_lease().await? {
            return Ok(Next::After(STAND_BY));
        }
        if self.advance(BLOCKS).await? == Position::Behind || self.tidy().await? {
            return Ok(Next::AtOnce);
        }
        Ok(Next::After(POLL))
    }

    /// Extends the lease if this replica has it, also while a step takes long.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hold(&self) -> sqlx::Result<()> {
        if self.leads.load(Ordering::Relaxed) {
            self.take_lease().await?;
        }
        Ok(())
    }

    async fn take_lease(&self) -> sqlx::Result<bool> {
        let now = self.clock.now();
        let taken = self
            .store
            .take_lease("follow", &self.holder, now, now + LEASE);
        let ours = taken.await?;
        self.leads.store(ours, Ordering::Relaxed);
        Ok(ours)
    }

    /// Releases the lease, so that no replica needs to wait until it runs out.
    ///
    /// # Errors
    /// When the database fails. Then the lease runs out by itself.
    pub async fn stop(&self) -> sqlx::Result<()> {
        self.store.release_leases(&self.holder).await
    }
}
