//! Why the command fails.

use std::io;
use std::path::{Path, PathBuf};

use super::AuditError;
use super::log::LogError;
use board_log::check::CheckError;
use board_log::note::NoteError;
use chain::ChainError;
use chain::sources::SourcesError;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("no board to audit; name it as https://board.example")]
    NoBoard,
    #[error(transparent)]
    Sources(#[from] SourcesError),
    #[error("cannot use the chain sources: {0}. Check --chain")]
    Chain(#[source] ChainError),
    #[error("cannot create the HTTP client: {0}")]
    Http(#[from] reqwest::Error),
    #[error("the audit did not finish: {0}")]
    Audit(#[from] AuditError),
    #[error("cannot write the report: {0}")]
    Write(#[from] io::Error),
    #[error("cannot read or write {}: {source}", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(
        "{} was not written by an audit. Restore the file; or remove it, and this audit trusts the log as if it were the first", .0.display()
    )]
    Unreadable(PathBuf),
    #[error(
        "no key for {0} is known. Pass the key from the board's /log/key with --key, or audit the board once; the key is never taken from the \
         receipt that it checks"
    )]
    NoKey(String),
    #[error("the receipt is false: {0}")]
    Receipt(CheckError),
    #[error(
        "cannot verify the receipt: it is not signed by a trusted key. If the log's key has been rotated, pass the key that it had then \
         with --key"
    )]
    Stranger,
    #[error("the receipt is not cosigned: {0}")]
    Witnesses(String),
    #[error("the board's log was not checked: {0}")]
    Log(LogError),
    #[error("the blocks in the board's log were not checked: {0}")]
    Blocks(#[source] ChainError),
    #[error("false claims of the board: {0}; the report lists them")]
    False(usize),
}

impl Failure {
    pub(super) fn file(path: &Path, source: io::Error) -> Self {
        Self::File {
            path: path.to_owned(),
            source,
        }
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Note(NoteError::Stranger) => Self::Stranger,
            other => Self::Receipt(other),
        }
    }
}
