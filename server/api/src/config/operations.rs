//! Settings of the process, the server log and metrics; and the limits of connections.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use url::Url;

use super::checks::plain_url;
use board_log::cosignature::WitnessKey;
use board_log::note::NoteError;

/// The format of the server log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ServerLogFormat {
    /// For reading.
    Text,
    /// One JSON object per line, for collectors.
    Json,
}

#[derive(Clone, Debug, Args)]
pub struct OperationsConfig {
    /// The filter of the server log, in the syntax of `tracing`.
    #[arg(long, env = "LOG", default_value = "info,sqlx=warn")]
    pub log: String,

    /// The format of the server log: `text` (default) or `json`, one object per line.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value = "text")]
    pub log_format: ServerLogFormat,

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

/// Settings of the board's log.
#[derive(Clone, Debug, Args)]
pub struct BoardLogConfig {
    /// A folder outside the database, of this replica only, for the entries of the log and the list of what must not come back with a
    /// restored database. With it the server does not start on an old copy, and `restore-log` continues the log.
    #[arg(long, env = "PUBLISHED_LOG", value_name = "FOLDER")]
    pub published_log: Option<PathBuf>,

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
        let key: WitnessKey = key.parse().map_err(|error: NoteError| error.to_string())?;
        // Over https only: otherwise anyone on the way could stop the log with a false answer.
        let address = plain_url(address)
            .map_err(|error| format!("the address of the witness {}: {error}", key.name()))?;
        Ok(Self { key, address })
    }
}

/// Limits of connections, and time-outs of clients. They are no settings: only tests change them.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// How many connections may be open. Each needs a file descriptor, and the server needs some of its own.
    pub total: usize,
    /// How many connections one network may have. Those of this machine and of `TRUSTED_PROXIES` are not counted.
    pub per_network: usize,
    /// How long a connection may wait for a whole head of a request: since its beginning, or since the response before.
    pub head: Duration,
    /// How long the body of a request may take to arrive, and how long a client may pause while reading a response.
    pub transfer: Duration,
    /// How long a live stream lasts; the page then opens another one.
    pub stream: Duration,
    /// How many live streams may be open. Each open leaderboard has one.
    pub streams: usize,
    /// How many live streams one network may have.
    pub streams_per_network: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            total: 12_000,
            per_network: 250,
            head: Duration::from_secs(60),
            transfer: Duration::from_secs(60),
            stream: Duration::from_secs(15 * 60),
            streams: 10_000,
            streams_per_network: 100,
        }
    }
}
