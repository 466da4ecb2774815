//! The trees over the entries of the logs, in memory: a log has at most an entry for each block, whose hashes take a few megabytes a year.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::error::Result;
use super::write::{to_i64, to_u64};
use board_log::check;
use board_log::tree::{Tree, leaf};
use store::Store;
use store::board_log::{LogState, LogTx};

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

    /// Forgets a tree that is not of the newest entries in the database, which may have been restored or replaced by a standby while this process
    /// ran.
    pub(super) fn fit(&self, state: &LogState) -> Result<()> {
        let size = to_u64(state.size)?;
        let mut read = self.read.lock();
        let fits = |tree: &Tree| match tree.leaves().cmp(&size) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => {
                let signed = check::unsigned(&state.checkpoint);
                signed.is_ok_and(|signed| signed.root == tree.root())
            }
        };
        if read.get(&state.number).is_some_and(|tree| !fits(tree)) {
            read.remove(&state.number);
        }
        Ok(())
    }

    /// The tree of a log, over its first `size` entries at least, or over as many as the database has.
    pub(super) async fn tree(&self, log: i64, size: i64) -> Result<Arc<Tree>> {
        self.read(log, size, None).await
    }

    /// As [`Trees::tree`], for a transaction, which reads for itself: other writers, who wait for it to end, may have all other connections.
    pub(super) async fn tree_in(&self, tx: &mut LogTx, log: i64, size: i64) -> Result<Arc<Tree>> {
        self.read(log, size, Some(tx)).await
    }

    async fn read(&self, log: i64, size: i64, mut tx: Option<&mut LogTx>) -> Result<Arc<Tree>> {
        let mut tree = self.read.lock().entry(log).or_default().clone();
        while tree.leaves() < to_u64(size)? {
            let first = to_i64(tree.leaves())?;
            let count = PORTION.min(size - first);
            let entries = match &mut tx {
                Some(tx) => tx.entries(log, first, count).await?,
                None => self.store.log_entries(log, first, count).await?,
            };
            if entries.is_empty() {
                break;
            }
            let leaves = entries.iter().map(|entry| leaf(entry.as_bytes()));
            Arc::make_mut(&mut tree).extend(leaves);
        }
        let mut read = self.read.lock();
        let longest = read.entry(log).or_default();
        if longest.leaves() < tree.leaves() {
            *longest = Arc::clone(&tree);
        }
        Ok(tree)
    }
}
