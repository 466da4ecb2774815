//! The moment at which a piece of work wants to go on.

use std::time::Duration;

/// The moment of the next step of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// There is more to do.
    AtOnce,
    /// Not before this has passed.
    After(Duration),
}
