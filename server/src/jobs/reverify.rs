//! The daily re-verification of premium users.

use std::time::Duration;

use super::Next;
use crate::follow::FollowError;
use crate::proof::reverify::reverify_some;
use crate::state::AppState;

/// How often to look for users who are due.
const POLL: Duration = Duration::from_secs(60);

/// Looks at some users who are due.
///
/// # Errors
/// When the chain cannot be asked, or the database fails.
pub async fn step(state: &AppState) -> Result<Next, FollowError> {
    Ok(match reverify_some(state).await? {
        0 => Next::After(POLL),
        _ => Next::AtOnce,
    })
}
