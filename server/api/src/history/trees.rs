//! The trees over the entries of the logs, in memory: a log has at most an entry for each block, whose hashes take a few megabytes a year.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::error::Result;
use super::write::{to_i64, to_u64};
use board_log::tree::{Tree, leaf};
use store::Store;

/// How many entries are read at a time.
const PORTION: i64 = 10_000;

/// The trees of all logs in a database, as far as they have been read.
#[derive(Debug)]
pub struct Trees {
    pub(super) store: Store,
    read: Mutex<HashMap<i64, Arc<Tree>>>,
}

impl Trees {
    pub fn new(store: Store) -> Self {
        let read = Mutex::default();
        Self { store, read }
    }

    /// The tree of a log, over its first `size` entries at least, or over as many as the database has.
    pub(super) async fn tree(&self, log: i64, size: i64) -> Result<Arc<Tree>> {
        let mut read = self.read.lock().await;
        let tree = read.entry(log).or_default();
        while tree.leaves() < to_u64(size)? {
            let first = to_i64(tree.leaves())?;
            let count = PORTION.min(size - first);
            let entries = self.store.log_entries(log, first, count).await?;
            if entries.is_empty() {
                break;
            }
            let leaves = entries.iter().map(|entry| leaf(entry.as_bytes()));
            Arc::make_mut(tree).extend(leaves);
        }
        Ok(Arc::clone(tree))
    }
}
