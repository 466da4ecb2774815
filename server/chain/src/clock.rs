//! The only code that reads the time, so that tests can control it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970-01-01T00:00:00 UTC.
pub type UnixTime = i64;

/// One day in seconds.
pub const DAY: i64 = 24 * 60 * 60;

/// A source of the current time, passed to all code that needs it.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The machine's own clock.
    #[default]
    System,
    /// A clock that stands still until a test moves it.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stays at `now` until [`Clock::advance`] is called.
    pub fn manual(now: UnixTime) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(now)))
    }

    /// The current time in UTC, whole seconds.
    #[expect(clippy::disallowed_methods, reason = "all other code uses this clock")]
    pub fn now(&self) -> UnixTime {
        match self {
            Self::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |elapsed| {
                    i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
                }),
            Self::Manual(now) => now.load(Ordering::SeqCst),
        }
    }

    /// Moves a manual clock by `seconds`; the system clock cannot be moved.
    pub fn advance(&self, seconds: i64) {
        if let Self::Manual(now) = self {
            now.fetch_add(seconds, Ordering::SeqCst);
        }
    }
}
