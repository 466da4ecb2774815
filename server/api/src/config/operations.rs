//! Settings of the process: its log, metrics and limits.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For reading.
    Text,
    /// One JSON object per line, for log collectors.
    Json,
}

#[derive(Clone, Debug, Args)]
pub struct OperationsConfig {
    /// The filter of the log, in the syntax of `tracing`.
    #[arg(long, env = "LOG", default_value = "info,sqlx=warn")]
    pub log: String,

    /// `text` (default) or `json`, one object per line.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value = "text")]
    pub log_format: LogFormat,

    /// Address and port on which Prometheus reads metrics, separate from the site. Off by default.
    #[arg(long, env = "METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,

    /// How long running requests may take when the server stops, in seconds.
    #[arg(long, env = "SHUTDOWN_SECONDS", default_value_t = 20)]
    pub shutdown_seconds: u64,

    /// The greatest number of connections to the database. Each replica has its own.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(3..))]
    pub database_connections: u32,
}

/// Settings of the append-only log of the board.
#[derive(Clone, Debug, Args)]
pub struct HistoryConfig {
    /// A file outside the database with the newest published checkpoint. With it the server notices that its
    /// database is an old copy, and does not start.
    #[arg(long, env = "PUBLISHED_CHECKPOINT", value_name = "FILE")]
    pub published_checkpoint: Option<PathBuf>,
}
