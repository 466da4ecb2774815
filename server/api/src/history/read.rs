//! What everybody may read of the log (C2SP tlog-tiles), and receipts for the holders of rows.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::error::HistoryError;
use super::published::origin_of;
use super::resource::Resource;
use super::room::History;
use super::write::{checkpoint, count, places, read, signed};
use board_log::receipt::{Extra, Receipt};
use board_log::tree::{self, Hash, Leaves, TileId, WIDTH};
use store::history::{LogState, Tree};

/// How often the log is read again when it moves meanwhile.
const TRIES: usize = 5;

impl History {
    pub(super) async fn state(&self) -> Result<LogState, HistoryError> {
        let state = self.store.log_state().await?;
        let state = state.ok_or(HistoryError::NotBegun)?;
        self.number.store(state.number, Ordering::Relaxed);
        Ok(state)
    }

    /// The address of the current log; as it last was while the database does not answer.
    pub async fn address(&self) -> String {
        let _turn = self.store.turn_of_a_visitor().await;
        let number = self.state().await.map(|state| state.number);
        let number = number.unwrap_or_else(|_| self.number.load(Ordering::Relaxed));
        origin_of("/log", number)
    }

    /// The newest checkpoint of this log, signed: the last one when the log has ended. None when there is no such log.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn checkpoint(&self, log: i64) -> Result<Option<String>, HistoryError> {
        let _turn = self.store.turn_of_a_visitor().await;
        let state = self.state().await?;
        if state.number == log {
            return Ok(Some(state.checkpoint));
        }
        let ended = self.store.ended_log(log).await?;
        Ok(ended.map(|ended| ended.checkpoint))
    }

    /// The key that signs it; none when there is no such log, or the key is lost.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn verifier_key(&self, log: i64) -> Result<Option<String>, HistoryError> {
        let _turn = self.store.turn_of_a_visitor().await;
        let state = self.state().await?;
        if state.number == log {
            return Ok(Some(state.verifier_key));
        }
        let ended = self.store.ended_log(log).await?;
        Ok(ended.and_then(|ended| ended.verifier_key))
    }

    /// The notes that announce new keys of the current log, oldest first; none when this is not the current one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rotations(&self, log: i64) -> Result<Option<Vec<String>>, HistoryError> {
        let _turn = self.store.turn_of_a_visitor().await;
        if self.state().await?.number != log {
            return Ok(None);
        }
        Ok(Some(self.store.log_rotations().await?))
    }

    /// A tile or a bundle of entries of the current log; none when it has not got so far, or this is not the current one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn resource(
        &self,
        log: i64,
        resource: Resource,
    ) -> Result<Option<Arc<[u8]>>, HistoryError> {
        let _turn = self.store.turn_of_a_visitor().await;
        let state = self.state().await?;
        if state.number != log {
            return Ok(None);
        }
        let key = (state.number, resource);
        if let Some(kept) = self.kept.get(&key).await {
            return Ok(Some(kept));
        }
        let (id, width) = resource.part();
        if id.width(count(state.size)?) < width {
            return Ok(None);
        }
        let bytes = match resource {
            Resource::Tile(id, width) => self.tile(id, width).await?,
            Resource::Entries(index, width) => self.entries(index, width).await?,
        };
        let bytes: Option<Arc<[u8]>> = bytes.map(Into::into);
        // A new log may have been begun meanwhile, and the bytes be of that one.
        if self.state().await?.number != log {
            return Ok(None);
        }
        if let Some(bytes) = &bytes {
            self.kept.insert(key, Arc::clone(bytes)).await;
        }
        Ok(bytes)
    }

    async fn tile(&self, id: TileId, width: u64) -> Result<Option<Vec<u8>>, HistoryError> {
        let (levels, indices) = places(std::iter::once(&id))?;
        let stored = self.store.log_tiles(Tree::Log, levels, indices).await?;
        let Some(tile) = stored.first() else {
            return Ok(None);
        };
        let bytes = hex::decode(&tile.hashes).map_err(|_| HistoryError::Broken)?;
        let wanted =
            size_of::<Hash>() * usize::try_from(width).map_err(|_| HistoryError::Broken)?;
        Ok(bytes.get(..wanted).map(<[u8]>::to_vec))
    }

    async fn entries(&self, index: u64, width: u64) -> Result<Option<Vec<u8>>, HistoryError> {
        let first = signed(index * WIDTH)?;
        let entries = self.store.log_entries(first, signed(width)?).await?;
        if entries.len() as u64 != width {
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

    /// A receipt for somebody's row in the newest entry about the board; none when it is not in there.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn receipt(&self, profile_id: &str) -> Result<Option<String>, HistoryError> {
        for _ in 0..TRIES {
            let state = self.state().await?;
            let receipt = self.try_receipt(profile_id, &state).await;
            // Everything was of one moment.
            if self.state().await?.size == state.size {
                return receipt;
            }
        }
        Ok(None)
    }

    async fn try_receipt(
        &self,
        profile_id: &str,
        state: &LogState,
    ) -> Result<Option<String>, HistoryError> {
        let logged = self.store.logged_rows(&[profile_id]).await?;
        let (Some(logged), Some(number)) = (logged.into_iter().next(), state.board_entry) else {
            return Ok(None);
        };
        let entry = self.store.log_entries(number, 1).await?.pop();
        let entry = entry.ok_or(HistoryError::Broken)?;
        let (slot, index) = (count(logged.slot)?, count(number)?);
        let rows = self.path(Tree::Rows, slot, count(state.slots)?).await?;
        let receipt = Receipt {
            extra: Extra {
                entry,
                row: logged.logged,
                salt: logged.salt,
                slot,
                path: rows.into_iter().map(Extra::hash).collect(),
            },
            index,
            path: self.path(Tree::Log, index, checkpoint(state)?.size).await?,
            checkpoint: state.checkpoint.clone(),
        };
        Ok(Some(receipt.text()))
    }

    /// The hashes from a leaf up to the root.
    async fn path(&self, tree: Tree, index: u64, leaves: u64) -> Result<Vec<Hash>, HistoryError> {
        let nodes: Vec<Leaves> = tree::inclusion(index, leaves).ok_or(HistoryError::Broken)?;
        let (levels, indices) = places(tree::tiles_of(&nodes).iter())?;
        let tiles = read(self.store.log_tiles(tree, levels, indices).await?)?;
        tiles.hashes(&nodes).ok_or(HistoryError::Broken)
    }
}
