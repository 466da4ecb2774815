//! The list of what must not come back with a restored database: keyed hashes of accounts, blocked people and proofs. It is in the database,
//! written with each removal, and in the folder outside of it, where `restore-log` reads it. Each line goes with the oldest backup.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::error::{BoardLogError, Result};
use super::folder::{Folder, blocking};
use super::room::BoardLog;
use board_log::whole_file;
use chain::clock::UnixTime;
use store::Store;
use store::removals::{KEPT, Removal};

/// The name of the list's file.
const LIST: &str = "removals";

/// How far the clocks of replicas may differ: what one of them deletes is not missing to another.
const SKEW: UnixTime = 60 * 60;

impl BoardLog {
    /// Writes the list to the folder. A request that removes something waits for it; a failure is only logged, because the job of the log
    /// tries again.
    pub async fn keep_removals(&self) {
        let kept = self
            .settings
            .folder
            .keep_removals(&self.store, self.clock.now());
        if let Err(error) = kept.await {
            tracing::warn!(%error, "the list of what must not come back with a restored database is not written yet");
        }
    }
}

impl Folder {
    /// Writes the list to the folder.
    ///
    /// # Errors
    /// When the folder knows of a removal that the database lacks, or it cannot be written.
    pub async fn keep_removals(&self, store: &Store, now: UnixTime) -> Result<()> {
        let Some(path) = self.path.clone() else {
            return Ok(());
        };
        let alone = Arc::clone(&self.writing).lock_owned().await;
        let since = now - KEPT;
        let removals = removals_since(store, since).await?;
        if self.list.lock().as_ref() == Some(&text_of(&removals)) {
            return Ok(());
        }
        let locked = self.lock().await?;
        // The file first: what another replica has written to the same folder was in the database before.
        let known = read(&path)?;
        let removals = removals_since(store, since).await?;
        let here: HashMap<&str, UnixTime> = removals
            .iter()
            .map(|it| (it.keyed_hash.as_str(), it.at))
            .collect();
        let lacks = |it: &Removal| {
            here.get(it.keyed_hash.as_str())
                .is_none_or(|at| *at < it.at)
        };
        let lost = known.iter().filter(|it| it.at >= since + SKEW && lacks(it));
        let count = lost.count();
        if count > 0 {
            return Err(BoardLogError::Forgotten {
                folder: path,
                count,
            });
        }
        let text = text_of(&removals);
        let (file, list) = (path.join(LIST), Arc::clone(&self.list));
        blocking(&path, move || {
            whole_file::put_private(&file, &text)?;
            *list.lock() = Some(text);
            // Held until here, also when the request that waits for it is gone.
            drop((alone, locked));
            Ok(())
        })
        .await
    }
}

/// The list in the database; what is older than all backups is deleted.
async fn removals_since(store: &Store, since: UnixTime) -> Result<Vec<Removal>> {
    let mut removals = store.removals().await?;
    if removals.iter().any(|it| it.at < since) {
        store.forget_removals(since).await?;
        removals.retain(|it| it.at >= since);
    }
    Ok(removals)
}

/// The list's file: a line each.
fn text_of(removals: &[Removal]) -> String {
    let line = |it: &Removal| format!("{} {} {}\n", it.at, it.what.as_str(), it.keyed_hash);
    removals.iter().map(line).collect()
}

/// The list in this folder.
///
/// # Errors
/// When it cannot be read.
pub(super) fn read(folder: &Path) -> Result<Vec<Removal>> {
    let unreadable = |why: String| BoardLogError::Unreadable {
        folder: folder.to_owned(),
        why,
    };
    let text = match fs::read_to_string(folder.join(LIST)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error.to_string())),
    };
    let lines = text.lines().map(|line| {
        let mut words = line.splitn(3, ' ');
        Some(Removal {
            at: words.next()?.parse().ok()?,
            what: words.next()?.parse().ok()?,
            keyed_hash: words.next()?.to_owned(),
        })
    });
    let removals: Option<_> = lines.collect();
    removals.ok_or_else(|| {
        unreadable(format!(
            "a line of the file {LIST} is not one of the server's"
        ))
    })
}
