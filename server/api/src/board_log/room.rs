//! The log of this server: its fields and how it is loaded.

use board_log::checkpoint::log_origin;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use moka::future::Cache;
use reqwest::Client;
use tokio::sync::Mutex;

use super::begin::state_or_begin;
use super::error::{BoardLogError, Result};
use super::folder::Folder;
use super::snapshot::SnapshotFile;
use super::trees::Trees;
use super::write::origin_of;
use crate::config::Witness;
use board_log::snapshot::SaltKey;
use chain::clock::{Clock, UnixTime};
use store::Store;
use store::removals::PURPOSE;

/// The name under which the folder of a replica stops the log, as a witness does under its own, which is a host and a path.
pub(super) const OUTSIDE: &str = "PUBLISHED_LOG";

/// Settings of the log.
#[derive(Debug)]
pub struct Settings {
    /// The origin of the site, as browsers write it.
    pub site: String,
    /// The folder outside the database.
    pub folder: Folder,
    /// The network of the board's blocks.
    pub network: &'static str,
    /// Whether there are no new blocks, as in development: then each change gets an entry.
    pub stands_still: bool,
    /// The witnesses that cosign its checkpoints.
    pub witnesses: Vec<Witness>,
    /// The client for requests to them; it follows no redirects.
    pub client: Client,
    /// The SHA-256 of each file of the pages that check proofs, by address.
    pub pages: BTreeMap<String, String>,
    /// Generates the secret of an entry's salts: random, unless a test compares two logs.
    pub salt: fn() -> SaltKey,
}

/// Keeps the board's log.
#[derive(Debug)]
pub struct BoardLog {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) settings: Settings,
    /// The log and its size when witnesses were last asked, and the time of that.
    pub(super) asked: parking_lot::Mutex<Option<(i64, i64, UnixTime)>>,
    /// The timeline of the database, and since when.
    pub(super) timeline: parking_lot::Mutex<Option<(String, UnixTime)>>,
    /// Held while a step runs.
    pub(super) working: Mutex<()>,
    /// The newest snapshot, by log, entry, and number of withdrawals.
    pub(super) snapshots: Cache<(i64, i64, i64), Arc<SnapshotFile>>,
    pub(super) trees: Trees,
    /// The number of the current log when it was last read.
    pub(super) number: AtomicI64,
}

impl BoardLog {
    /// Reads the state of the log, or begins it.
    ///
    /// # Errors
    /// When the database is older than the folder outside of it, or fails.
    pub async fn load(store: Store, clock: Clock, settings: Settings) -> Result<Self> {
        let origin = log_origin(&settings.site);
        let trees = Trees::new(store.clone());
        let state = state_or_begin(&trees, &origin, &settings.folder, clock.now()).await?;
        // Before the first backup: the hashes of a restored copy need it.
        store.secret(PURPOSE, clock.now()).await?;
        match settings.folder.keep_removals(&store, clock.now()).await {
            // The job of the log tries again.
            Ok(()) | Err(BoardLogError::Unwritable { .. }) => {}
            Err(error) => return Err(error),
        }
        let expected = origin_of(&origin, state.number);
        if state.origin != expected {
            tracing::warn!(
                log = state.origin,
                expected,
                "the log of the board is named after another host, so visitors and audits will not believe it; after a move \
                 to another host run the command `new-log --because \"…\"`"
            );
        }
        Ok(Self {
            store,
            clock,
            settings,
            asked: parking_lot::Mutex::default(),
            timeline: parking_lot::Mutex::default(),
            working: Mutex::default(),
            snapshots: Cache::builder().max_capacity(1).build(),
            trees,
            number: AtomicI64::new(state.number),
        })
    }
}
