//! The log, and metrics for Prometheus: what the process tells about itself.

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, OperationsConfig};

pub mod chain;
pub mod names;

/// Begins to write the log to standard output.
pub fn start_log(config: &OperationsConfig) {
    let log = tracing_subscriber::fmt().with_env_filter(EnvFilter::new(&config.log));
    match config.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}
