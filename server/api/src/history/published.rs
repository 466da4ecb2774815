//! The newest published checkpoint, stored outside the database: an old copy of the database does not contain it, and would continue
//! with a history other than what visitors have seen.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{HistoryError, Result};
use super::trees::Trees;
use super::write::to_u64;
use board_log::check;
use board_log::whole_file;
use store::history::LogState;

/// The file of the checkpoint; none unless set.
#[derive(Debug)]
pub struct Published(pub Option<PathBuf>);

impl Published {
    /// The newest checkpoint known to have been published, signed; `None` when there is none, or no file for it.
    ///
    /// # Errors
    /// When the file contains something else.
    pub fn note(&self) -> Result<Option<String>> {
        let Some(file) = &self.0 else {
            return Ok(None);
        };
        match fs::read_to_string(file) {
            Ok(note) => Ok(Some(note)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(file, &error)),
        }
    }

    /// The state of the log in the database; `None` when it has no log yet. Refuses a database that lacks what was published.
    ///
    /// # Errors
    /// When the database lacks it, or when the file or the database cannot be read.
    pub async fn state_in(&self, trees: &Trees) -> Result<Option<LogState>> {
        // Before the database, so that whatever another replica publishes in between is in the database by then.
        let note = self.note()?;
        let state = trees.store.log_state().await?;
        if let (Some(file), Some(note)) = (&self.0, &note)
            && state.as_ref().map(|state| &state.checkpoint) != Some(note)
        {
            expect(trees, state.as_ref(), file, note).await?;
        }
        Ok(state)
    }

    /// Stores the checkpoint that is being published.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, state: &LogState) -> Result<()> {
        let Some(file) = &self.0 else {
            return Ok(());
        };
        // An unchanged file is not written again.
        if fs::read_to_string(file).is_ok_and(|written| written == state.checkpoint) {
            return Ok(());
        }
        whole_file::put(file, &state.checkpoint).map_err(|source| HistoryError::Unwritable {
            file: file.clone(),
            source,
        })
    }
}

async fn expect(trees: &Trees, state: Option<&LogState>, file: &Path, note: &str) -> Result<()> {
    let published = check::unsigned(note).map_err(|error| unreadable(file, &error))?;
    let behind = |found: String| HistoryError::Behind {
        file: file.to_owned(),
        found,
        published: format!("{} entries of {}", published.size, published.origin),
    };
    let Some(state) = state else {
        return Err(behind("has not been begun".to_owned()));
    };
    // A log that ended before this one began, maybe on another host.
    if number_of(&published.origin).is_some_and(|number| number < state.number) {
        return Ok(());
    }
    let there = format!("has {} entries of {}", state.size, state.origin);
    if published.origin != state.origin || published.size > to_u64(state.size)? {
        return Err(behind(there));
    }
    let tree = trees.tree(state.number, state.size).await?;
    match tree.root_at(published.size) == Some(published.root) {
        true => Ok(()),
        false => Err(behind(format!("{there} that say something else"))),
    }
}

/// The first line of the checkpoints of this log of a board.
pub(super) fn origin_of(first: &str, number: i64) -> String {
    if number == 1 {
        first.to_owned()
    } else {
        format!("{first}/{number}")
    }
}

/// The number of the log with this origin.
pub(super) fn number_of(origin: &str) -> Option<i64> {
    let (_, path) = origin.split_once('/')?;
    match path.strip_prefix("log")? {
        "" => Some(1),
        later => later.strip_prefix('/')?.parse().ok(),
    }
}

fn unreadable(file: &Path, why: &dyn std::fmt::Display) -> HistoryError {
    HistoryError::Unreadable {
        file: file.to_owned(),
        why: why.to_string(),
    }
}
