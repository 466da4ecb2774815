//! Begins a log, rotates its key, and replaces a log that cannot continue.

use super::error::{HistoryError, Result};
use super::published::{Published, number_of, origin_of};
use super::trees::Trees;
use super::write::{PURPOSE, add_entry, signer, to_u64};
use board_log::check::ROTATION;
use board_log::entry::Entry;
use board_log::note::{self, Signer};
use board_log::tree::Tree;
use board_log::units::iso;
use chain::clock::UnixTime;
use store::history::{LogHead, LogState, LogTx};

/// No change of the board is logged yet, and earlier changes are unknown.
const UNKNOWN: i64 = -1;

/// The format of new logs: their entries commit to snapshots.
const FORMAT: i64 = 2;

/// Why a log of format 1 ends, for its last entry.
const SNAPSHOTS: &str =
    "From now on the log commits to a snapshot of the board that everyone can download.";

/// The state of the log. Begins the log, with its own key, when there is none; ends one of an earlier format, and begins the next.
pub(super) async fn state_or_begin(
    trees: &Trees,
    origin: &str,
    published: &Published,
    now: UnixTime,
) -> Result<LogState> {
    let is_current = |state: &LogState| state.format == FORMAT;
    if let Some(state) = published.state_in(trees).await?.filter(is_current) {
        return Ok(state);
    }
    let mut log = trees.store.hold_log().await?;
    let begun = match log.state.clone() {
        // Another replica was faster.
        Some(state) if is_current(&state) => return Ok(state),
        Some(old) => {
            let host = old.origin.split_once('/').map_or(origin, |(host, _)| host);
            let (first, number) = (format!("{host}/log"), old.number + 1);
            let before = end(&mut log, trees, old, SNAPSHOTS, now).await?;
            let beginning = (number, Some(SNAPSHOTS.to_owned()), Some(before));
            begin(log, published, &first, beginning, now).await
        }
        None => begin(log, published, origin, (1, None, None), now).await,
    };
    match begun {
        // Another replica has begun it at the same moment.
        Err(HistoryError::NotBegun) => trees.store.log_state().await?.ok_or(HistoryError::NotBegun),
        begun => begun,
    }
}

/// Begins a log of this number, for this reason, after this last checkpoint of the one before.
async fn begin(
    mut log: LogTx,
    published: &Published,
    first: &str,
    (number, because, before): (i64, Option<String>, Option<String>),
    now: UnixTime,
) -> Result<LogState> {
    let mut state = LogState {
        number,
        origin: origin_of(first, number),
        format: FORMAT,
        changes: UNKNOWN,
        ..LogState::default()
    };
    // First, so that replicas that start together begin one log.
    if !log.put_state(&state).await? {
        return Err(HistoryError::NotBegun);
    }
    let material = match log.key(PURPOSE).await? {
        Some(material) => material,
        None => Signer::generate().ok_or(HistoryError::Key)?,
    };
    let key = Signer::read(&state.origin, &material).ok_or(HistoryError::Key)?;
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
    published.keep(&state)?;
    Ok(state)
}

/// Ends a log with an entry that says why. Returns its last checkpoint.
async fn end(
    log: &mut LogTx,
    trees: &Trees,
    mut state: LogState,
    because: &str,
    now: UnixTime,
) -> Result<String> {
    let entry = Entry::End {
        time: iso(now),
        because: because.to_owned(),
    };
    let tree = trees.tree_in(log, state.number, state.size).await?;
    let key = signer(log, &state.origin).await?;
    add_entry(log, &tree, &mut state, &entry, &[&key]).await?;
    let (checkpoint, verifier_key) = (state.checkpoint.clone(), Some(state.verifier_key));
    let ended = LogHead {
        checkpoint,
        verifier_key,
    };
    log.put_ended(state.number, &ended).await?;
    Ok(state.checkpoint)
}

/// Makes a new key, which signs from now on at every replica. The rotation is logged and signed by both keys: in a note, and in the checkpoint,
/// which a running server publishes within seconds. Returns the new key.
///
/// # Errors
/// When there is no log, or the database fails.
pub async fn rotate(trees: &Trees, published: &Published, now: UnixTime) -> Result<String> {
    let mut log = trees.store.hold_log().await?;
    let mut state = log.state.clone().ok_or(HistoryError::NotBegun)?;
    let old = signer(&mut log, &state.origin).await?;
    let material = Signer::generate().ok_or(HistoryError::Key)?;
    let new = Signer::read(&state.origin, &material).ok_or(HistoryError::Key)?;
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
    published.keep(&state)?;
    Ok(state.verifier_key)
}

/// Ends the log, with an entry that says why unless the database is behind what was published, and begins a new one, whose first entry says
/// why and what was published before. Returns its name.
///
/// # Errors
/// When the database fails, or the key is missing.
pub async fn begin_again(
    trees: &Trees,
    first: &str,
    published: &Published,
    because: &str,
    now: UnixTime,
) -> Result<String> {
    let note = published.note()?;
    let whole = published.state_in(trees).await;
    let mut log = trees.store.hold_log().await?;
    let old = log.state.clone();
    let (before, seen) = match (whole, &old) {
        (Ok(Some(whole)), Some(old)) if whole == *old => {
            let before = end(&mut log, trees, whole, because, now).await?;
            (Some(before), old.number)
        }
        _ => {
            let before = note.or_else(|| old.as_ref().map(|old| old.checkpoint.clone()));
            // The published checkpoint may be from a later log than the database knows.
            let origin = before.as_deref().and_then(|note| note.split('\n').next());
            let seen = origin.and_then(number_of).unwrap_or(0);
            if let Some(checkpoint) = before.clone().filter(|_| seen > 0) {
                let its = old.as_ref().filter(|old| old.number == seen);
                let verifier_key = its.map(|old| old.verifier_key.clone());
                let ended = LogHead {
                    checkpoint,
                    verifier_key,
                };
                log.put_ended(seen, &ended).await?;
            }
            (before, seen)
        }
    };
    let number = old.as_ref().map_or(0, |old| old.number).max(seen) + 1;
    let beginning = (number, Some(because.to_owned()), before);
    let state = begin(log, published, first, beginning, now).await?;
    Ok(state.origin)
}
