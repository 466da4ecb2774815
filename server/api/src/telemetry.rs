//! The log, and metrics for Prometheus: what the process tells about itself.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, OperationsConfig};

pub mod chain;
pub mod names;
pub mod usage;

/// The release that this program is.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that it was built from, if whoever built it has said so in `SOURCE_COMMIT`.
pub const COMMIT: &str = match option_env!("SOURCE_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

/// Begins to write the log to standard output.
pub fn start_log(config: &OperationsConfig) {
    let log = tracing_subscriber::fmt().with_env_filter(EnvFilter::new(&config.log));
    // Files and collectors get no colours.
    let log = if std::io::stdout().is_terminal() {
        log
    } else {
        log.with_ansi(false)
    };
    match config.log_format {
        LogFormat::Text => log.init(),
        // The span of a request has everything; there are no others around it.
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
}
