//! Looking a file's coins up where the chain is followed to (rule B8).

use std::time::Duration;

use super::{ATTEMPTS, SubmitError};
use crate::chain::{ChainError, Snapshot};
use crate::follow::{self, FollowError, advance};
use crate::state::AppState;
use crate::verify::Candidate;

/// How long a sender waits for blocks to be followed.
const PATIENCE: Duration = Duration::from_secs(20);

/// The coins of a file. A block that has just arrived is followed first, so that nobody has to try
/// again because of it.
///
/// # Errors
/// When the chain cannot be asked, or cannot be followed in time.
pub(super) async fn look_up(
    state: &AppState,
    candidate: &Candidate,
) -> Result<Snapshot, SubmitError> {
    for _ in 0..ATTEMPTS {
        let snapshot = ask(state, candidate).await?;
        let followed = state.store.cursor(state.chain.network_name()).await?;
        if followed.is_some_and(|cursor| cursor.block.hash == snapshot.tip.hash.to_string()) {
            return Ok(snapshot);
        }
        tokio::time::timeout(PATIENCE, advance(state, follow::ALL))
            .await
            .unwrap_or(Err(FollowError::Chain(ChainError::Moved)))?;
    }
    Err(ChainError::Moved.into())
}

async fn ask(state: &AppState, candidate: &Candidate) -> Result<Snapshot, ChainError> {
    let locked_in_time = candidate.locked_in_time();
    state
        .chain
        .look_up_with_times(&candidate.outpoints(), &locked_in_time)
        .await
}
