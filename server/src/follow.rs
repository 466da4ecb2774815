//! Following the chain, so that a claim ends when its coin is spent, whatever the tier (rule B7), and
//! comes back when a reorganisation undoes that (rule B9).
//!
//! A cursor in the database says which block was followed last; [`advance`] moves it to the newest
//! one, block by block, each in one transaction with what follows from it. Recording a proof holds the
//! cursor and wants it to be at the newest block of its own look-up (rule B8), so no spending can fall
//! between. [`tidy`] does what needs no hurry: claims whose coin has left the chain are looked up until
//! it is in a block again, and all live claims are when blocks could not be followed one by one:
//! with sources that have none (Electrum), after a very long absence, and when a block is not to be had.
//!
//! A claim ends or comes back only by what as many sources as `CHAIN_QUORUM` say: that the block is in
//! the chain, and that the coin is spent. A source in trouble changes nothing. A coin that is
//! spent only in the mempool is still there: what is in no block may never be in one.

use std::sync::{Mutex, PoisonError};

use bitcoin::BlockHash;
use uuid::Uuid;

use crate::chain::ChainError;
use crate::proof::SubmitError;
use crate::state::AppState;
use crate::store::follower::{Applied, Block};

mod advance;
mod fork;
mod look_up;
mod tidy;

pub use advance::{Position, advance};
pub use look_up::{At, changes, look_up, same_block};
pub use tidy::tidy;

/// How many steps one call of [`advance`] takes at most when somebody waits for it: a week of blocks.
/// When more are missing, they are skipped and every claim is looked up.
pub const ALL: u32 = 1_008;

/// What one process remembers about following; everything that matters is in the database.
#[derive(Debug)]
pub struct Follower {
    /// This process among the replicas.
    pub holder: String,
    /// Held by whoever moves the cursor: more than one at a time would ask for the same blocks.
    turn: tokio::sync::Mutex<Missing>,
    /// The newest block when the claims that wait were last looked up.
    tidied: Mutex<Option<BlockHash>>,
}

/// A block that no source gave, and how often it was asked for.
#[derive(Debug, Default)]
struct Missing {
    block: Option<BlockHash>,
    times: u32,
}

impl Default for Follower {
    fn default() -> Self {
        Self {
            holder: Uuid::new_v4().to_string(),
            turn: tokio::sync::Mutex::default(),
            tidied: Mutex::default(),
        }
    }
}

impl Follower {
    fn is_tidied(&self, block: BlockHash) -> bool {
        *self.tidied.lock().unwrap_or_else(PoisonError::into_inner) == Some(block)
    }

    fn set_tidied(&self, block: BlockHash) {
        *self.tidied.lock().unwrap_or_else(PoisonError::into_inner) = Some(block);
    }
}

/// Why the chain could not be followed. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The chain could not be asked.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl From<FollowError> for SubmitError {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::Chain(error) => error.into(),
            FollowError::Database(error) => error.into(),
        }
    }
}

/// Tells open pages when claims have changed.
fn announce(state: &AppState, applied: Applied, block: &Block) {
    if let Applied::Done(claims @ 1..) = applied {
        tracing::info!(
            claims,
            height = block.height,
            "the chain has changed claims"
        );
        state.live.changed();
    }
}
