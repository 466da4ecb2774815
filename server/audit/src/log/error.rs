//! Why a log is rejected.

use std::fmt;

use crate::site::SiteError;
use board_log::check::CheckError;
use board_log::checkpoint::Checkpoint;
use board_log::snapshot::SnapshotError;

#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error("the board's log: {0}")]
    False(#[from] CheckError),
    #[error("the board's log: {0}")]
    Snapshot(#[from] SnapshotError),
    #[error("the board's log: {0}")]
    Another(Box<Another>),
    #[error("the board's log continues {0}, which no longer ends as this one says")]
    Before(String),
    #[error("the board's log got a new entry while it was read; run the audit again")]
    Moved,
}

/// The board has another log than the one seen before: its operator replaced it, or an attacker denies the old one.
#[derive(Debug)]
pub struct Another {
    pub(super) seen: Checkpoint,
    pub(super) origin: String,
    /// What its first entry says about that: the operator's reason, and the size of the log before.
    pub(super) because: Option<(String, Option<u64>)>,
}

impl fmt::Display for Another {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            seen,
            origin,
            because,
        } = self;
        write!(
            f,
            "it is {origin}, another log than {}, of which you have seen {} entries. ",
            seen.origin, seen.size
        )?;
        let Some((because, ended)) = because else {
            return write!(f, "Its first entry gives no reason that could be read");
        };
        write!(f, "Its first entry says why: \"{because}\"")?;
        if let Some(size) = ended {
            write!(f, ", and that the one before had {size} entries")?;
        }
        if ended.is_some_and(|size| size < seen.size) {
            write!(f, ", fewer than you have seen")?;
        }
        Ok(())
    }
}
