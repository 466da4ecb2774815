//! Public reads of the logs (C2SP tlog-tiles), and notes on published proofs (proofs, section 4).

use std::sync::atomic::Ordering;

use super::error::{BoardLogError, Result};
use super::resource::is_in;
use super::room::{BoardLog, OUTSIDE};
use super::write::{PURPOSE, origin_of, to_i64, to_u64};
use board_log::note::Signer;
use board_log::proof_note::ProofNote;
use board_log::tree::WIDTH;
use store::board_log::{LogHead, LogState, Restored};
use tlog_tiles::Tile;

impl BoardLog {
    /// The state of the log that was issued.
    pub(super) async fn issued(&self) -> Result<LogState> {
        let state = self.store.issued_log().await?;
        let state = state.ok_or(BoardLogError::NotBegun)?;
        self.number.store(state.number, Ordering::Relaxed);
        Ok(state)
    }

    /// The same, for readers, once it is in the folder of this replica and no witness can know more.
    pub(super) async fn public_state(&self) -> Result<LogState> {
        let state = self.issued().await?;
        self.expect_public(&state).await?;
        Ok(state)
    }

    async fn expect_public(&self, state: &LogState) -> Result<()> {
        if state.restored == Restored::Unconfirmed {
            return Err(BoardLogError::Restored);
        }
        if self.store.log_forked().await?.as_deref() == Some(OUTSIDE) {
            // Visitors may have seen more.
            return Err(BoardLogError::Lost);
        }
        self.settings.folder.keep(&self.trees, state).await
    }

    /// Whether this is the number of the current log.
    ///
    /// # Errors
    /// When it is an earlier log, or the database fails.
    pub(super) async fn is_current(&self, log: i64) -> Result<bool> {
        let current = self.issued().await?.number;
        match log < current {
            true => Err(BoardLogError::Replaced),
            false => Ok(log == current),
        }
    }

    /// The address of the current log; the last known one while the database does not respond.
    pub async fn address(&self) -> String {
        let number = self.issued().await.map(|state| state.number);
        let number = number.unwrap_or_else(|_| self.number.load(Ordering::Relaxed));
        origin_of("/log", number)
    }

    /// The newest checkpoint of a log; the last one of an earlier log. `None` when there is no such log.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn head(&self, log: i64) -> Result<Option<LogHead>> {
        let head = self.read_head(log).await?;
        Ok(head.map(|(head, _)| head))
    }

    /// The notes that announce new keys of a log, oldest first; `None` when there is no such log.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rotations(&self, log: i64) -> Result<Option<Vec<String>>> {
        Ok(match self.read_head(log).await? {
            Some((_, size)) => Some(self.store.log_rotations(log, size).await?),
            None => None,
        })
    }

    /// A tile or a bundle of entries of the current log; `None` beyond its end, and when there is no such log.
    ///
    /// # Errors
    /// When it is an earlier log, or the database fails.
    pub async fn resource(&self, log: i64, resource: Tile) -> Result<Option<Vec<u8>>> {
        if !self.is_current(log).await? {
            return Ok(None);
        }
        let state = self.public_state().await?;
        if !is_in(to_u64(state.size)?, resource) {
            return Ok(None);
        }
        if resource.is_data() {
            return self.entries(state.number, resource).await;
        }
        let tree = self.trees.tree(state.number, state.size).await?;
        Ok(resource.read_data(&*tree).ok())
    }

    /// The note about a published proof, signed with the current key.
    ///
    /// # Errors
    /// When the database fails, or the key is missing.
    pub async fn sign(&self, note: &ProofNote) -> Result<String> {
        let origin = self.issued().await?.origin;
        let key = self.store.newest_key(PURPOSE).await?;
        let signer = key.and_then(|key| Signer::read(&origin, &key));
        Ok(note.sign(&signer.ok_or(BoardLogError::Key)?))
    }

    /// The newest checkpoint of a log, and how many of its entries readers may know.
    async fn read_head(&self, log: i64) -> Result<Option<(LogHead, i64)>> {
        let state = self.issued().await?;
        if state.number != log {
            // The ends of earlier logs are in the folder as well.
            self.settings.folder.keep(&self.trees, &state).await?;
            let end = self.store.ended_log(log).await?;
            return Ok(end.map(|end| (end, i64::MAX)));
        }
        self.expect_public(&state).await?;
        let head = LogHead {
            number: log,
            checkpoint: state.checkpoint,
            verifier_key: state.verifier_key,
        };
        Ok(Some((head, state.size)))
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
            let length = u16::try_from(entry.len()).map_err(|_| BoardLogError::Broken)?;
            bundle.extend(length.to_be_bytes());
            bundle.extend(entry.as_bytes());
        }
        Ok(Some(bundle))
    }
}
