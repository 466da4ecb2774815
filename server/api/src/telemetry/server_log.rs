//! The server log, on standard output. A separate thread writes it, so that a slow reader blocks no request.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;

use crate::config::{OperationsConfig, ServerLogFormat};

/// How many lines may wait to be written. Further lines are dropped.
const LINES: usize = 8_192;

/// How long the process waits for the last lines to be written when it ends.
const TIMEOUT: Duration = Duration::from_secs(2);

/// What this process reports. Dropping it writes the lines that wait.
#[derive(Debug)]
pub struct ServerLog {
    writer: Option<WorkerGuard>,
    dropped: DroppedLines,
}

/// Counts lines that were not written.
#[derive(Clone, Debug)]
pub struct DroppedLines {
    queue_full: ErrorCounter,
    failed: Arc<AtomicU64>,
}

impl DroppedLines {
    pub fn count(&self) -> u64 {
        self.queue_full.dropped_lines() as u64 + self.failed.load(Ordering::Relaxed)
    }
}

/// Standard output, which drops lines that it cannot write. The writing thread collects the lines that wait and hands them over together.
struct Output {
    stdout: Stdout,
    failed: Arc<AtomicU64>,
}

impl Write for Output {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        if self.stdout.write_all(lines).is_err() {
            let count = memchr::memchr_iter(b'\n', lines).count();
            self.failed.fetch_add(count as u64, Ordering::Relaxed);
        }
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // Standard output flushes at every line break.
        Ok(())
    }
}

impl ServerLog {
    /// Starts it. Panics are reported too: standard error may have no reader, which would block the panicking thread.
    pub fn start(config: &OperationsConfig) -> Self {
        let failed = Arc::default();
        let output = BufWriter::new(Output {
            stdout: io::stdout(),
            failed: Arc::clone(&failed),
        });
        let builder = NonBlockingBuilder::default().lossy(true);
        let (lines, writer) = builder.buffered_lines_limit(LINES).finish(output);
        let dropped = DroppedLines {
            queue_full: lines.error_counter(),
            failed,
        };
        let lines = tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::new(&config.log))
            .with_writer(lines)
            // Internal errors would go to standard error.
            .log_internal_errors(false);
        // No colors in files.
        let lines = if io::stdout().is_terminal() {
            lines
        } else {
            lines.with_ansi(false)
        };
        match config.log_format {
            ServerLogFormat::Text => lines.init(),
            // There is only one span, that of the request.
            ServerLogFormat::Json => lines
                .json()
                .flatten_event(true)
                .with_span_list(false)
                .init(),
        }
        panic::set_hook(Box::new(|panic| {
            let trace = Backtrace::capture();
            let trace = (trace.status() == BacktraceStatus::Captured).then(|| trace.to_string());
            tracing::error!(%panic, trace, "a thread panicked");
        }));
        Self {
            writer: Some(writer),
            dropped,
        }
    }

    pub fn dropped(&self) -> DroppedLines {
        self.dropped.clone()
    }
}

impl Drop for ServerLog {
    fn drop(&mut self) {
        let writer = self.writer.take();
        let (done, waits) = channel();
        // A blocked writer reports that to standard output, where it would block again.
        thread::spawn(move || {
            drop(writer);
            let _ = done.send(());
        });
        let _ = waits.recv_timeout(TIMEOUT);
    }
}
