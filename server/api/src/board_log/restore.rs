//! Puts the log of a restored database back to where it was issued (`restore-log`), from copies of the folder outside of it.
//!
//! Nothing is believed that this board has not signed. The database then waits for its witnesses, who may know a longer log, and for its chain:
//! only the next entry commits to rows that exist again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::begin::UNKNOWN;
use super::error::{BoardLogError, Result};
use super::folder::{Head, heads, lines_of};
use super::removals;
use super::room::OUTSIDE;
use super::trees::Trees;
use super::write::{to_i64, to_u64};
use crate::sign_in::blocked::Blocked;
use board_log::check::{self, CheckError};
use board_log::checkpoint::Checkpoint;
use board_log::entry::Entry;
use board_log::json::canonical;
use board_log::note::{NoteError, VerifierKey};
use board_log::tree::{Tree, leaf};
use chain::clock::UnixTime;
use store::Store;
use store::board_log::{LogHead, LogState, Restored};
use store::removals::{PURPOSE, Removal, What, hash_of};
use store::shown_as::ShownAs;

/// How many published proofs are read at a time.
const PROOFS: i64 = 1_000;

/// Why a log cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error(transparent)]
    Log(#[from] BoardLogError),
    #[error(
        "{} is not a whole copy of a log: {why}. Name the folder of another replica; if there is none, {NEW_LOG}", folder.display()
    )]
    NotWhole { folder: PathBuf, why: String },
    #[error("{} has the log {theirs}, but the database has {own}: it is the folder of another board", folder.display())]
    OtherBoard {
        folder: PathBuf,
        theirs: String,
        own: String,
    },
    #[error(
        "{} has the log {theirs}, which was begun after this copy of the database was made, so the copy cannot continue it. Restore a newer \
         copy; if there is none, {NEW_LOG}", folder.display()
    )]
    LaterLog { folder: PathBuf, theirs: String },
    #[error(
        "the log got a new key after this copy of the database was made, and the copy lacks that key, so it cannot continue the log. Restore a \
         copy from after the command `rotate-log-key`; if there is none, {NEW_LOG}"
    )]
    OldKey,
    #[error(
        "the log has forked: {one} and {other} contradict each other. Two servers have written different logs under one name. Keep both as \
         evidence; {NEW_LOG}"
    )]
    Fork { one: String, other: String },
    #[error(
        "{} has {size} entries of the log, fewer than the {own} in the database, so there is nothing to restore from it. Name the folder of the \
         replica that ran last; if it is lost and the database is a restored copy, {NEW_LOG}", folder.display()
    )]
    Behind {
        folder: PathBuf,
        size: u64,
        own: u64,
    },
}

const NEW_LOG: &str =
    "run the command `new-log --because \"…\"`, which begins a new log that says why";

/// A log as a folder has it.
struct LogCopy {
    folder: PathBuf,
    head: Head,
    now: Checkpoint,
    /// The entries under the checkpoint.
    entries: Vec<String>,
    tree: Tree,
}

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

/// The log in this folder, which must be whole; `None` when a later log has replaced it.
fn read(
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
fn longest(copies: Vec<LogCopy>) -> std::result::Result<LogCopy, RestoreError> {
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
fn head_of(now: &Checkpoint) -> String {
    format!(
        "{} entries with the root {}",
        now.size,
        hex::encode(now.root)
    )
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

/// Removes what came back with a restored database and is on the lists of these folders. Returns how much that was.
///
/// # Errors
/// When a list cannot be read, or the database fails.
pub async fn remove_again(store: &Store, folders: &[PathBuf], now: UnixTime) -> Result<usize> {
    let lists = folders.iter().map(|folder| removals::read(folder));
    let lists: Vec<Vec<Removal>> = lists.collect::<Result<_>>()?;
    let mut newest: HashMap<String, Removal> = HashMap::new();
    for removal in lists.concat().into_iter().chain(store.removals().await?) {
        let known = newest.get(&removal.keyed_hash);
        if known.is_none_or(|known| known.at < removal.at) {
            newest.insert(removal.keyed_hash.clone(), removal);
        }
    }
    let secret = store.keyed_hash(PURPOSE, now).await?;
    let is = |what: What, id: &str| {
        let found = newest.get(&hash_of(&secret, what, id));
        found.is_some_and(|it| it.what == what)
    };
    let mut removed = unpublish(store, |proof| is(What::Unpublished, proof), now).await?;
    let blocked = Blocked::load(store.clone(), now).await?;
    for id in store.profile_ids().await? {
        if is(What::Erased, &id) {
            removed += usize::from(store.delete_profile(&id, now).await?);
            continue;
        }
        let Some(profile) = store.profile(&id).await? else {
            continue;
        };
        if is(What::Hidden, &id) && profile.shown_as == ShownAs::Exact {
            // They have ended since, or their owner could not have hidden the total.
            for proof in store.published_proofs(Some(&id), "", PROOFS).await? {
                store.withdraw(&id, &proof.id, now).await?;
            }
            removed += usize::from(store.show_as(&id, ShownAs::Range, now).await?);
        }
        let hash = blocked.hash(&profile.provider, &profile.subject);
        if newest.get(&hash).is_some_and(|it| it.what == What::Blocked) {
            store.end_sessions(&id).await?;
        }
    }
    for removal in newest.values() {
        if removal.what == What::Blocked {
            removed += usize::from(!store.is_blocked(&removal.keyed_hash).await?);
            store.block(&removal.keyed_hash, removal.at).await?;
        }
        store.add_removal(removal).await?;
    }
    Ok(removed)
}

/// Withdraws the published proofs that this is true for.
async fn unpublish(store: &Store, is_gone: impl Fn(&str) -> bool, now: UnixTime) -> Result<usize> {
    let (mut removed, mut after) = (0, String::new());
    loop {
        let proofs = store.published_proofs(None, &after, PROOFS).await?;
        let Some(last) = proofs.last() else {
            return Ok(removed);
        };
        after.clone_from(&last.id);
        for proof in proofs.iter().filter(|proof| is_gone(&proof.id)) {
            removed += usize::from(store.withdraw(&proof.profile_id, &proof.id, now).await?);
        }
    }
}
