//! What stands in the log: entries, and the rows that an entry's root is over. JSON, whose very bytes are hashed.

use serde::{Deserialize, Serialize};

use super::tree::{Hash, leaf};
use crate::base::clock::UnixTime;
use crate::board::units::iso;
use crate::store::changes::ShownProfile;

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

/// Somebody's row, as the board shows it and as it is logged. Nothing in it is not public.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    provider: &'a str,
    username: &'a str,
    /// `exact`, or `range`: then the amount is where the holder tier begins.
    shown_as: &'a str,
    holdings_sats: Option<i64>,
    /// How much of that anybody can check.
    published_sats: Option<i64>,
    last_verified: Option<String>,
}

/// The text of somebody's row.
#[must_use]
pub fn row_text(profile: &ShownProfile) -> String {
    let row = Row {
        id: &profile.id,
        provider: &profile.provider,
        username: &profile.username,
        shown_as: profile.shown_as.as_str(),
        holdings_sats: profile.shown_sats,
        published_sats: profile.published_sats,
        last_verified: profile.shown_verified.map(|time: UnixTime| iso(time)),
    };
    serde_json::to_string(&row).unwrap_or_default()
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
