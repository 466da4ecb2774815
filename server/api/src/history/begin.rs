//! The beginning of a log, a new key for it, and the operator's way out when it cannot go on.

use super::error::HistoryError;
use super::published::{Published, number_of, origin_of};
use super::write::{PURPOSE, add_entry, count, sign, signer};
use board_log::check::ROTATION;
use board_log::entry::Entry;
use board_log::note::{self, Signer};
use board_log::units::iso;
use chain::clock::UnixTime;
use store::Store;
use store::history::{EndedLog, LogState};

/// No change of the board is logged yet, and nobody knows what changed before.
const UNKNOWN: i64 = -1;

/// Where the log stands. Begins it, with a key of its own, when there is none.
pub(super) async fn state_or_begin(
    store: &Store,
    origin: &str,
    published: &Published,
    now: UnixTime,
) -> Result<LogState, HistoryError> {
    if let Some(state) = published.state_in(store).await? {
        return Ok(state);
    }
    if let Some(state) = begin(store, origin, now).await? {
        store.sync().await?;
        published.keep(&state)?;
        return Ok(state);
    }
    // Another replica was faster.
    store.log_state().await?.ok_or(HistoryError::NotBegun)
}

async fn begin(
    store: &Store,
    origin: &str,
    now: UnixTime,
) -> Result<Option<LogState>, HistoryError> {
    let mut log = store.hold_log().await?;
    if log.state.is_some() {
        return Ok(None);
    }
    let material = Signer::generate().ok_or(HistoryError::Key)?;
    let key = Signer::read(origin, &material).ok_or(HistoryError::Key)?;
    let mut state = empty(origin.to_owned(), 1);
    // First, so that replicas that start together begin one log.
    if !log.put_state(&state).await? {
        return Ok(None);
    }
    log.state = Some(state.clone());
    log.put_key(PURPOSE, &material, now).await?;
    let entry = Entry::Begin {
        log: 1,
        at: iso(now),
        because: None,
        before: None,
    };
    add_entry(&mut log, &mut state, &entry).await?;
    sign(&mut state, &[&key])?;
    log.put_state(&state).await?;
    log.commit().await?;
    Ok(Some(state))
}

fn empty(origin: String, number: i64) -> LogState {
    LogState {
        number,
        origin,
        size: 0,
        root: String::new(),
        checkpoint: String::new(),
        verifier_key: String::new(),
        board_entry: None,
        slots: 0,
        changes: UNKNOWN,
        block: None,
        partial: false,
    }
}

/// Makes a new key, which signs from now on, at every replica. The log says so, and both keys sign that: in a note, and in the checkpoint.
/// Answers the new one.
///
/// # Errors
/// When there is no log, or the database fails.
pub async fn rotate(
    store: &Store,
    published: &Published,
    now: UnixTime,
) -> Result<String, HistoryError> {
    let mut log = store.hold_log().await?;
    let mut state = log.state.clone().ok_or(HistoryError::NotBegun)?;
    let old = signer(&mut log, &state.origin).await?;
    let material = Signer::generate().ok_or(HistoryError::Key)?;
    let new = Signer::read(&state.origin, &material).ok_or(HistoryError::Key)?;
    // The last line is the number of the entry about it, after which the old key signs nothing more.
    let (before, after) = (old.public(), new.public());
    let text = format!("{ROTATION}\n{before}\n{after}\n{}\n", state.size);
    log.put_rotation(state.size, &note::sign(&text, &[&old, &new]))
        .await?;
    let entry = Entry::Key {
        at: iso(now),
        key: new.public().to_string(),
    };
    add_entry(&mut log, &mut state, &entry).await?;
    sign(&mut state, &[&old, &new])?;
    log.put_key(PURPOSE, &material, now).await?;
    log.put_state(&state).await?;
    log.commit().await?;
    store.sync().await?;
    published.keep(&state)?;
    Ok(state.verifier_key)
}

/// Ends the log as it is in the database and begins a new one, whose first entry says why and what was published before. Answers its name.
///
/// # Errors
/// When there has never been a log, or the database fails.
pub async fn begin_again(
    store: &Store,
    origin: &str,
    published: &Published,
    because: &str,
    now: UnixTime,
) -> Result<String, HistoryError> {
    let mut log = store.hold_log().await?;
    let old = log.state.clone();
    let published_note = published.note()?;
    let before = published_note.or_else(|| old.as_ref().map(|old| old.checkpoint.clone()));
    // The one that was published may be a later one than the database knows of.
    let seen = before.as_deref().and_then(|note| note.split('\n').next());
    let seen = seen.and_then(number_of).unwrap_or(0);
    let number = old.as_ref().map_or(0, |old| old.number).max(seen) + 1;
    if let Some(checkpoint) = before.clone().filter(|_| seen > 0) {
        let key = old
            .filter(|old| old.number == seen)
            .map(|old| old.verifier_key);
        let ended = EndedLog {
            number: seen,
            checkpoint,
            verifier_key: key,
        };
        log.put_ended(&ended).await?;
    }
    let mut state = empty(origin_of(origin, number), number);
    let material = match log.key(PURPOSE).await? {
        Some(material) => material,
        None => Signer::generate().ok_or(HistoryError::Key)?,
    };
    let key = Signer::read(&state.origin, &material).ok_or(HistoryError::Key)?;
    log.forget_all().await?;
    log.put_state(&state).await?;
    log.state = Some(state.clone());
    log.put_key(PURPOSE, &material, now).await?;
    let entry = Entry::Begin {
        log: count(number)?,
        at: iso(now),
        because: Some(because.to_owned()),
        before,
    };
    add_entry(&mut log, &mut state, &entry).await?;
    sign(&mut state, &[&key])?;
    log.put_state(&state).await?;
    log.commit().await?;
    store.sync().await?;
    published.keep(&state)?;
    Ok(state.origin)
}
