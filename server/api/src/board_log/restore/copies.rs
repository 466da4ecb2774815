//! Copies of a log in folders outside of the database.

use std::path::{Path, PathBuf};

use super::error::RestoreError;
use crate::board_log::error::BoardLogError;
use crate::board_log::folder::{Head, heads, lines_of};
use board_log::check;
use board_log::checkpoint::Checkpoint;
use board_log::tree::{Tree, leaf};
use store::board_log::{LogHead, LogState};

/// A log as a folder has it.
pub(super) struct LogCopy {
    pub(super) folder: PathBuf,
    pub(super) head: Head,
    pub(super) now: Checkpoint,
    /// The entries under the checkpoint.
    pub(super) entries: Vec<String>,
    pub(super) tree: Tree,
}

/// The log in this folder, which must be whole; `None` when a later log has replaced it.
pub(super) fn read(
    folder: &Path,
    state: &LogState,
    ended: &[LogHead],
) -> std::result::Result<Option<LogCopy>, RestoreError> {
    let not_whole = |why: String| RestoreError::NotWhole {
        folder: folder.to_owned(),
        why,
    };
    let head = heads(folder)?.pop();
    let (log, head, now) = head.ok_or_else(|| not_whole("it has no checkpoint".to_owned()))?;
    let has_ended = |end: &LogHead| {
        let last = check::unsigned(&end.checkpoint);
        end.number == log && last.is_ok_and(|last| last.origin == now.origin)
    };
    if ended.iter().any(has_ended) {
        return Ok(None);
    }
    let (folder, theirs) = (folder.to_owned(), now.origin.clone());
    let host = |origin: &str| origin.split('/').next().map(str::to_owned);
    if log > state.number && host(&theirs) == host(&state.origin) {
        return Err(RestoreError::LaterLog { folder, theirs });
    }
    if theirs != state.origin {
        let own = state.origin.clone();
        return Err(RestoreError::OtherBoard {
            folder,
            theirs,
            own,
        });
    }
    let mut entries = lines_of(&folder, log).map_err(|error| not_whole(error.to_string()))?;
    let size = entries.len() as u64;
    if size < now.size {
        let why = format!("it has {size} entries of {}", now.size);
        return Err(not_whole(why));
    }
    // A crash may have left entries that were never signed.
    entries.truncate(usize::try_from(now.size).unwrap_or(usize::MAX));
    let mut tree = Tree::default();
    tree.extend(entries.iter().map(|entry| leaf(entry.as_bytes())));
    if tree.root() != now.root {
        return Err(not_whole("its checkpoint is of other entries".to_owned()));
    }
    Ok(Some(LogCopy {
        folder,
        head,
        now,
        entries,
        tree,
    }))
}

/// The longest copy, which all others are the beginning of.
pub(super) fn longest(copies: Vec<LogCopy>) -> std::result::Result<LogCopy, RestoreError> {
    let named = |copy: &LogCopy| {
        let LogCopy { folder, now, .. } = copy;
        format!("{} ({})", folder.display(), head_of(now))
    };
    let mut copies = copies.into_iter();
    let mut longest = copies.next().ok_or(BoardLogError::NotBegun)?;
    for copy in copies {
        let (shorter, longer) = match copy.now.size > longest.now.size {
            true => (&longest, &copy),
            false => (&copy, &longest),
        };
        if longer.tree.root_at(shorter.now.size) != Some(shorter.now.root) {
            let (one, other) = (named(shorter), named(longer));
            return Err(RestoreError::Fork { one, other });
        }
        if copy.now.size > longest.now.size {
            longest = copy;
        }
    }
    Ok(longest)
}

/// Size and root, as people compare them.
pub(super) fn head_of(now: &Checkpoint) -> String {
    format!(
        "{} entries with the root {}",
        now.size,
        hex::encode(now.root)
    )
}
