//! Begins a log, rotates its key, and begins a new one when a log cannot continue.

use std::cmp::Reverse;
use std::path::PathBuf;

use super::error::{BoardLogError, Result};
use super::folder::{Folder, heads};
use super::trees::Trees;
use super::write::{PURPOSE, add_entry, origin_of, signer, to_i64, to_u64};
use board_log::check::ROTATION;
use board_log::entry::Entry;
use board_log::note::{self, Signer, VerifierKey};
use board_log::tree::Tree;
use board_log::units::iso;
use chain::clock::UnixTime;
use store::board_log::{LogHead, LogState, LogTx, Restored};

/// No change of the board is logged yet, and earlier changes are unknown.
pub(super) const UNKNOWN: i64 = -1;

/// The state of the log. Begins the log, with its own key, when there is none.
pub(super) async fn state_or_begin(
    trees: &Trees,
    origin: &str,
    folder: &Folder,
    now: UnixTime,
) -> Result<LogState> {
    if let Some(state) = folder.state_in(trees).await? {
        return Ok(state);
    }
    let log = trees.store.hold_log().await?;
    if let Some(state) = log.state.clone() {
        // Another replica was faster.
        return Ok(state);
    }
    let begun = begin(log, trees, folder, (origin, None, None), now).await;
    match begun {
        // Another replica has begun it at the same moment.
        Err(BoardLogError::NotBegun) => trees
            .store
            .log_state()
            .await?
            .ok_or(BoardLogError::NotBegun),
        begun => begun,
    }
}

/// Begins a log, for this reason, after the end of this one.
async fn begin(
    mut log: LogTx,
    trees: &Trees,
    folder: &Folder,
    (first, because, before): (&str, Option<String>, Option<LogHead>),
    now: UnixTime,
) -> Result<LogState> {
    let number = before.as_ref().map_or(1, |end| end.number + 1);
    let mut state = LogState {
        number,
        origin: origin_of(first, number),
        changes: UNKNOWN,
        ..LogState::default()
    };
    // First, so that replicas that start together begin one log.
    if !log.put_state(&state).await? {
        return Err(BoardLogError::NotBegun);
    }
    // A copy of the database from before a rotation has a replaced key, which may have been stolen.
    let in_use = |material: &String| before.as_ref().is_none_or(|end| is_key_of(material, end));
    let material = match log.key(PURPOSE).await?.filter(in_use) {
        Some(material) => material,
        None => Signer::generate().ok_or(BoardLogError::Key)?,
    };
    let key = Signer::read(&state.origin, &material).ok_or(BoardLogError::Key)?;
    log.put_key(PURPOSE, &material, now).await?;
    let entry = Entry::Begin {
        log: to_u64(number)?,
        time: iso(now),
        because,
        before: before.map(|end| end.checkpoint),
    };
    add_entry(&mut log, &Tree::default(), &mut state, &entry, &[&key]).await?;
    // No witness can know it yet: an operator registers a new log by hand.
    log.issue(&state, &state.checkpoint).await?;
    log.commit().await?;
    folder.keep(trees, &state).await?;
    Ok(state)
}

/// Makes a new key, which signs from now on at every replica. The rotation is logged and signed by both keys: in a note, and in the checkpoint,
/// which a running server issues within seconds. Returns the new key.
///
/// # Errors
/// When there is no log, or the database fails.
pub async fn rotate(trees: &Trees, folder: &Folder, now: UnixTime) -> Result<String> {
    let mut log = trees.store.hold_log().await?;
    let mut state = log.state.clone().ok_or(BoardLogError::NotBegun)?;
    if state.restored != Restored::No {
        return Err(BoardLogError::Restored);
    }
    let old = signer(&mut log, &state.origin).await?;
    let material = Signer::generate().ok_or(BoardLogError::Key)?;
    let new = Signer::read(&state.origin, &material).ok_or(BoardLogError::Key)?;
    // The last line is the number of the entry about the rotation; after it, the old key's signatures are invalid.
    let (before, after) = (old.public(), new.public());
    let text = format!("{ROTATION}\n{before}\n{after}\n{}\n", state.size);
    log.put_rotation(state.number, state.size, &note::sign(&text, &[&old, &new]))
        .await?;
    let entry = Entry::Key {
        time: iso(now),
        key: new.public().to_string(),
    };
    let tree = trees.tree_in(&mut log, state.number, state.size).await?;
    add_entry(&mut log, &tree, &mut state, &entry, &[&old, &new]).await?;
    log.put_key(PURPOSE, &material, now).await?;
    log.commit().await?;
    folder.keep(trees, &state).await?;
    Ok(state.verifier_key)
}

/// Whether this private key made the newest signature in a log.
fn is_key_of(material: &str, end: &LogHead) -> bool {
    let key: Option<VerifierKey> = end.verifier_key.parse().ok();
    key.is_some_and(|key| {
        Signer::read(key.name(), material).is_some_and(|signer| *signer.public() == key)
    })
}

/// Begins a new log, whose first entry says why and has the last checkpoint of the one before. These folders may know logs and keys that the
/// database, which may be an older copy, lacks. Returns its name.
///
/// # Errors
/// When a folder cannot be read, or the database fails.
pub async fn begin_again(
    trees: &Trees,
    first: &str,
    folder: &Folder,
    outside: &[PathBuf],
    because: &str,
    now: UnixTime,
) -> Result<String> {
    let mut log = trees.store.hold_log().await?;
    let mut ends = Vec::new();
    if let Some(state) = log.state.clone() {
        ends.push((
            state.size,
            LogHead {
                number: state.number,
                checkpoint: state.checkpoint,
                verifier_key: state.verifier_key,
            },
        ));
    }
    for folder in outside {
        for (number, head, now) in heads(folder)? {
            for note in &head.rotations {
                let entry = note.lines().nth(3).and_then(|line| line.parse().ok());
                let entry = entry.ok_or(BoardLogError::Broken)?;
                log.put_rotation(number, entry, note).await?;
            }
            ends.push((
                to_i64(now.size)?,
                LogHead {
                    number,
                    checkpoint: head.checkpoint,
                    verifier_key: head.key,
                },
            ));
        }
    }
    // The longest of each log is the first one that is stored.
    ends.sort_by_key(|(size, end)| Reverse((end.number, *size)));
    for (_, end) in &ends {
        log.put_ended(end).await?;
    }
    let before = ends.into_iter().next().map(|(_, end)| end);
    log.renew_numbers(now).await?;
    let beginning = (first, Some(because.to_owned()), before);
    let state = begin(log, trees, folder, beginning, now).await?;
    Ok(state.origin)
}
