//! Limits of connections, and time-outs of clients.

use std::num::{NonZeroU64, ParseIntError};
use std::time::Duration;

use clap::Args;

#[derive(Clone, Debug, Args)]
pub struct ConnectionsConfig {
    /// How many connections may be open. Each needs a file descriptor, and the server needs some of its own.
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 12_000)]
    pub max_connections: usize,

    /// How many connections one address may have. Those of this machine and of `TRUSTED_PROXIES` are not counted.
    #[arg(long, env = "MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 250)]
    pub max_connections_per_address: usize,

    /// How long a client may take to send the head of a request, from its first byte or the connection's beginning, and each
    /// 16 KiB of a body, in seconds.
    #[arg(long, env = "HEADER_SECONDS", default_value = "15", value_parser = seconds)]
    pub header_seconds: Duration,

    /// How long the body of a request may take to arrive, and how long a client may pause while reading a response, in seconds.
    #[arg(long, env = "TRANSFER_SECONDS", default_value = "60", value_parser = seconds)]
    pub transfer_seconds: Duration,

    /// How long a connection may wait for its next request, in seconds. A proxy in front must close it sooner.
    #[arg(long, env = "IDLE_SECONDS", default_value = "150", value_parser = seconds)]
    pub idle_seconds: Duration,

    /// How long a live stream lasts, in seconds; the page then opens another one.
    #[arg(long, env = "STREAM_SECONDS", default_value = "900", value_parser = seconds)]
    pub stream_seconds: Duration,

    /// How many live streams may be open. Each open leaderboard has one.
    #[arg(long, env = "MAX_STREAMS", default_value_t = 10_000)]
    pub max_streams: usize,

    /// How many live streams one address may have.
    #[arg(long, env = "MAX_STREAMS_PER_ADDRESS", default_value_t = 100)]
    pub max_streams_per_address: usize,
}

fn seconds(text: &str) -> Result<Duration, ParseIntError> {
    text.parse()
        .map(|seconds: NonZeroU64| Duration::from_secs(seconds.get()))
}
