//! The job that follows the chain. One replica runs it at a time; another takes over when that one is gone.

use std::time::Duration;

use super::advance::Position;
use super::follower::{Follower, Result};
use crate::jobs::Next;

/// The pause between two checks for the next block.
const POLL: Duration = Duration::from_secs(10);

/// The most blocks of one step.
const BLOCKS: u32 = 20;

/// How often other replicas try to take the lease.
const STAND_BY: Duration = Duration::from_secs(3);

impl Follower {
    /// Follows the blocks that have arrived, and looks up claims that need it.
    ///
    /// # Errors
    /// When the chain sources or the database fail. Then nothing changes.
    pub async fn step(&self) -> Result<Next> {
        if !self.store.take_lease("follow", self.clock.now()).await? {
            return Ok(Next::After(STAND_BY));
        }
        if self.advance(BLOCKS).await? == Position::Behind || self.tidy().await? {
            return Ok(Next::AtOnce);
        }
        Ok(Next::After(POLL))
    }
}
