//! The newest snapshot, cached, and receipts for rows of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::{BoardLogError, Result};
use super::room::BoardLog;
use super::snapshot::SnapshotFile;
use super::write::to_u64;
use crate::limits::single_flight::get_or_compute;
use store::board_log::{LogState, Restored};

/// Receipts by the ids of their rows; none for rows without one.
pub type Receipts = BTreeMap<String, Option<String>>;

/// How often the log is read again when it changes in between.
const TRIES: usize = 5;

impl BoardLog {
    /// The newest snapshot; `None` before the first entry about the board.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn newest_snapshot(&self) -> Result<Option<Arc<SnapshotFile>>> {
        Ok(self.newest().await?.1)
    }

    /// The snapshot of this entry of a log; `None` unless it is the newest one.
    ///
    /// # Errors
    /// When it is an earlier log, or the database fails.
    pub async fn snapshot(&self, log: i64, entry: u64) -> Result<Option<Arc<SnapshotFile>>> {
        if !self.is_current(log).await? {
            return Ok(None);
        }
        let newest = self.newest_snapshot().await?;
        Ok(newest.filter(|file| file.is_of(log, entry)))
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
        let mut receipts = self.newest_receipts(&[profile_id]).await?;
        Ok(receipts.remove(profile_id).flatten())
    }

    /// Receipts for these rows of a log's newest snapshot, by their ids; none for rows that are not in it, and none at all when there is no such log.
    ///
    /// # Errors
    /// When it is an earlier log, or the database fails.
    pub async fn receipts(&self, log: i64, ids: &[&str]) -> Result<Option<Receipts>> {
        match self.is_current(log).await? {
            true => Ok(Some(self.newest_receipts(ids).await?)),
            false => Ok(None),
        }
    }

    async fn newest_receipts(&self, ids: &[&str]) -> Result<Receipts> {
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
