//! The newest snapshot as a file.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::sync::OnceCell;

use super::error::{BoardLogError, Result};
use super::write::to_u64;
use board_log::entry::Entry;
use board_log::receipt::{Extra, Receipt};
use board_log::snapshot::{Header, Row, SaltKey, salted, withdrawn_line};
use board_log::tree::{Hash, Tree, leaf};
use store::board_log::{LogLine, LogState};

/// The newest snapshot, without the rows withdrawn since its entry.
#[derive(Debug)]
pub struct SnapshotFile {
    /// The number of the log.
    log: i64,
    /// The entry that commits to it, as it is logged.
    entry: String,
    pub header: Header,
    /// The file as it is served.
    pub bytes: Bytes,
    gzip: OnceCell<Bytes>,
    tree: Tree,
    /// The index of each row, and its line in the file, by ids.
    rows: BTreeMap<String, (u64, Range<usize>)>,
}

impl SnapshotFile {
    /// How many rows are not withdrawn.
    pub fn rows_left(&self) -> usize {
        self.rows.len()
    }

    /// Whether this is the snapshot of this entry of this log.
    pub fn is_of(&self, log: i64, entry: u64) -> bool {
        (self.log, self.header.entry) == (log, entry)
    }

    /// The bytes, compressed with gzip once for all clients.
    ///
    /// # Errors
    /// When the compression fails.
    pub async fn gzip(self: &Arc<Self>) -> Result<Bytes> {
        let compress = async || {
            let bytes = self.bytes.clone();
            let compressing = tokio::task::spawn_blocking(move || {
                let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
                gzip.write_all(&bytes).and_then(|()| gzip.finish())
            });
            let compressed = compressing.await.map_err(|_| BoardLogError::Broken)?;
            compressed
                .map(Bytes::from)
                .map_err(|_| BoardLogError::Broken)
        };
        self.gzip.get_or_try_init(compress).await.cloned()
    }

    /// The rows that are not withdrawn.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        let lines = self
            .rows
            .values()
            .map(|(_, line)| &self.bytes[line.clone()]);
        lines.filter_map(|line| serde_json::from_slice(line).ok())
    }

    pub(super) fn write(
        state: &LogState,
        index: i64,
        entry: String,
        mut lines: Vec<LogLine>,
    ) -> Result<Self> {
        lines.sort_unstable_by(|a, b| a.profile_id.cmp(&b.profile_id));
        let mut key = SaltKey::default();
        let hex_key = state.salt_key.as_deref().ok_or(BoardLogError::Broken)?;
        hex::decode_to_slice(hex_key, &mut key).map_err(|_| BoardLogError::Broken)?;
        let parsed: Entry = serde_json::from_str(&entry).map_err(|_| BoardLogError::Broken)?;
        let header = Header::for_entry(&state.origin, to_u64(index)?, &parsed);
        let header = header.ok_or(BoardLogError::Broken)?;
        let mut text = serde_json::to_string(&header).unwrap_or_default() + "\n";
        let (mut tree, mut rows) = (Tree::default(), BTreeMap::new());
        for (index, row) in (0..).zip(lines) {
            let start = text.len();
            let leaf = if let Some(line) = row.line {
                text.push_str(&salted(&line, &row.profile_id, &key));
                rows.insert(row.profile_id, (index, start..text.len()));
                leaf(&text.as_bytes()[start..])
            } else {
                let mut leaf = Hash::default();
                let withdrawn = row.withdrawn.ok_or(BoardLogError::Broken)?;
                hex::decode_to_slice(&withdrawn, &mut leaf).map_err(|_| BoardLogError::Broken)?;
                text.push_str(&withdrawn_line(&withdrawn));
                leaf
            };
            tree.push(leaf);
            text.push('\n');
        }
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

    /// A receipt for this row, with the entry's path into the checkpoint; `None` when the row is not in the snapshot.
    pub(super) fn receipt(
        &self,
        id: &str,
        path: &[Hash],
        checkpoint: &str,
    ) -> Result<Option<String>> {
        let Some((index, line)) = self.rows.get(id) else {
            return Ok(None);
        };
        let row = String::from_utf8_lossy(&self.bytes[line.clone()]).into_owned();
        let path_of_row = self.tree.inclusion(*index, self.header.rows);
        let path_of_row = path_of_row.ok_or(BoardLogError::Broken)?;
        let receipt = Receipt {
            extra: Extra {
                entry: self.entry.clone(),
                row,
                index: *index,
                path: path_of_row.into_iter().map(Extra::hash).collect(),
            },
            index: self.header.entry,
            path: path.to_vec(),
            checkpoint: checkpoint.to_owned(),
        };
        Ok(Some(receipt.text()))
    }
}
