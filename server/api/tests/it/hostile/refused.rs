//! Malformed requests that no HTTP library sends are refused. `exchanges/visitors.txt` has others.

use super::{address, exchange};
use crate::support::prelude::*;

#[tokio::test]
async fn a_second_host_is_refused() {
    let app = TestApp::development().await;
    for path in ["/healthz", "/leaderboard"] {
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n");
        let said = exchange(address(&app), request.as_bytes()).await;
        assert_eq!(
            (said.status, said.code.as_str()),
            (400, "invalid-request"),
            "{path}"
        );
    }
}
