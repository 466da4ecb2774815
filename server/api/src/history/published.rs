//! The newest published checkpoint, stored outside the database: an old copy of the database does not contain it, and would continue
//! with a history other than what visitors have seen.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use super::error::{HistoryError, Result};
use super::write::{checkpoint, load_tiles};
use board_log::checkpoint::Checkpoint;
use board_log::note::Note;
use board_log::tree::Leaves;
use board_log::whole_file;
use store::Store;
use store::history::LogState;

/// The file of the checkpoint; none unless set.
#[derive(Debug)]
pub struct Published {
    file: Option<PathBuf>,
    /// The last written content, so that an unchanged file is not rewritten.
    written: Mutex<Option<String>>,
}

impl Published {
    pub fn new(file: Option<PathBuf>) -> Self {
        Self {
            file,
            written: Mutex::default(),
        }
    }

    /// The newest checkpoint known to have been published, signed; `None` when there is none, or no file for it.
    ///
    /// # Errors
    /// When the file contains something else.
    pub fn note(&self) -> Result<Option<String>> {
        let Some(file) = &self.file else {
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
    pub async fn state_in(&self, store: &Store) -> Result<Option<LogState>> {
        // Before the database, so that whatever another replica publishes in between is in the database by then.
        let note = self.note()?;
        let state = store.log_state().await?;
        if let (Some(file), Some(note)) = (&self.file, &note)
            && state.as_ref().map(|state| &state.checkpoint) != Some(note)
        {
            expect(store, state.as_ref(), file, note).await?;
        }
        Ok(state)
    }

    /// Stores the checkpoint that is being published.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, state: &LogState) -> Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let mut written = self.written.lock();
        if written.as_ref() == Some(&state.checkpoint) {
            return Ok(());
        }
        whole_file::put(file, &state.checkpoint).map_err(|source| HistoryError::Unwritable {
            file: file.clone(),
            source,
        })?;
        *written = Some(state.checkpoint.clone());
        Ok(())
    }
}

async fn expect(store: &Store, state: Option<&LogState>, file: &Path, note: &str) -> Result<()> {
    let note: Note = note.parse().map_err(|error| unreadable(file, &error))?;
    let published: Checkpoint =
        (note.unchecked().parse()).map_err(|error| unreadable(file, &error))?;
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
    let now = checkpoint(state)?;
    let there = format!("has {} entries of {}", now.size, now.origin);
    if published.origin != now.origin || published.size > now.size {
        return Err(behind(there));
    }
    if has(store, state.number, &published, &now).await? {
        return Ok(());
    }
    Err(behind(format!("{there} that say something else")))
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

/// Whether a published checkpoint is a prefix of the current log.
async fn has(store: &Store, log: i64, published: &Checkpoint, now: &Checkpoint) -> Result<bool> {
    let whole = Leaves::up_to(published.size);
    let root = load_tiles(store, log, &[whole]).await?.hash(whole);
    Ok(root == Some(published.root) && (published.size != now.size || published.root == now.root))
}

fn unreadable(file: &Path, why: &dyn std::fmt::Display) -> HistoryError {
    HistoryError::Unreadable {
        file: file.to_owned(),
        why: why.to_string(),
    }
}
