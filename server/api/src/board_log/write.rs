//! Writes entries to the log, each with the checkpoint over it.

use super::error::{BoardLogError, Result};
use board_log::check;
use board_log::checkpoint::Checkpoint;
use board_log::entry::Entry;
use board_log::note::{self, Signer};
use board_log::tree::{Tree, leaf};
use store::board_log::{LogState, LogTx};

/// The name of the log's key in the database.
pub(super) const PURPOSE: &str = "log";

/// Adds an entry, and updates `state`, whose checkpoint all of these keys sign. The last one is the current key. `tree` is over the entries before it.
pub(super) async fn add_entry(
    log: &mut LogTx,
    tree: &Tree,
    state: &mut LogState,
    entry: &Entry,
    signers: &[&Signer],
) -> Result<()> {
    let text = entry.text();
    // A bundle of entries has two bytes for the length (C2SP tlog-tiles).
    u16::try_from(text.len()).map_err(|_| BoardLogError::Broken)?;
    log.put_entry(state.number, state.size, &text).await?;
    let checkpoint = |tree: &Tree| Checkpoint {
        origin: state.origin.clone(),
        size: tree.leaves(),
        root: tree.root(),
    };
    // Entries that have changed since they were signed are not signed again.
    if state.size > 0 && check::unsigned(&state.checkpoint) != Ok(checkpoint(tree)) {
        return Err(BoardLogError::Broken);
    }
    let mut tree = tree.clone();
    tree.push(leaf(text.as_bytes()));
    state.checkpoint = note::sign(&checkpoint(&tree).to_string(), signers);
    state.size += 1;
    let newest = signers.last().ok_or(BoardLogError::Key)?;
    state.verifier_key = newest.public().to_string();
    log.put_state(state).await?;
    Ok(())
}

/// The key that signs for a log.
pub(super) async fn signer(log: &mut LogTx, origin: &str) -> Result<Signer> {
    let material = log.key(PURPOSE).await?.ok_or(BoardLogError::Key)?;
    Signer::read(origin, &material).ok_or(BoardLogError::Key)
}

/// A count from the database.
pub(super) fn to_u64(count: i64) -> Result<u64> {
    u64::try_from(count).map_err(|_| BoardLogError::Broken)
}

pub(super) fn to_i64(count: u64) -> Result<i64> {
    i64::try_from(count).map_err(|_| BoardLogError::Broken)
}

/// The first line of the checkpoints of this log of a board.
pub(super) fn origin_of(first: &str, number: i64) -> String {
    if number == 1 {
        first.to_owned()
    } else {
        format!("{first}/{number}")
    }
}
