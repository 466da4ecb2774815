//! Asks a running server whether it is alive, so that a container needs no other program for it.

use std::net::SocketAddr;
use std::time::Duration;

use crate::app::Failure;

/// How long the server may take to respond.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Connecting to the address that stands for every one, `0.0.0.0` or `::`, leads to this machine.
pub(super) async fn run(address: SocketAddr) -> Result<(), Failure> {
    let failed = |error: reqwest::Error| {
        format!(
            "the server at {address} does not answer: {}",
            error.without_url()
        )
    };
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(TIMEOUT)
        .build()
        .map_err(failed)?;
    let request = client.get(format!("http://{address}/healthz"));
    let status = request.send().await.map_err(failed)?.status();
    if status.is_success() {
        Ok(())
    } else {
        Err(format!("the server at {address} answers {status}").into())
    }
}
