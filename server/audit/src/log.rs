//! Checks that a board's log extends what was seen of it before (proofs, section 6).

use std::collections::BTreeMap;

pub use super::seen::Seen;
use super::seen::trusted_keys;
use super::site::Site;
use board_log::check::{self, CheckError};
use board_log::entry::Entry;
use board_log::note::VerifierKey;
use board_log::snapshot::Snapshot;
use reader::Log;

mod error;
mod reader;
mod tiles;

pub use error::LogError;

/// How often the log is read again when it gets a new entry in between.
const TRIES: usize = 20;

/// The result of checking the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The result in words.
    pub sentence: String,
    /// The state to store.
    pub seen: Seen,
    /// The keys that may sign, the newest last.
    pub keys: Vec<VerifierKey>,
    /// Every entry, from the first to the newest.
    pub entries: Vec<Entry>,
    /// The newest snapshot; `None` before the first entry about the board.
    pub snapshot: Option<Snapshot>,
}

impl Look {
    /// The SHA-256 of each file of the pages, by address, from the newest `page` entry.
    pub(super) fn pages(&self) -> Option<&BTreeMap<String, String>> {
        self.entries.iter().rev().find_map(|entry| match entry {
            Entry::Page { files, .. } => Some(files),
            _ => None,
        })
    }

    /// The time of each entry.
    pub(super) fn times(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| match entry {
            Entry::Begin { time, .. }
            | Entry::Board { time, .. }
            | Entry::Key { time, .. }
            | Entry::Page { time, .. } => time.as_str(),
        })
    }

    /// Heights and hashes of the blocks that entries name, the oldest first.
    pub(super) fn blocks(&self) -> Vec<(u64, &str)> {
        let blocks = self.entries.iter().filter_map(|entry| match entry {
            Entry::Board { height, block, .. } => Some((*height, block.as_str())),
            _ => None,
        });
        blocks.collect()
    }
}

/// Checks a board's log, and that it has only grown since `before`: every entry is replayed. A `key` from the command line
/// takes precedence over stored ones; without either, the board's own key is trusted this once.
///
/// # Errors
/// When the board does not respond, or the log is rejected.
pub async fn look(
    site: &Site,
    before: Option<&Seen>,
    key: Option<&VerifierKey>,
) -> Result<Look, LogError> {
    for _ in 1..TRIES {
        match look_once(site, before, key).await {
            Err(LogError::Moved) => {}
            look => return look,
        }
    }
    look_once(site, before, key).await
}

async fn look_once(
    site: &Site,
    before: Option<&Seen>,
    key: Option<&VerifierKey>,
) -> Result<Look, LogError> {
    let log = Log {
        site,
        address: site.log().await?,
    };
    let note = log.newest_checkpoint().await?;
    if check::unsigned(&note)?.origin != log.origin() {
        return Err(CheckError::OtherBoard.into());
    }
    let seen = before.map(|seen| check::unsigned(&seen.checkpoint));
    let seen = seen.transpose()?;
    let known = match trusted_keys(before, key)? {
        none if none.is_empty() && before.is_none() => log.own_keys().await?,
        known => known,
    };
    let since = match &seen {
        Some(seen) if seen.origin != log.origin() => {
            return Err(log.explain_begin(seen, &note).await);
        }
        Some(seen) => format!("which has only grown since it had {}", seen.size),
        None => "seen for the first time".to_owned(),
    };
    let keys = log.follow_rotations(known).await?;
    let now = check::checkpoint(&note, &keys)?;
    let entries = log.entries(seen.as_ref(), &now).await?;
    let is_board = |entry: &Entry| matches!(entry, Entry::Board { .. });
    let snapshot = match entries.iter().rposition(is_board) {
        Some(index) => match log.snapshot(index as u64, &entries[index]).await? {
            // A newer snapshot has replaced it.
            None if log.newest_checkpoint().await? != note => return Err(LogError::Moved),
            None => return Err(CheckError::Missing.into()),
            snapshot => snapshot,
        },
        None => None,
    };
    let withdrawn = match snapshot.as_ref().map_or(0, |it| it.withdrawn) {
        0 => String::new(),
        rows => format!("; {rows} rows of its snapshot were withdrawn since"),
    };
    Ok(Look {
        sentence: format!(
            "the log {}, {} entries, {since}{withdrawn}",
            now.origin, now.size
        ),
        seen: Seen {
            checkpoint: note,
            until: keys.iter().filter_map(VerifierKey::until).collect(),
            keys: keys.iter().map(ToString::to_string).collect(),
            unlogged: BTreeMap::new(),
        },
        keys,
        entries,
        snapshot,
    })
}
