//! Public reads of the logs (C2SP tlog-tiles), and notes on published proofs (proofs, section 4).

use std::sync::atomic::Ordering;

use super::error::{HistoryError, Result};
use super::published::origin_of;
use super::resource::is_in;
use super::room::History;
use super::write::{PURPOSE, to_i64};
use board_log::check;
use board_log::note::Signer;
use board_log::proof_note::ProofNote;
use board_log::tree::WIDTH;
use store::history::{LogHead, LogState};
use tlog_tiles::Tile;

impl History {
    /// The published state of the log.
    pub(super) async fn state(&self) -> Result<LogState> {
        let state = self.store.published_log().await?;
        let state = state.ok_or(HistoryError::NotBegun)?;
        self.number.store(state.number, Ordering::Relaxed);
        Ok(state)
    }

    /// The number of the current log.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn number(&self) -> Result<i64> {
        let _permit = self.store.visitor_permit().await;
        Ok(self.state().await?.number)
    }

    /// The address of the current log; the last known one while the database does not respond.
    pub async fn address(&self) -> String {
        let _permit = self.store.visitor_permit().await;
        let number = self.state().await.map(|state| state.number);
        let number = number.unwrap_or_else(|_| self.number.load(Ordering::Relaxed));
        origin_of("/log", number)
    }

    /// The newest checkpoint of a log; the last one when the log has ended. `None` when there is no such log.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn head(&self, log: i64) -> Result<Option<LogHead>> {
        let _permit = self.store.visitor_permit().await;
        self.read_head(log).await
    }

    /// The notes that announce new keys of a log, oldest first; `None` when there is no such log.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rotations(&self, log: i64) -> Result<Option<Vec<String>>> {
        let _permit = self.store.visitor_permit().await;
        Ok(match self.read_head(log).await? {
            Some(_) => Some(self.store.log_rotations(log).await?),
            None => None,
        })
    }

    /// A tile or a bundle of entries of a log; `None` beyond the end of the log, or when there is no such log.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn resource(&self, log: i64, resource: Tile) -> Result<Option<Vec<u8>>> {
        let _permit = self.store.visitor_permit().await;
        let Some(head) = self.read_head(log).await? else {
            return Ok(None);
        };
        let newest = check::unsigned(&head.checkpoint).map_err(|_| HistoryError::Broken)?;
        if !is_in(newest.size, resource) {
            return Ok(None);
        }
        if resource.is_data() {
            return self.entries(log, resource).await;
        }
        let tree = self.trees.tree(log, to_i64(newest.size)?).await?;
        Ok(resource.read_data(&*tree).ok())
    }

    /// The note about a published proof, signed with the current key.
    ///
    /// # Errors
    /// When the database fails, or the key is missing.
    pub async fn sign(&self, note: &ProofNote) -> Result<String> {
        let origin = self.state().await?.origin;
        let key = self.store.newest_key(PURPOSE).await?;
        let signer = key.and_then(|key| Signer::read(&origin, &key));
        Ok(note.sign(&signer.ok_or(HistoryError::Key)?))
    }

    async fn read_head(&self, log: i64) -> Result<Option<LogHead>> {
        let state = self.state().await?;
        if state.number != log {
            return Ok(self.store.ended_log(log).await?);
        }
        Ok(Some(LogHead {
            checkpoint: state.checkpoint,
            verifier_key: Some(state.verifier_key),
        }))
    }

    async fn entries(&self, log: i64, bundle: Tile) -> Result<Option<Vec<u8>>> {
        let first = to_i64(bundle.level_index() * WIDTH)?;
        let width = bundle.width();
        let entries = self.store.log_entries(log, first, width.into()).await?;
        if entries.len() != width as usize {
            return Ok(None);
        }
        let mut bundle = Vec::new();
        for entry in entries {
            let length = u16::try_from(entry.len()).map_err(|_| HistoryError::Broken)?;
            bundle.extend(length.to_be_bytes());
            bundle.extend(entry.as_bytes());
        }
        Ok(Some(bundle))
    }
}
