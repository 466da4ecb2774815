//! Following the chain. One replica does it at a time; another takes over when it is gone.

use std::time::Duration;

use super::Next;
use crate::follow::{FollowError, Position, advance, tidy};
use crate::state::AppState;

/// How long to wait for the next block.
const POLL: Duration = Duration::from_secs(10);

/// How many blocks one step follows, so that the lease is renewed in time.
const BLOCKS: u32 = 20;

/// How long a replica keeps the work without saying so again, in seconds.
const LEASE: i64 = 5 * 60;

/// Follows the blocks that have arrived, and looks up what has to be.
///
/// # Errors
/// When the chain cannot be asked, or the database fails. Nothing has ended then.
pub async fn step(state: &AppState) -> Result<Next, FollowError> {
    let (now, holder) = (state.clock.now(), &state.follower.holder);
    let ours = state
        .store
        .take_lease("follow", holder, now, now + LEASE)
        .await?;
    if !ours {
        return Ok(Next::After(POLL));
    }
    if advance(state, BLOCKS).await? == Position::Behind || tidy(state).await? {
        return Ok(Next::AtOnce);
    }
    Ok(Next::After(POLL))
}
