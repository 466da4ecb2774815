//! Why the log cannot go on, with what an operator can do.

use std::io;
use std::path::PathBuf;

/// Why the log cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the log in the database is damaged; restore the newest backup that is whole")]
    Broken,
    #[error(
        "the key of the log is missing in the database, or cannot be used; restore it from a backup"
    )]
    Key,
    /// What was published is not in the database.
    #[error(
        "the log in the database {found}, but {} says that {published} have been published. The database is an old copy, and a log that \
         goes on from it would deny what people have seen. Put the newest copy of the database in its place; or, if there is no newer one, \
         run `server new-log --because \"…\"`, which begins a new log that says so", file.display()
    )]
    Behind {
        file: PathBuf,
        found: String,
        published: String,
    },
    #[error("{} has no checkpoint of a log: {why}. Put the file back, or move it away if the log has never been published", file.display())]
    Unreadable { file: PathBuf, why: String },
    #[error("the newest checkpoint cannot be kept at {}: {source}", file.display())]
    Unwritable {
        file: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(
        "the witness {witness} knows another history of the board's log, so nothing is added to the log. If the database is an old copy, put the \
         newest one in its place; see \"The log of the board\" in OPERATIONS.md for the other ways out"
    )]
    Forked { witness: String },
    #[error("there is no log yet; a server makes it when it starts")]
    NotBegun,
    #[error("the log moved on each time that it was read; try again")]
    Moved,
}
