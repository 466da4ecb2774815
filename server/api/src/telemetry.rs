//! The log, and metrics for Prometheus: what the process tells about itself.

pub mod chain;
pub mod log;
pub mod names;

/// The release that this program is.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that it was built from, if whoever built it has said so in `SOURCE_COMMIT`.
pub const COMMIT: &str = match option_env!("SOURCE_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};
