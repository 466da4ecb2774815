//! What stands in the log: entries, and the rows that an entry's root is over. JSON, whose very bytes are hashed.

use serde::{Deserialize, Serialize};

use super::tree::{Hash, leaf};

/// The data of a leaf whose row is gone. Those of a row are longer.
const GONE: &[u8] = b"gone";

/// What keeps a row's hash from telling the row.
pub type Salt = [u8; 16];

/// An entry of the log.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Entry {
    /// The first of a log.
    Begin {
        /// 1 for the first log of a board.
        log: u64,
        at: String,
        /// Why the log before does not go on, in the operator's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<String>,
        /// The newest checkpoint of that one that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
    },
    /// The board as it was at a block.
    Board {
        height: u64,
        block: String,
        at: String,
        /// How many leaves the tree over the rows has.
        rows: u64,
        /// Its root, hex.
        rows_root: String,
        /// False when more had changed than one entry takes: the next one follows at once.
        complete: bool,
    },
    /// Another key signs from now on.
    Key { at: String, key: String },
}

impl Entry {
    /// As it is logged.
    #[must_use]
    pub fn text(&self) -> String {
        // Nothing in it can fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A row as the board shows it and as it is logged. Nothing in it is private.
#[derive(Serialize)]
pub struct Row<'a> {
    pub id: &'a str,
    pub provider: &'a str,
    pub username: &'a str,
    /// `exact`, or `range`: then the amount is where the holder tier begins.
    pub shown_as: &'a str,
    pub holdings_sats: Option<i64>,
    /// How much of that anyone can check.
    pub published_sats: Option<i64>,
    /// RFC 3339.
    pub last_verified: Option<String>,
}

impl Row<'_> {
    /// The row as it is logged.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The leaf of a row. Without the salt nobody can tell from it what the row says.
#[must_use]
pub fn row_leaf(salt: &Salt, row: &str) -> Hash {
    leaf(&[salt, row.as_bytes()])
}

/// The leaf in the place of a row that is gone.
#[must_use]
pub fn gone_leaf() -> Hash {
    leaf(&[GONE])
}
