//! Following the chain without being asked. One replica does it at a time; another takes over when it is gone.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::advance::Position;
use super::follower::{FollowError, Follower};
use crate::jobs::next::Next;

/// The time until the chain is asked again for the next block.
const POLL: Duration = Duration::from_secs(10);

/// The blocks that one step follows.
const BLOCKS: u32 = 20;

/// The time for which a replica keeps the work without saying so again, in seconds, and the time after which it does. One that was
/// killed says nothing any more.
const LEASE: i64 = 10;
pub const HEARTBEAT: Duration = Duration::from_secs(3);

/// The time until another replica tries to take the work over.
const STAND_BY: Duration = Duration::from_secs(3);

impl Follower {
    /// Follows the blocks that have arrived, and looks up what has to be.
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

    /// Says that the work is still this replica's, if it is, also while a step takes long.
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

    /// Leaves the work to others, so that no replica need wait until the lease runs out.
    ///
    /// # Errors
    /// When the database fails: then it runs out by itself.
    pub async fn stop(&self) -> Result<(), sqlx::Error> {
        self.store.release_leases(&self.holder).await
    }
}
