//! Commands for the board's log.

use std::path::PathBuf;

use crate::app::Failure;
use crate::board_log::begin;
use crate::board_log::folder::Folder;
use crate::board_log::remove_again::remove_again;
use crate::board_log::restore::{self, Lost, Report};
use crate::board_log::trees::Trees;
use crate::config::Config;
use board_log::checkpoint::log_origin;
use chain::clock::Clock;
use store::Store;
use store::sqlite_file::SqliteLock;

/// Makes a new key for the log.
pub(super) async fn rotate_key(store: &Store, config: &Config) -> Result<String, Failure> {
    let trees = Trees::new(store.clone());
    let key = begin::rotate(&trees, &folder(config), Clock::System.now()).await?;
    Ok(format!(
        "The log is signed by a new key from now on, and the old key has signed the new one:\n{key}\n\
         Take a backup now: the key is only in the database, and a copy from before the rotation cannot continue the log."
    ))
}

/// Begins a new log.
pub(super) async fn begin_again(
    store: &Store,
    config: &Config,
    because: &str,
    mut folders: Vec<PathBuf>,
) -> Result<String, Failure> {
    // Without `PUBLIC_URL` in the environment of this command the log keeps its host.
    let state = store.log_state().await?;
    let before = state.filter(|_| config.public_url.is_none());
    let host = before.and_then(|state| Some(state.origin.split_once('/')?.0.to_owned()));
    let origin = log_origin(&host.unwrap_or_else(|| config.origin()));
    let now = Clock::System.now();
    let trees = Trees::new(store.clone());
    // The database may be a restored copy.
    folders.extend(config.board_log.published_log.clone());
    remove_again(store, &folders, now).await?;
    let name = begin::begin_again(&trees, &origin, &folder(config), &folders, because, now).await?;
    Ok(format!(
        "The new log is {name}. Its first entry says why it was begun, and visitors who saw the old log get a notice."
    ))
}

/// Continues the log after an older copy of the database was restored.
pub(super) async fn restore(
    store: &Store,
    config: &Config,
    folders: &[PathBuf],
) -> Result<String, Failure> {
    // No server may answer until this is done.
    let _lock = SqliteLock::take(config.database_url.expose())?;
    let report = restore::restore(&Trees::new(store.clone()), folders, Clock::System.now()).await?;
    let Report {
        origin,
        size,
        entries,
        lost,
        removed,
    } = report;
    let lost = lost.map_or_else(String::new, |lost| {
        let Lost {
            from,
            until,
            counted,
            accounts,
        } = lost;
        format!(
            " What users did between {from} and {until} may be lost: the newest entry counts {counted} accounts, and the database has {accounts}."
        )
    });
    Ok(format!(
        "The log {origin} has {size} entries again; the database lacked {entries}.{lost} Removed again: {removed} of the \
         accounts, blocks, totals and proofs that had come back. Start the server, if it does not run: it asks the witnesses first, and the next \
         entry comes once the chain is followed to where the log was."
    ))
}

fn folder(config: &Config) -> Folder {
    Folder::new(config.board_log.published_log.clone())
}
