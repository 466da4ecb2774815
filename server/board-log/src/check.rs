//! Checks of the log that need no trust in it. Pure: checkpoints and entries in, a verdict out.

use std::cell::RefCell;

use tlog_tiles::{Error, Tile, TileHashReader, TileReader, check_record, tree_hash};

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

impl CheckError {
    /// The name of the rule that was broken, for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::Note(NoteError::Stranger) => "stranger",
            Self::Note(NoteError::False) => "false-signature",
            Self::Note(_) | Self::Entry => "malformed",
            Self::Replaced => "replaced",
            Self::OtherBoard => "other-board",
            Self::OtherLog => "other-log",
            Self::Shorter => "shorter",
            Self::Rewritten => "rewritten",
            Self::Missing => "missing",
            Self::NoReceipt | Self::NotOfTheBoard => "no-receipt",
            Self::EntryNotInLog => "entry-not-in-log",
            Self::RowNotInEntry => "row-not-in-entry",
        }
    }
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

/// The tiles that [`has_grown`] needs, by their paths below the log's own (C2SP tlog-tiles).
///
/// # Errors
/// When no tiles could show that the log extends the checkpoint that was seen.
pub fn tiles_of_growth(seen: &Checkpoint, now: &Checkpoint) -> Result<Vec<String>, CheckError> {
    let asked = Asked::default();
    match has_grown_by(seen, now, &asked) {
        Err(CheckError::Rewritten) if asked.paths.borrow().is_empty() => Err(CheckError::Rewritten),
        Err(CheckError::Rewritten) => Ok(asked.paths.take()),
        other => other.map(|()| Vec::new()),
    }
}

/// Checks that the newest checkpoint extends the checkpoint that was seen. `tiles` has the bytes of [`tiles_of_growth`], one after the other.
///
/// # Errors
/// When it does not, or the tiles are others.
pub fn has_grown(seen: &Checkpoint, now: &Checkpoint, tiles: &[u8]) -> Result<(), CheckError> {
    has_grown_by(seen, now, &Given(tiles))
}

fn has_grown_by(
    seen: &Checkpoint,
    now: &Checkpoint,
    tiles: &impl TileReader,
) -> Result<(), CheckError> {
    if seen.origin != now.origin {
        return Err(CheckError::OtherLog);
    }
    if seen.size > now.size {
        return Err(CheckError::Shorter);
    }
    let root = if seen.size == now.size {
        Ok(tlog_tiles::Hash(now.root))
    } else {
        // It takes no tile that does not lead to the root.
        let hashes = TileHashReader::new(now.size, tlog_tiles::Hash(now.root), tiles);
        tree_hash(seen.size, &hashes)
    };
    match root {
        Ok(root) if root.0 == seen.root => Ok(()),
        _ => Err(CheckError::Rewritten),
    }
}

/// Remembers which tiles it is asked for, and has none.
#[derive(Default)]
struct Asked {
    paths: RefCell<Vec<String>>,
}

impl TileReader for Asked {
    fn height(&self) -> u8 {
        tree::HEIGHT
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, Error> {
        let paths = tiles.iter().map(tree::tile_path);
        self.paths.borrow_mut().extend(paths);
        Err(Error::IndexesNotInTree)
    }

    fn save_tiles(&self, _: &[Tile], _: &[Vec<u8>]) {}
}

/// The bytes of the tiles that it is asked for, in that order.
struct Given<'a>(&'a [u8]);

impl TileReader for Given<'_> {
    fn height(&self) -> u8 {
        tree::HEIGHT
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, Error> {
        let mut rest = self.0;
        let mut next = |tile: &Tile| {
            let hashes = usize::try_from(tile.width()).ok()?;
            let (bytes, after) = rest.split_at_checked(hashes * size_of::<Hash>())?;
            rest = after;
            Some(bytes.to_vec())
        };
        let bytes: Option<Vec<_>> = tiles.iter().map(&mut next).collect();
        let bytes = bytes.filter(|_| rest.is_empty());
        bytes.ok_or(Error::IndexesNotInTree)
    }

    fn save_tiles(&self, _: &[Tile], _: &[Vec<u8>]) {}
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
