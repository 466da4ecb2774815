//! Puts the log of a restored database back to where it was issued (`restore-log`), from copies of the folder outside of it.
//!
//! Nothing is believed that this board has not signed. The database then waits for its witnesses, who may know a longer log, and for its chain:
//! only the next entry commits to rows that exist again.

use std::path::PathBuf;

use super::begin::UNKNOWN;
use super::error::{BoardLogError, Result};
use super::remove_again::remove_again;
use super::room::OUTSIDE;
use super::trees::Trees;
use super::write::{to_i64, to_u64};
use board_log::check::{self, CheckError};
use board_log::entry::Entry;
use board_log::json::canonical;
use board_log::note::{NoteError, VerifierKey};
use chain::clock::UnixTime;
use store::board_log::{LogState, Restored};

mod copies;
mod error;

use copies::{LogCopy, head_of, longest, read};
pub use error::RestoreError;

/// What was restored.
#[derive(Debug, PartialEq, Eq)]
pub struct Report {
    pub origin: String,
    pub size: i64,
    /// How many of the entries the database lacked.
    pub entries: i64,
    /// What may be lost; none without entries that the database lacked.
    pub lost: Option<Lost>,
    /// How many accounts, blocks, totals and proofs had come back, and are gone again.
    pub removed: usize,
}

/// The seconds or hours that a restored database lacks.
#[derive(Debug, PartialEq, Eq)]
pub struct Lost {
    /// The times of the newest entry about the board that the database had, and of the newest one that there was.
    pub from: String,
    pub until: String,
    /// How many accounts that entry counts, and how many the database has.
    pub counted: u64,
    pub accounts: u64,
}

/// Restores the log from these folders, and removes again what came back with the database. No server may
/// write to the log: one that runs at a promoted standby has stopped.
///
/// # Errors
/// When they do not continue the log in the database: then nothing is changed.
pub async fn restore(
    trees: &Trees,
    folders: &[PathBuf],
    now: UnixTime,
) -> std::result::Result<Report, RestoreError> {
    let store = &trees.store;
    let state = store.log_state().await.map_err(BoardLogError::from)?;
    let state = state.ok_or(BoardLogError::NotBegun)?;
    let ended = store.ended_logs().await.map_err(BoardLogError::from)?;
    let mut copies = Vec::new();
    for folder in folders {
        copies.extend(read(folder, &state, &ended)?);
    }
    if copies.is_empty() {
        // These replicas have not seen the newest log yet, and maybe removals that it lacks.
        let removed = remove_again(store, folders, now).await?;
        let forked = store.log_forked().await.map_err(BoardLogError::from)?;
        if forked.as_deref() == Some(OUTSIDE) {
            // Nothing is missing any more.
            let clear = store.set_log_forked(None).await;
            clear.map_err(BoardLogError::from)?;
        }
        let LogState { origin, size, .. } = state;
        return Ok(Report {
            origin,
            size,
            entries: 0,
            lost: None,
            removed,
        });
    }
    let longest = longest(copies)?;
    let texts = continues(trees, &state, &longest).await?;
    let removed = remove_again(store, folders, now).await?;
    let next = next_state(&state, &longest)?;
    let mut log = store.hold_log().await.map_err(BoardLogError::from)?;
    if log.state.as_ref().map(|it| it.size) != Some(state.size) {
        return Err(BoardLogError::Moved.into());
    }
    let put = async {
        for (number, text) in (state.size..).zip(&texts) {
            log.put_entry(state.number, number, text).await?;
        }
        log.restore(&next, now).await?;
        log.commit().await
    };
    put.await.map_err(BoardLogError::from)?;
    let accounts = store.profile_ids().await.map_err(BoardLogError::from)?;
    let own = usize::try_from(state.size).unwrap_or(usize::MAX);
    let (before, since) = longest.entries.split_at(own.min(longest.entries.len()));
    let ends = board_entries(before)
        .last()
        .zip(board_entries(since).last());
    let lost = ends.map(|((from, _), (until, counted))| Lost {
        from,
        until,
        counted,
        accounts: accounts.len() as u64,
    });
    Ok(Report {
        origin: next.origin,
        size: next.size,
        entries: next.size - state.size,
        lost,
        removed,
    })
}

/// The time and the number of rows of each entry about the board.
fn board_entries(entries: &[String]) -> impl Iterator<Item = (String, u64)> {
    entries.iter().filter_map(|text| match canonical(text)? {
        Entry::Board { time, rows, .. } => Some((time, rows)),
        _ => None,
    })
}

/// The entries that the database lacks, when they continue its log and its key has signed them.
async fn continues(
    trees: &Trees,
    state: &LogState,
    copy: &LogCopy,
) -> std::result::Result<Vec<String>, RestoreError> {
    let own = check::unsigned(&state.checkpoint).map_err(|_| BoardLogError::Broken)?;
    if copy.now.size < own.size {
        return Err(RestoreError::Behind {
            folder: copy.folder.clone(),
            size: copy.now.size,
            own: own.size,
        });
    }
    let tree = trees.tree(state.number, state.size).await?;
    if tree.root() != own.root {
        return Err(BoardLogError::Broken.into());
    }
    if copy.tree.root_at(own.size) != Some(own.root) {
        return Err(RestoreError::Fork {
            one: format!("the database ({})", head_of(&own)),
            other: format!("{} ({})", copy.folder.display(), head_of(&copy.now)),
        });
    }
    let missing = copy
        .entries
        .iter()
        .skip(usize::try_from(own.size).unwrap_or(usize::MAX));
    let missing: Vec<String> = missing.cloned().collect();
    let not_whole = |why: String| RestoreError::NotWhole {
        folder: copy.folder.clone(),
        why,
    };
    for text in &missing {
        match canonical(text) {
            Some(Entry::Key { .. }) => return Err(RestoreError::OldKey),
            Some(_) => {}
            None => return Err(not_whole(CheckError::Entry.to_string())),
        }
    }
    let key: VerifierKey = state.verifier_key.parse().map_err(|_| BoardLogError::Key)?;
    match check::checkpoint(&copy.head.checkpoint, &[key]) {
        Ok(_) => Ok(missing),
        Err(CheckError::Note(NoteError::Stranger)) => Err(not_whole(
            "its checkpoint is not signed with the log's key".to_owned(),
        )),
        Err(error) => Err(not_whole(error.to_string())),
    }
}

/// The state of the log after all these entries.
fn next_state(before: &LogState, copy: &LogCopy) -> Result<LogState> {
    let own_line = format!("\u{2014} {} ", before.origin);
    // Cosignatures come again from the witnesses, who must see the checkpoint first.
    let (text, lines) = copy
        .head
        .checkpoint
        .split_once("\n\n")
        .ok_or(BoardLogError::Broken)?;
    let lines = lines.split_inclusive('\n');
    let lines: String = lines.filter(|line| line.starts_with(&own_line)).collect();
    let mut state = LogState {
        size: to_i64(copy.now.size)?,
        checkpoint: format!("{text}\n\n{lines}"),
        changes: UNKNOWN,
        salt_key: None,
        withdrawn: 0,
        restored: Restored::Unconfirmed,
        ..before.clone()
    };
    for (number, text) in (0..).zip(&copy.entries) {
        match canonical(text) {
            Some(Entry::Board { height, block, .. }) => {
                state.board_entry = Some(number);
                state.height = Some(to_i64(height)?);
                state.block = Some(block);
            }
            Some(Entry::Page { .. }) => state.page = Some(number),
            _ => {}
        }
    }
    debug_assert_eq!(to_u64(state.size).ok(), Some(copy.now.size));
    Ok(state)
}
