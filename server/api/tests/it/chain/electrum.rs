//! Behavior specific to the Electrum protocol: its connections, and servers that lie.

mod connections;
mod lies;
mod pipelining;

use std::sync::Arc;
use std::time::Duration;

use chain::sources::electrum::Electrum;
use chain::{ChainError, ChainSource, SourceUrlError};

use super::nowhere;
use crate::support::electrumx::trusting;

/// Long enough for a busy machine to answer.
const PATIENT: Duration = Duration::from_secs(60);

const IMPATIENT: Duration = Duration::from_millis(300);

fn electrum(url: &str) -> Arc<Electrum> {
    electrum_that_waits(url, PATIENT)
}

fn electrum_that_waits(url: &str, timeout: Duration) -> Arc<Electrum> {
    let source = Electrum::new(url, trusting(None)).unwrap();
    Arc::new(source.with_timeout(timeout))
}

/// What each call of the interface answers.
async fn errors(source: &Electrum) -> Vec<ChainError> {
    vec![
        source.block_hash_at(0).await.unwrap_err(),
        source.tip().await.unwrap_err(),
        source.coins(&[nowhere()]).await.unwrap_err(),
    ]
}

async fn all_unreachable(source: &Electrum) {
    for error in errors(source).await {
        assert!(matches!(error, ChainError::Unreachable { .. }), "{error}");
    }
}

async fn all_invalid(source: &Electrum) {
    for error in errors(source).await {
        assert!(matches!(error, ChainError::Invalid { .. }), "{error}");
    }
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
        assert!(
            matches!(refused, SourceUrlError::Electrum | SourceUrlError::NotAUrl),
            "{url}: {refused}"
        );
    }
}
