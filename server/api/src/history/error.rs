//! Why the log cannot continue, and what an operator can do.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the log in the database is damaged; restore the newest intact backup")]
    Broken,
    #[error("the log's key is missing from the database or is invalid; restore it from a backup")]
    Key,
    /// The database lacks entries that were published.
    #[error(
        "the log in the database {found}, but {} says that {published} have been published. The database is an old copy, and a log that \
         continues from it would contradict what visitors have seen. Restore the newest copy of the database; or, if there is no newer one, \
         run `server new-log --because \"…\"`, which begins a new log that says so", file.display()
    )]
    Behind {
        file: PathBuf,
        found: String,
        published: String,
    },
    #[error("PUBLISHED_CHECKPOINT: {} contains no checkpoint: {why}. Restore the file, or remove it if the log has never been published", file.display())]
    Unreadable { file: PathBuf, why: String },
    #[error("PUBLISHED_CHECKPOINT: cannot write {}: {source}", file.display())]
    Unwritable {
        file: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(
        "the witness {witness} has seen another history of the board's log, so nothing is added to the log. If the database is an old copy, restore the \
         newest one; see \"The log of the board\" in OPERATIONS.md for the other ways out"
    )]
    Forked { witness: String },
    #[error("there is no log yet; start the server once, which creates it")]
    NotBegun,
    #[error("the log kept changing while it was read; try again")]
    Moved,
}

/// A result of the log.
pub type Result<T, E = HistoryError> = std::result::Result<T, E>;
