//! When the next step of a job is due.

use std::time::Duration;

/// When the next step of a job is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// There is more to do.
    AtOnce,
    /// After this time.
    After(Duration),
}
