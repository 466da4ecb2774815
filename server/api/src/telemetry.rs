//! The server log, and metrics for Prometheus.

pub mod server_log;

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit of the build, from the environment variable `SOURCE_COMMIT`.
pub const COMMIT: &str = match option_env!("SOURCE_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};
