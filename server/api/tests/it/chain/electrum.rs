//! Behavior specific to the Electrum protocol: its connections, and servers that lie.

mod connections;
mod lies;
mod pipelining;

use std::sync::Mutex;
use std::time::Instant;

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

#[test]
fn an_address_is_safe_to_use_and_safe_to_show() {
    let name = |url| Electrum::new(url, trusting(None)).map(|source| source.name().to_owned());
    for (url, shown) in [
        ("tcp://127.0.0.1:50001", "Electrum at 127.0.0.1:50001"),
        ("tcp://localhost:50001/", "Electrum at localhost:50001"),
        ("tcp://[::1]:50001", "Electrum at [::1]:50001"),
        (
            "ssl://electrum.example:50002",
            "Electrum at electrum.example:50002",
        ),
    ] {
        assert_eq!(name(url).as_deref(), Ok(shown));
    }
    for url in ["tcp://electrum.example:50001", "tcp://10.0.0.1:50001"] {
        assert_eq!(name(url), Err(SourceUrlError::PlainTcp), "{url}");
    }
    for url in [
        "ssl://electrum.example",
        "ssl://:50002",
        "ssl://user:secret@electrum.example:50002",
        "ssl://electrum.example:50002/path",
        "ssl://electrum.example:50002?query",
        "http://electrum.example:50002",
    ] {
        let refused = name(url).expect_err(url);
        assert_matches!(refused, SourceUrlError::Electrum | SourceUrlError::NotAUrl);
    }
}
