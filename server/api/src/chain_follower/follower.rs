//! The follower and its state in this process. All durable state is in the database.

use std::sync::Arc;

use std::time::Duration;

use bitcoin::BlockHash;
use parking_lot::Mutex;

use crate::jobs::Next;
use chain::clock::Clock;
use chain::{Chain, ChainError};
use store::Store;
use store::chain_cursor::{Applied, Block};

/// The pause between two checks for the next block.
const POLL: Duration = Duration::from_secs(10);

/// The most blocks of one step.
const BLOCKS: u32 = 20;

/// How often other replicas try to take the lease.
const STAND_BY: Duration = Duration::from_secs(1);

/// Follows the chain, so that claims end when their coins are spent.
#[derive(Debug)]
pub struct Follower {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) chain: Arc<Chain>,
    /// Whether the chain may be deleted and begun again, as on a developer's machine.
    pub(super) disposable: bool,
    /// A block that no source had, and how often it was requested. Locked while the cursor moves: several tasks at once would request the
    /// same blocks.
    pub(super) missing: tokio::sync::Mutex<Missing>,
    /// The hash of the newest block when the waiting claims were last looked up.
    pub(super) tidied: Mutex<Option<String>>,
}

pub(super) type Missing = Option<(BlockHash, u32)>;

/// The position of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// At the newest block.
    Newest,
    /// Ahead of the sources, on the same chain.
    Ahead,
    /// Behind the newest block.
    Behind,
}

/// Why the chain could not be followed. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The chain sources failed.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// A result of the follower.
pub(super) type Result<T, E = FollowError> = std::result::Result<T, E>;

impl Follower {
    /// Creates a follower. A `disposable` chain may begin again with fewer blocks.
    pub fn new(store: &Store, clock: &Clock, chain: &Arc<Chain>, disposable: bool) -> Self {
        Self {
            store: store.clone(),
            clock: clock.clone(),
            chain: Arc::clone(chain),
            disposable,
            missing: tokio::sync::Mutex::default(),
            tidied: Mutex::default(),
        }
    }

    pub(super) fn network(&self) -> &'static str {
        self.chain.network_name()
    }

    /// Follows the blocks that have arrived, and looks up claims that need it.
    ///
    /// # Errors
    /// When the chain sources or the database fail. Then nothing changes.
    pub async fn step(&self) -> Result<Next> {
        if !self.store.take_lease("follow").await? {
            return Ok(Next::After(STAND_BY));
        }
        if self.advance(BLOCKS).await? == Position::Behind || self.tidy().await? {
            return Ok(Next::AtOnce);
        }
        Ok(Next::After(POLL))
    }
}

/// Reports how many claims have changed.
pub(super) fn report_changes(applied: Applied, block: &Block) {
    if let Some(claims @ 1..) = applied {
        tracing::info!(
            claims,
            height = block.height,
            "the chain has changed claims"
        );
    }
}
