//! The newest snapshot as a file, and receipts for rows of it.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::sync::OnceCell;

use super::error::HistoryError;
use super::room::History;
use super::write::{checkpoint, count, places, read};
use crate::limits::single_flight::get_or_compute;
use board_log::entry::Entry;
use board_log::receipt::{Extra, Receipt};
use board_log::snapshot::{Header, Row, SaltKey, line_leaf, salted, tree_over, withdrawn_line};
use board_log::tree::{self, Hash, Leaves, Tiles};
use store::history::{LogLine, LogState};

/// How often the log is read again when it moves meanwhile.
const TRIES: usize = 5;

/// The newest snapshot, without the rows that were withdrawn since its entry.
#[derive(Debug)]
pub struct SnapshotFile {
    /// The number of the log.
    log: i64,
    /// The entry that commits to it.
    entry: String,
    pub header: Header,
    /// As it is served.
    pub bytes: Bytes,
    gzip: OnceCell<Bytes>,
    tree: Tiles,
    /// In the order of the ids.
    rows: Vec<Place>,
}

#[derive(Debug)]
struct Place {
    id: String,
    index: u64,
    line: Range<usize>,
}

impl SnapshotFile {
    /// How many rows are not withdrawn.
    #[must_use]
    pub fn rows_left(&self) -> usize {
        self.rows.len()
    }

    /// Whether this is the snapshot of this entry of this log.
    #[must_use]
    pub fn is_of(&self, log: i64, entry: u64) -> bool {
        (self.log, self.header.entry) == (log, entry)
    }

    /// The bytes, compressed with gzip once for all readers.
    ///
    /// # Errors
    /// When the work cannot be done.
    pub async fn gzip(self: &Arc<Self>) -> Result<Bytes, HistoryError> {
        let compress = async || {
            let bytes = self.bytes.clone();
            let compressing = tokio::task::spawn_blocking(move || {
                let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
                gzip.write_all(&bytes).and_then(|()| gzip.finish())
            });
            let compressed = compressing.await.map_err(|_| HistoryError::Broken)?;
            compressed
                .map(Bytes::from)
                .map_err(|_| HistoryError::Broken)
        };
        self.gzip.get_or_try_init(compress).await.cloned()
    }

    /// The rows that are not withdrawn.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        let lines = self.rows.iter().filter_map(|row| self.line(row));
        lines.filter_map(|line| serde_json::from_slice(line).ok())
    }

    fn line(&self, row: &Place) -> Option<&[u8]> {
        self.bytes.get(row.line.clone())
    }

    fn write(
        state: &LogState,
        index: i64,
        entry: String,
        mut lines: Vec<LogLine>,
    ) -> Result<Self, HistoryError> {
        lines.sort_unstable_by(|a, b| a.profile_id.cmp(&b.profile_id));
        let mut key = SaltKey::default();
        let hex_key = state.salt_key.as_deref().ok_or(HistoryError::Broken)?;
        hex::decode_to_slice(hex_key, &mut key).map_err(|_| HistoryError::Broken)?;
        let parsed: Entry = serde_json::from_str(&entry).map_err(|_| HistoryError::Broken)?;
        let header = Header::for_entry(&state.origin, count(index)?, &parsed);
        let header = header.ok_or(HistoryError::Broken)?;
        let mut text = serde_json::to_string(&header).unwrap_or_default() + "\n";
        let (mut leaves, mut rows) = (Vec::with_capacity(lines.len()), Vec::new());
        for (
            index,
            LogLine {
                profile_id,
                line,
                withdrawn,
            },
        ) in (0..).zip(lines)
        {
            let start = text.len();
            if let Some(line) = line {
                text.push_str(&salted(&line, &profile_id, &key));
                leaves.push(line_leaf(&text[start..]));
                rows.push(Place {
                    id: profile_id,
                    index,
                    line: start..text.len(),
                });
            } else {
                let mut leaf = Hash::default();
                let withdrawn = withdrawn.ok_or(HistoryError::Broken)?;
                hex::decode_to_slice(&withdrawn, &mut leaf).map_err(|_| HistoryError::Broken)?;
                text.push_str(&withdrawn_line(&withdrawn));
                leaves.push(leaf);
            }
            text.push('\n');
        }
        let tree = tree_over(leaves.into_iter()).ok_or(HistoryError::Broken)?;
        Ok(Self {
            log: state.number,
            entry,
            header,
            bytes: text.into(),
            gzip: OnceCell::new(),
            tree,
            rows,
        })
    }
}

