//! Checks of the log that need no trust in it. Pure: checkpoints and entries in, a verdict out.

use tlog_tiles::check_record;

use super::checkpoint::{Checkpoint, number};
use super::note::{Note, NoteError, VerifierKey};
use super::tree::{self, Hash, MAX_LEAVES, Tree};

/// First line of a note that announces a new key.
pub const ROTATION: &str = "Proof of Reserves: a new key of the log";

/// Why the log, or a receipt of it, is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    #[error("{0}")]
    Note(#[from] NoteError),
    #[error("it is signed by a key that had already been replaced")]
    Replaced,
    #[error("it is another board's log, or it is served at the wrong address")]
    OtherBoard,
    #[error("this is not the log that you have seen before")]
    OtherLog,
    #[error("the log has fewer entries than it had when you last saw it")]
    Shorter,
    #[error("the log's history differs from what you last saw: it has been rewritten")]
    Rewritten,
    #[error("the log does not serve the data that the check needs")]
    Missing,
    #[error("an entry of the log does not have the right format")]
    Entry,
    #[error("it is not a receipt of a board")]
    NoReceipt,
    #[error("its entry is not in the checkpoint's log")]
    EntryNotInLog,
    #[error("its entry is not about the board")]
    NotOfTheBoard,
    #[error("its row is not in its entry")]
    RowNotInEntry,
}

/// Reads a checkpoint signed by one of these keys. A key may sign only for the log in its name, and after its replacement
/// only for sizes up to the one it was replaced at.
///
/// # Errors
/// When no key has signed it, or it is not a checkpoint.
pub fn checkpoint(note: &str, keys: &[VerifierKey]) -> Result<Checkpoint, CheckError> {
    let note: Note = note.parse()?;
    let checkpoint: Checkpoint = note.unchecked().parse()?;
    let keys = keys.iter().filter(|key| key.name() == checkpoint.origin);
    let in_use = |key: &VerifierKey| key.until().is_none_or(|until| checkpoint.size <= until);
    let (keys, replaced): (Vec<_>, Vec<_>) = keys.cloned().partition(in_use);
    match note.verified(&keys) {
        Ok(_) => Ok(checkpoint),
        Err(NoteError::Stranger) if note.verified(&replaced).is_ok() => Err(CheckError::Replaced),
        Err(error) => Err(error.into()),
    }
}

/// Reads a stored checkpoint without checking its signature: that was done before it was stored.
///
/// # Errors
/// When it is not a checkpoint.
pub fn unsigned(note: &str) -> Result<Checkpoint, CheckError> {
    let note: Note = note.parse()?;
    Ok(note.unchecked().parse()?)
}

/// Whether a leaf with these data is in the tree with this root (RFC 6962, section 2.1.1).
pub fn is_included(data: &[u8], index: u64, path: &[Hash], leaves: u64, root: &Hash) -> bool {
    let path = path.iter().map(|hash| tlog_tiles::Hash(*hash)).collect();
    let (root, leaf) = (tlog_tiles::Hash(*root), tlog_tiles::Hash(tree::leaf(data)));
    index < leaves && leaves <= MAX_LEAVES && check_record(&path, leaves, root, index, leaf).is_ok()
}

/// Checks that these are all entries of the log as it is now, and that it extends the log that was seen.
///
/// # Errors
/// When they are not, or it does not.
pub fn replay(
    entries: &[String],
    seen: Option<&Checkpoint>,
    now: &Checkpoint,
) -> Result<(), CheckError> {
    if seen.is_some_and(|seen| seen.origin != now.origin) {
        return Err(CheckError::OtherLog);
    }
    if seen.is_some_and(|seen| seen.size > now.size) {
        return Err(CheckError::Shorter);
    }
    if entries.len() as u64 != now.size {
        return Err(CheckError::Missing);
    }
    let mut tree = Tree::default();
    tree.extend(entries.iter().map(|entry| tree::leaf(entry.as_bytes())));
    let is_right = |it: &Checkpoint| tree.root_at(it.size) == Some(it.root);
    match seen.into_iter().chain([now]).all(is_right) {
        true => Ok(()),
        false => Err(CheckError::Rewritten),
    }
}

/// The keys that follow from the trusted ones, the newest last: each is announced in a note signed by itself and by the key before
/// it. The note says at which entry, and the replaced key is trusted up to that entry.
///
/// # Errors
/// When a note is not signed by both keys.
pub fn keys(trusted: &[VerifierKey], rotations: &[String]) -> Result<Vec<VerifierKey>, CheckError> {
    let mut keys = trusted.to_vec();
    for rotation in rotations {
        let note: Note = rotation.parse()?;
        let mut lines = note.unchecked().split('\n');
        let [Some(ROTATION), Some(old), Some(new), Some(entry)] =
            std::array::from_fn(|_| lines.next())
        else {
            return Err(NoteError::Malformed.into());
        };
        let entry = number(entry).ok_or(NoteError::Malformed)?;
        let (old, new): (VerifierKey, VerifierKey) = (old.parse()?, new.parse()?);
        if keys.last() == Some(&old) {
            note.verified(std::slice::from_ref(&old))?;
            note.verified(std::slice::from_ref(&new))?;
            let replaced = keys.pop();
            keys.extend(replaced.map(|key| key.replaced(entry.saturating_add(1))));
            keys.push(new);
        }
    }
    Ok(keys)
}
