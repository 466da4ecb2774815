//! How the process is run: its log, its limits, what watches it.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What a line of the log looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object on a line, for log collectors.
    Json,
}

/// Settings for whoever runs the server.
#[derive(Clone, Debug, Args)]
pub struct OperationsConfig {
    /// What goes to the log, in the `tracing` filter syntax.
    #[arg(long, env = "LOG", default_value = "info,sqlx=warn")]
    pub log: String,

    /// `text` (default) or `json`, one object on a line.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value = "text")]
    pub log_format: LogFormat,

    /// Address and port on which Prometheus reads metrics, apart from everything that people reach. Without it there
    /// are none.
    #[arg(long, env = "METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,

    /// How long requests that are under way may take when the server is told to stop, in seconds.
    #[arg(long, env = "SHUTDOWN_SECONDS", default_value_t = 20)]
    pub shutdown_seconds: u64,

    /// How many connections to the database are open at most. PostgreSQL needs as many for each replica.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(3..))]
    pub database_connections: u32,
}

/// Settings of the append-only log of the board.
#[derive(Clone, Debug, Args)]
pub struct HistoryConfig {
    /// A file outside the database that always has the newest checkpoint that has been published. With it the server notices that its
    /// database is an old copy, and does not start.
    #[arg(long, env = "PUBLISHED_CHECKPOINT", value_name = "FILE")]
    pub published_checkpoint: Option<PathBuf>,
}
