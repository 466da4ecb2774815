//! Why a log is rejected.

use crate::site::SiteError;
use board_log::check::CheckError;
use board_log::snapshot::SnapshotError;

#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error("the board's log: {0}")]
    False(#[from] CheckError),
    #[error("the board's log: {0}")]
    Snapshot(#[from] SnapshotError),
    /// It is not the one seen before: its operator replaced it, or an attacker denies the old one.
    #[error("the board's log: {0}")]
    Another(String),
    #[error("the board's log: the tile {0} does not have the hashes of the entries")]
    Tile(String),
    #[error("it got a new entry each time it was read; run the audit again")]
    Moved,
}
