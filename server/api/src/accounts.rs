//! What users do about their own accounts: choose a plan, choose what others see, look at their proofs, unpublish one, take a copy, delete all.

use std::sync::Arc;

use crate::board::memory::Row;
use crate::board::{Board, BoardError};
use crate::board_log::BoardLog;
use chain::clock::Clock;
use store::Store;
use store::profiles::Profile;
use store::proofs::{HoldingsPoint, Proof};
use store::records::Record;
use store::shown_as::ShownAs;

/// The accounts of this board.
#[derive(Debug)]
pub struct Accounts {
    pub store: Store,
    pub clock: Clock,
    pub board: Arc<Board>,
    pub board_log: Arc<BoardLog>,
}

/// Why a choice is refused.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    #[error(
        "Your published proofs show their coins, which a range would hide. Unpublish them first, or keep showing the exact total."
    )]
    Published,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl Accounts {
    /// Chooses the free plan, when there is none yet, and what others see of the total.
    ///
    /// # Errors
    /// [`ChoiceError::Published`] for a range while proofs are published, and when the database fails.
    pub async fn choose(
        &self,
        id: &str,
        free: bool,
        shown_as: Option<ShownAs>,
    ) -> Result<(), ChoiceError> {
        let now = self.clock.now();
        if free {
            self.store.choose_free_tier(id, now).await?;
        }
        if let Some(shown_as) = shown_as {
            if !self.store.show_as(id, shown_as, now).await? {
                return Err(ChoiceError::Published);
            }
            self.board_log.keep_removals().await;
        }
        Ok(())
    }

    /// The row as everyone sees it, with everything that is committed, and the profile as its owner does; none when it is deleted.
    ///
    /// # Errors
    /// When the board or the database cannot be read.
    pub async fn row(&self, id: &str) -> Result<Option<(Row, Profile)>, BoardError> {
        let board = self.board.catch_up().await?;
        let profile = self.store.profile(id).await?;
        Ok(board.rows.profile(id).zip(profile))
    }

    /// Some of the user's proofs, the newest first, and how many there are.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn proofs(
        &self,
        id: &str,
        limit: usize,
        offset: usize,
    ) -> sqlx::Result<(Vec<Proof>, usize)> {
        self.board.settle().await?;
        let sql = |count| i64::try_from(count).unwrap_or(i64::MAX);
        let proofs = self.store.proofs(id, sql(limit), sql(offset)).await?;
        let total = self.store.proof_count(id).await?;
        Ok((proofs, usize::try_from(total).unwrap_or_default()))
    }

    /// The newest holdings, at most `most`, at the moments at which they changed, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn holdings(&self, id: &str, most: i64) -> sqlx::Result<Vec<HoldingsPoint>> {
        self.store.holdings_history(id, most).await
    }

    /// Everything that is on record about the user; none when the account is deleted.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record(&self, id: &str) -> sqlx::Result<Option<Record>> {
        self.store.record_of(id, self.clock.now()).await
    }

    /// Unpublishes a proof. Returns whether there was one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unpublish(&self, id: &str, proof: &str) -> sqlx::Result<bool> {
        let unpublished = self.store.withdraw(id, proof, self.clock.now()).await?;
        if unpublished {
            self.board_log.keep_removals().await;
        }
        Ok(unpublished)
    }

    /// Deletes the account with its proofs, claims and sessions.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete(&self, id: &str) -> sqlx::Result<()> {
        self.store.delete_profile(id, self.clock.now()).await?;
        self.board_log.keep_removals().await;
        Ok(())
    }

    /// Deletes the mock proofs of this file name (development mode).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_mock_proofs(&self, id: &str, file_name: &str) -> sqlx::Result<()> {
        let now = self.clock.now();
        self.store.delete_mock_proofs(id, file_name, now).await?;
        Ok(())
    }
}
