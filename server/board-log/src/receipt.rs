//! Receipts: "at block N this board showed this row", for ever and offline (C2SP tlog-proof). The extra data contain the entry, the row's line of
//! the snapshot, and the path from it to the entry's root; the rest is the path from the entry into a signed checkpoint.
//!
//! Every reader refuses members that it does not know, in the extra data, in the entry and in the row, and entries and rows that are
//! spelled in another way than the board spells them: what a reader does not know could change what a row means.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::check::{self, CheckError};
use super::checkpoint::number;
use super::entry::Entry;
use super::json::{canonical, object};
use super::note::VerifierKey;
use super::snapshot::Row;
use super::tree::Hash;

const HEADER: &str = "c2sp.org/tlog-proof@v1";

/// The longest receipt that is read, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;

/// The extra data about the row.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Extra {
    /// The entry, as it is logged.
    pub entry: String,
    /// The row's line of the snapshot.
    pub row: String,
    /// The row's index in the snapshot.
    pub index: u64,
    /// Hashes from the row up to the entry's root, base64.
    pub path: Vec<String>,
}

object!(Extra {
    entry,
    row,
    index,
    path
});

impl Extra {
    /// Encodes a hash as in [`path`](Self::path).
    pub fn hash(hash: Hash) -> String {
        STANDARD.encode(hash)
    }
}

/// A receipt that has not been checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub extra: Extra,
    pub index: u64,
    pub path: Vec<Hash>,
    /// The signed checkpoint.
    pub checkpoint: String,
}

/// The result of a valid receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The log that contains it.
    pub origin: String,
    pub height: u64,
    pub at: String,
    /// The row as it was shown.
    pub row: Row,
}

impl Receipt {
    /// The receipt as a file.
    pub fn text(&self) -> String {
        let extra = serde_json::to_vec(&self.extra).unwrap_or_default();
        let path: String = self
            .path
            .iter()
            .map(|hash| STANDARD.encode(hash) + "\n")
            .collect();
        format!(
            "{HEADER}\nextra {}\nindex {}\n{path}\n{}",
            STANDARD.encode(extra),
            self.index,
            self.checkpoint
        )
    }

    /// Reads a receipt file.
    ///
    /// # Errors
    /// When it is not a receipt.
    pub fn read(text: &str) -> Result<Self, CheckError> {
        if text.len() > MAX_BYTES {
            return Err(CheckError::NoReceipt);
        }
        Self::parse(text).ok_or(CheckError::NoReceipt)
    }

    fn parse(text: &str) -> Option<Self> {
        let (head, checkpoint) = text.split_once("\n\n")?;
        let mut lines = head.split('\n');
        (lines.next()? == HEADER).then_some(())?;
        let extra = STANDARD
            .decode(lines.next()?.strip_prefix("extra ")?)
            .ok()?;
        let index = number(lines.next()?.strip_prefix("index ")?)?;
        Some(Self {
            extra: canonical(std::str::from_utf8(&extra).ok()?)?,
            index,
            path: lines.map(hash).collect::<Option<_>>()?,
            checkpoint: checkpoint.to_owned(),
        })
    }

    /// Checks the whole receipt, offline: the row is in the entry, the entry in the log, and one of these keys has signed the checkpoint. The
    /// reader supplies the keys; keys named in a receipt are ignored.
    ///
    /// # Errors
    /// The first check that fails.
    pub fn check(&self, keys: &[VerifierKey]) -> Result<Shown, CheckError> {
        let checkpoint = check::checkpoint(&self.checkpoint, keys)?;
        let Extra {
            entry: text,
            row,
            index,
            path,
        } = &self.extra;
        if !check::is_included(
            text.as_bytes(),
            self.index,
            &self.path,
            checkpoint.size,
            &checkpoint.root,
        ) {
            return Err(CheckError::EntryNotInLog);
        }
        let Some(Entry::Board {
            height,
            time,
            rows,
            root: rows_root,
            ..
        }) = canonical(text)
        else {
            return Err(CheckError::NotOfTheBoard);
        };
        let mut root: Hash = [0; 32];
        let decoded = hex::decode_to_slice(rows_root, &mut root);
        let path: Option<Vec<Hash>> = path.iter().map(|text| hash(text)).collect();
        let (Ok(()), Some(path)) = (decoded, path) else {
            return Err(CheckError::NoReceipt);
        };
        if !check::is_included(row.as_bytes(), *index, &path, rows, &root) {
            return Err(CheckError::RowNotInEntry);
        }
        let row = canonical::<Row>(row).filter(Row::is_possible);
        Ok(Shown {
            origin: checkpoint.origin,
            height,
            at: time,
            row: row.ok_or(CheckError::NoReceipt)?,
        })
    }
}

fn hash(text: &str) -> Option<Hash> {
    STANDARD.decode(text).ok()?.try_into().ok()
}
