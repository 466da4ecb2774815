//! The append-only log of the board.

use std::path::PathBuf;

use clap::Args;

/// Settings of that log.
#[derive(Clone, Debug, Args)]
pub struct HistoryConfig {
    /// A file outside the database that always has the newest checkpoint that has been published. With it the server notices that its
    /// database is an old copy, and does not start.
    #[arg(long, env = "PUBLISHED_CHECKPOINT", value_name = "FILE")]
    pub published_checkpoint: Option<PathBuf>,
}
