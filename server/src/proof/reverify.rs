//! The daily re-verification of premium users (decisions, D14): their coins are looked up again, and
//! the proofs of those that are still there count for another 90 days.
//!
//! Due users are taken from the database, so that any number of replicas share the work; when each is
//! due next is set in the transaction that records the result. A replica that dies in the
//! middle has changed nothing, and somebody else takes its users over when its time is up. The follower
//! has ended what was spent; this looks at everything once more, with whatever sources there are.

use super::VALIDITY;
use crate::chain::ChainError;
use crate::follow::{self, FollowError, advance, changes, look_up, same_block};
use crate::state::AppState;
use crate::store::claims::change::ClaimChanges;
use crate::store::follower::{Applied, Block};
use crate::store::reverify::{Reverified, Taken};

/// How many users are looked at together.
const USERS: i64 = 200;

/// How long a replica has for them, in seconds.
const LEASE: i64 = 15 * 60;

/// After how many seconds they are tried again when the chain cannot be asked.
const DELAY: i64 = 5 * 60;

/// How often a look-up is repeated when a block arrives in the middle.
const ATTEMPTS: usize = 3;

/// Looks at some users who are due. Answers how many there were.
///
/// # Errors
/// When the chain cannot be asked, or the database fails. The users are due again a little later.
pub async fn reverify_some(state: &AppState) -> Result<usize, FollowError> {
    let now = state.clock.now();
    let taken = state
        .store
        .take_due_reverifications(now, now + LEASE, USERS)
        .await?;
    if taken.users.is_empty() {
        return Ok(0);
    }
    let result = reverify(state, &taken).await;
    match result {
        Ok(ended) => {
            tracing::info!(users = taken.users.len(), ended, "verified again");
            state.live.changed();
            Ok(taken.users.len())
        }
        Err(error) => {
            let again = state.clock.now() + DELAY;
            state.store.delay_reverifications(&taken, again).await?;
            Err(error)
        }
    }
}

/// Answers how many claims have ended.
async fn reverify(state: &AppState, taken: &Taken) -> Result<u64, FollowError> {
    let network = state.chain.network_name();
    for _ in 0..ATTEMPTS {
        advance(state, follow::ALL).await?;
        let claims = state.store.live_claims_of(network, &taken.users).await?;
        let (at, changes) = match same_block(look_up(state, &claims).await?)? {
            Some((tip, coins)) => (Block::from(&tip), changes(coins)),
            None => (
                Block::from(&state.chain.tip().await?),
                ClaimChanges::default(),
            ),
        };
        let now = state.clock.now();
        let result = Reverified {
            taken,
            network,
            at: &at,
            changes: &changes,
            expires_at: now + VALIDITY,
        };
        if let Applied::Done(ended) = state.store.reverify(result, now).await? {
            return Ok(ended);
        }
    }
    Err(ChainError::Moved.into())
}
