//! Settings of the process: its log, metrics and limits.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use url::Url;

use super::checks::{ConfigError, is_safe, require};
use board_log::cosignature::{NoWitnessKey, WitnessKey};

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

    /// Witnesses of the log, divided by commas: of each the verifier key and, after a space, the address of its submission prefix. They
    /// cosign each checkpoint (C2SP tlog-witness), once the log is registered with them.
    #[arg(
        long,
        env = "WITNESSES",
        value_name = "KEY ADDRESS",
        value_delimiter = ','
    )]
    pub witnesses: Vec<Witness>,
}

/// A witness of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub key: WitnessKey,
    /// The submission prefix.
    pub address: Url,
}

impl FromStr for Witness {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, address) = text
            .trim()
            .split_once(' ')
            .ok_or("must be the witness's verifier key, a space, and the witness's address")?;
        let key: WitnessKey = key
            .parse()
            .map_err(|error: NoWitnessKey| error.to_string())?;
        let address: Url = address
            .trim()
            .parse()
            .map_err(|error: url::ParseError| format!("{address} is not an address: {error}"))?;
        // Others on the way could stop the log with a false answer.
        if is_safe(&address) {
            Ok(Self { key, address })
        } else {
            Err(format!(
                "the address of the witness {} must be https (http only on this machine), without a user name, query or fragment",
                key.name()
            ))
        }
    }
}

impl HistoryConfig {
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        let mut names = HashSet::new();
        require(
            self.witnesses.iter().all(|it| names.insert(it.key.name())),
            "WITNESSES names a witness twice; name each once",
        )
    }
}
