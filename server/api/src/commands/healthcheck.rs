//! Asks a running server whether it is alive, so that a container needs no other program for it.

use std::net::SocketAddr;
use std::time::Duration;

use crate::app::Failure;
use outbound::describe;

/// How long the server may take to respond.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Connecting to the address that stands for every one, `0.0.0.0` or `::`, leads to this machine.
pub(super) async fn run(address: SocketAddr) -> Result<(), Failure> {
    let healthy = async || {
        let client = reqwest::Client::builder()
            .no_proxy()
            .timeout(TIMEOUT)
            .build()?;
        let request = client.get(format!("http://{address}/healthz"));
        request.send().await?.error_for_status()
    };
    let failed = |error: reqwest::Error| {
        let error = error.without_url();
        let error = describe(&error);
        format!("the server at {address} does not answer as it should: {error}")
    };
    healthy().await.map_err(failed)?;
    Ok(())
}
