//! Entries of the log, as JSON. The exact bytes are hashed.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Entry {
    /// The first entry of a log.
    Begin {
        /// 1 for the first log of a board.
        log: u64,
        time: String,
        /// Why the previous log ended, in the operator's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<String>,
        /// The newest known checkpoint of the previous log.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
    },
    /// The board as of a block: commits to a snapshot.
    Board {
        height: u64,
        block: String,
        time: String,
        /// How many rows the snapshot has.
        rows: u64,
        /// The root over them, hex.
        root: String,
    },
    /// From the next entry on, another key signs.
    Key { time: String, key: String },
    /// The files of the static pages that check proofs, each with its SHA-256 in hex.
    Page {
        time: String,
        files: BTreeMap<String, String>,
    },
}

/// Parses JSON that is written exactly as we write it.
pub fn canonical<T: Serialize + DeserializeOwned>(text: &str) -> Option<T> {
    let value: T = serde_json::from_str(text).ok()?;
    (serde_json::to_string(&value).ok()? == text).then_some(value)
}

impl Entry {
    /// The JSON that is logged.
    pub fn text(&self) -> String {
        // Serialization of these types cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
