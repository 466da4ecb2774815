//! Behavior specific to the Electrum protocol: its connections, and servers that lie.

mod connections;
mod lies;
mod pipelining;

use super::*;
use crate::support::electrum_lies::{Say, made_up};
use crate::support::electrumx::ElectrumX;

/// Long enough for a busy machine to answer.
pub(super) const PATIENT: Duration = Duration::from_secs(60);

pub(super) const IMPATIENT: Duration = Duration::from_millis(300);

fn electrum(url: &str) -> Source {
    electrum_that_waits(url, PATIENT)
}

pub(super) fn electrum_that_waits(url: &str, timeout: Duration) -> Source {
    let source = Electrum::new(url, trusting(None)).unwrap();
    Arc::new(source.with_timeout(timeout))
}