impl History {
    /// The newest snapshot; none before the first entry about the board.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn snapshot(&self) -> Result<Option<Arc<SnapshotFile>>, HistoryError> {
        let _turn = self.store.turn_of_a_visitor().await;
        for _ in 0..TRIES {
            let state = self.state().await?;
            let Some(entry) = state.board_entry else {
                return Ok(None);
            };
            let key = (state.number, entry, state.withdrawn);
            let writing = async || self.write_snapshot(&state, entry).await;
            match get_or_compute(&self.snapshots, &key, writing).await {
                Err(HistoryError::Moved) => {}
                file => return file.map(Some),
            }
        }
        Err(HistoryError::Moved)
    }

    async fn write_snapshot(
        &self,
        state: &LogState,
        index: i64,
    ) -> Result<Arc<SnapshotFile>, HistoryError> {
        let entry = self.store.log_entries(state.number, index, 1).await?.pop();
        let lines = self.store.log_lines().await?;
        // Lines change only together with one of these, so all of them are of one moment.
        let now = self.state().await?;
        let moment = |it: &LogState| (it.number, it.board_entry, it.withdrawn);
        if moment(&now) != moment(state) {
            return Err(HistoryError::Moved);
        }
        let entry = entry.ok_or(HistoryError::Broken)?;
        let state = state.clone();
        let write = move || SnapshotFile::write(&state, index, entry, lines);
        let file = tokio::task::spawn_blocking(write).await;
        Ok(Arc::new(file.map_err(|_| HistoryError::Broken)??))
    }

    /// A receipt for this row of the newest snapshot; none when it is not in there.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn receipt(&self, profile_id: &str) -> Result<Option<String>, HistoryError> {
        let mut receipts = self.receipts(&[profile_id]).await?;
        Ok(receipts.remove(profile_id).flatten())
    }

    /// Receipts for these rows of the newest snapshot, by their ids; null for those that are not in there.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn receipts(
        &self,
        ids: &[&str],
    ) -> Result<BTreeMap<String, Option<String>>, HistoryError> {
        for _ in 0..TRIES {
            let file = self.snapshot().await?;
            let state = self.state().await?;
            let Some(file) = file else {
                return Ok(ids.iter().map(|id| ((*id).to_owned(), None)).collect());
            };
            if file.log != state.number {
                continue;
            }
            let path = self.path(&state, file.header.entry).await?;
            let receipts = ids.iter().map(|id| {
                let receipt = receipt_of(&file, id, &path, &state)?;
                Ok(((*id).to_owned(), receipt))
            });
            return receipts.collect();
        }
        Err(HistoryError::Moved)
    }

    /// The hashes from an entry up to the root.
    async fn path(&self, state: &LogState, index: u64) -> Result<Vec<Hash>, HistoryError> {
        let nodes: Vec<Leaves> =
            tree::inclusion(index, checkpoint(state)?.size).ok_or(HistoryError::Broken)?;
        let (levels, indices) = places(tree::tiles_of(&nodes).iter())?;
        let tiles = self.store.log_tiles(state.number, levels, indices).await?;
        read(tiles)?.hashes(&nodes).ok_or(HistoryError::Broken)
    }
}

fn receipt_of(
    file: &SnapshotFile,
    id: &str,
    path: &[Hash],
    state: &LogState,
) -> Result<Option<String>, HistoryError> {
    let place = file.rows.binary_search_by(|row| row.id.as_str().cmp(id));
    let Some(row) = place.ok().and_then(|place| file.rows.get(place)) else {
        return Ok(None);
    };
    let line = file
        .line(row)
        .and_then(|line| std::str::from_utf8(line).ok());
    let nodes = tree::inclusion(row.index, file.header.rows).ok_or(HistoryError::Broken)?;
    let hashes = file.tree.hashes(&nodes).ok_or(HistoryError::Broken)?;
    let receipt = Receipt {
        extra: Extra {
            entry: file.entry.clone(),
            row: line.ok_or(HistoryError::Broken)?.to_owned(),
            index: row.index,
            path: hashes.into_iter().map(Extra::hash).collect(),
        },
        index: file.header.entry,
        path: path.to_vec(),
        checkpoint: state.checkpoint.clone(),
    };
    Ok(Some(receipt.text()))
}
