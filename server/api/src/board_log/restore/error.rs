//! The refusals of `restore-log`.

use std::path::PathBuf;

use crate::board_log::error::BoardLogError;

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
