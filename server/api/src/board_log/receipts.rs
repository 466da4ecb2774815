//! The newest snapshot, cached, and receipts for rows of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::{BoardLogError, Result};
use super::room::BoardLog;
use super::snapshot::SnapshotFile;
use super::write::to_u64;
use crate::limits::single_flight::get_or_compute;
use store::board_log::{LogState, Restored};

/// How often the log is read again when it changes in between.
const TRIES: usize = 5;

impl BoardLog {
    /// The newest snapshot; `None` before the first entry about the board.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn snapshot(&self) -> Result<Option<Arc<SnapshotFile>>> {
        Ok(self.newest().await?.1)
    }

    /// The issued state, and its snapshot.
    async fn newest(&self) -> Result<(LogState, Option<Arc<SnapshotFile>>)> {
        for _ in 0..TRIES {
            let state = self.public_state().await?;
            if state.restored != Restored::No {
                return Err(BoardLogError::Restored);
            }
            let Some(entry) = state.board_entry else {
                return Ok((state, None));
            };
            let key = (state.number, entry, state.withdrawn);
            let writing = async || self.write_snapshot(&state, entry).await;
            match get_or_compute(&self.snapshots, &key, writing).await {
                Err(BoardLogError::Moved) => {}
                file => return Ok((state, Some(file?))),
            }
        }
        Err(BoardLogError::Moved)
    }

    async fn write_snapshot(&self, state: &LogState, index: i64) -> Result<Arc<SnapshotFile>> {
        let entry = self.store.log_entries(state.number, index, 1).await?.pop();
        let lines = self.store.log_lines().await?;
        // Lines change only together with one of these, so the result is consistent.
        let now = self.issued().await?;
        let moment = |it: &LogState| (it.number, it.board_entry, it.withdrawn);
        if moment(&now) != moment(state) {
            return Err(BoardLogError::Moved);
        }
        let entry = entry.ok_or(BoardLogError::Broken)?;
        let state = state.clone();
        let write = move || SnapshotFile::write(&state, index, entry, lines);
        let file = tokio::task::spawn_blocking(write).await;
        Ok(Arc::new(file.map_err(|_| BoardLogError::Broken)??))
    }

    /// A receipt for this row of the newest snapshot; `None` when the row is not in it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn receipt(&self, profile_id: &str) -> Result<Option<String>> {
        let mut receipts = self.receipts(&[profile_id]).await?;
        Ok(receipts.remove(profile_id).flatten())
    }

    /// Receipts for these rows of the newest snapshot, by their ids; null for rows that are not in it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn receipts(&self, ids: &[&str]) -> Result<BTreeMap<String, Option<String>>> {
        let (state, Some(file)) = self.newest().await? else {
            return Ok(ids.iter().map(|id| ((*id).to_owned(), None)).collect());
        };
        let tree = self.trees.tree(state.number, state.size).await?;
        let path = tree.inclusion(file.header.entry, to_u64(state.size)?);
        let path = path.ok_or(BoardLogError::Broken)?;
        let receipts = ids.iter().map(|id| {
            let receipt = file.receipt(id, &path, &state.checkpoint)?;
            Ok(((*id).to_owned(), receipt))
        });
        receipts.collect()
    }
}
