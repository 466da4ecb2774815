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
        let mut removals = store.removals().await?;
        if removals.iter().any(|it| it.at < since) {
            store.forget_removals(since).await?;
            removals.retain(|it| it.at >= since);
        }
        let text: String = removals.iter().map(line).collect();
        if self.list.lock().as_ref() == Some(&text) {
            return Ok(());
        }
        let locked = self.lock().await?;
        // Another replica may have written the same folder in between.
        let known = read(&path)?;
        let here: HashMap<&str, UnixTime> = removals
            .iter()
            .map(|it| (it.keyed_hash.as_str(), it.at))
            .collect();
        let lacks = |it: &Removal| {
            here.get(it.keyed_hash.as_str())
                .is_none_or(|at| *at < it.at)
        };
        let lost = known.iter().filter(|it| it.at >= since && lacks(it));
        let count = lost.count();
        if count > 0 {
            return Err(BoardLogError::Forgotten {
                folder: path,
                count,
            });
        }
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

fn line(removal: &Removal) -> String {
    let Removal {
        at,
        what,
        keyed_hash,
    } = removal;
    format!("{at} {} {keyed_hash}\n", what.as_str())
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
