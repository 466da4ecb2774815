//! Ending proofs at the moment their time is over, also when nobody looks. Every replica does it:
//! who is first ends them all, in one transaction.

use std::time::Duration;

use super::Next;
use crate::proof::settle_expired;
use crate::state::AppState;

/// The longest wait, in seconds: the clock may have been set, and a proof deleted.
const LONGEST: i64 = 60;

/// Ends what has expired, and waits for the next proof that does.
///
/// # Errors
/// When the database fails.
pub async fn step(state: &AppState) -> Result<Next, sqlx::Error> {
    settle_expired(state).await?;
    let left = match state.store.next_expiry().await? {
        Some(expiry) => (expiry - state.clock.now()).clamp(0, LONGEST),
        None => LONGEST,
    };
    Ok(Next::After(Duration::from_secs(left.unsigned_abs())))
}
