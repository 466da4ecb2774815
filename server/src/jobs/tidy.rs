//! Taking away what is deleted from where the database still has it.

use std::time::Duration;

use super::Next;
use crate::state::AppState;

/// How long something deleted may stay in the database's log.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Empties the log.
///
/// # Errors
/// When the database fails.
pub async fn step(state: &AppState) -> Result<Next, sqlx::Error> {
    state.store.empty_log().await?;
    Ok(Next::After(EVERY))
}
