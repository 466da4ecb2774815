//! Begins a log, rotates its key, and begins a new one when a log cannot continue.

use super::error::{BoardLogError, Result};
use super::folder::Folder;
use super::trees::Trees;
use super::write::{PURPOSE, add_entry, origin_of, signer, to_i64, to_u64};
use board_log::check::ROTATION;
use board_log::entry::Entry;
use board_log::note::{self, Signer};
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
    let begun = begin(log, trees, folder, (origin, 1, None, None), now).await;
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

/// Begins a log of this number, for this reason, after this last checkpoint of the one before.
async fn begin(
    mut log: LogTx,
    trees: &Trees,
    folder: &Folder,
    (first, number, because, before): (&str, i64, Option<String>, Option<String>),
    now: UnixTime,
) -> Result<LogState> {
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
    let material = match log.key(PURPOSE).await? {
        Some(material) => material,
        None => Signer::generate().ok_or(BoardLogError::Key)?,
    };
    let key = Signer::read(&state.origin, &material).ok_or(BoardLogError::Key)?;
    log.put_key(PURPOSE, &material, now).await?;
    let entry = Entry::Begin {
        log: to_u64(number)?,
        time: iso(now),
        because,
        before,
    };
    add_entry(&mut log, &Tree::default(), &mut state, &entry, &[&key]).await?;
    // No witness can know it yet: an operator registers a new log by hand.
    log.publish(&state, &state.checkpoint).await?;
    log.commit().await?;
    folder.keep(trees, &state).await?;
    Ok(state)
}

/// Makes a new key, which signs from now on at every replica. The rotation is logged and signed by both keys: in a note, and in the checkpoint,
/// which a running server publishes within seconds. Returns the new key.
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

/// Begins a new log, whose first entry says why and has the last checkpoint of the one before. Returns its name.
///
/// # Errors
/// When the database fails.
pub async fn begin_again(
    trees: &Trees,
    first: &str,
    folder: &Folder,
    because: &str,
    now: UnixTime,
) -> Result<String> {
    let head = folder.head()?;
    let mut log = trees.store.hold_log().await?;
    let in_database = log.state.clone().map(|state| {
        let end = LogHead {
            checkpoint: state.checkpoint,
            verifier_key: state.verifier_key,
        };
        (state.number, state.size, end)
    });
    let mut outside = None;
    if let Some((number, head, now)) = head {
        // The database may be from before they were made.
        for note in &head.rotations {
            let entry = note.lines().nth(3).and_then(|line| line.parse().ok());
            let entry = entry.ok_or(BoardLogError::Broken)?;
            log.put_rotation(number, entry, note).await?;
        }
        let end = LogHead {
            checkpoint: head.checkpoint,
            verifier_key: head.key,
        };
        outside = Some((number, to_i64(now.size)?, end));
    }
    // The database may be older than what was published.
    let newest = in_database.into_iter().chain(outside);
    let before = newest.max_by_key(|(number, size, _)| (*number, *size));
    let mut number = 1;
    if let Some((before, _, end)) = &before {
        log.put_ended(*before, end).await?;
        number = before + 1;
    }
    let checkpoint = before.map(|(.., end)| end.checkpoint);
    let beginning = (first, number, Some(because.to_owned()), checkpoint);
    let state = begin(log, trees, folder, beginning, now).await?;
    Ok(state.origin)
}
