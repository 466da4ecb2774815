//! Why the log cannot continue, and what an operator can do.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum BoardLogError {
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the log in the database is damaged; restore the newest intact backup")]
    Broken,
    #[error("the log's key is missing from the database or is invalid; restore it from a backup")]
    Key,
    /// The database lacks entries that were issued.
    #[error(
        "the log in the database {found}, but PUBLISHED_LOG ({}) has {issued}. The database is an old copy, and a log that continues from it \
         would contradict what visitors have seen. Restore a newer copy of the database; or put the missing entries back with \
         the command `restore-log {}`. If that cannot continue the log, run the command `new-log --because \"…\"`, which begins a new one that says so",
        folder.display(), folder.display()
    )]
    Behind {
        folder: PathBuf,
        found: String,
        issued: String,
    },
    /// The database lacks removals that the folder has.
    #[error(
        "PUBLISHED_LOG ({}) lists {count} removals (accounts erased or blocked, totals hidden, proofs unpublished) that the database does not \
         know: it is an old copy. Run the command `restore-log {}`, which removes them again", folder.display(), folder.display()
    )]
    Forgotten { folder: PathBuf, count: usize },
    #[error("PUBLISHED_LOG: cannot read {}: {why}. Restore the folder from another replica, or remove it if the log was never issued", folder.display())]
    Unreadable { folder: PathBuf, why: String },
    #[error("PUBLISHED_LOG: cannot write to {}: {source}", folder.display())]
    Unwritable {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    /// Readers get this until the next entry.
    #[error(
        "The log was restored from a backup. It comes back once every witness has been asked about it, snapshot and receipts with the next entry, \
         once the board has caught up with the chain."
    )]
    Restored,
    /// A witness that may know a longer log does not respond, so nothing of a restored one is shown.
    #[error(
        "the log was restored from a backup, and the witness {witness} has not answered since: {why}. It may know entries that the backup and the \
         folders lack, so nothing of the log is shown until it answers. If it is gone for good, remove it from WITNESSES and restart"
    )]
    Silent { witness: String, why: String },
    #[error(
        "the witness {witness} has seen another history of the board's log, so nothing is added to the log. If the database is an old copy, restore the \
         newest one with the command `restore-log`, or run the command `new-log --because \"…\"`; see \"The log of the board\" in OPERATIONS.md"
    )]
    Forked { witness: String },
    /// As [`HistoryError::Behind`] at another replica: the folder of this one may lack what that one has.
    #[error(
        "PUBLISHED_LOG of a replica has entries or removals that the database lacks, so nothing is added to the log. Run the command `restore-log` \
         with the folders of all replicas"
    )]
    Lost,
    #[error("there is no log yet; start the server once, which creates it")]
    NotBegun,
    #[error("this log was replaced by a later one")]
    Replaced,
    #[error("the log kept changing while it was read; try again")]
    Moved,
}

pub type Result<T, E = BoardLogError> = std::result::Result<T, E>;
