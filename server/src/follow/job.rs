//! Following the chain without being asked. One replica does it at a time; another takes over when it is gone.

use std::time::Duration;

use super::advance::Position;
use super::follower::{FollowError, Follower};
use crate::base::next::Next;

/// The time until the chain is asked again for the next block.
const POLL: Duration = Duration::from_secs(10);

/// The blocks that one step follows, few enough that the lease is renewed in time.
const BLOCKS: u32 = 20;

/// The time for which a replica keeps the work without saying so again, in seconds.
const LEASE: i64 = 5 * 60;

impl Follower {
    /// Follows the blocks that have arrived, and looks up what has to be.
    ///
    /// # Errors
    /// When the chain cannot be asked, or the database fails. Nothing has ended then.
    pub async fn step(&self) -> Result<Next, FollowError> {
        let now = self.clock.now();
        let ours = self
            .store
            .take_lease("follow", &self.holder, now, now + LEASE)
            .await?;
        if !ours {
            return Ok(Next::After(POLL));
        }
        if self.advance(BLOCKS).await? == Position::Behind || self.tidy().await? {
            return Ok(Next::AtOnce);
        }
        Ok(Next::After(POLL))
    }

    /// Leaves the work to others, so that no replica need wait until the lease runs out.
    ///
    /// # Errors
    /// When the database fails: then it runs out by itself.
    pub async fn stop(&self) -> Result<(), sqlx::Error> {
        self.store.release_leases(&self.holder).await
    }
}
