//! Asks a running server whether it is alive, so that a container needs no other program for it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// What is wrong with the server.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unhealthy {
    #[error("the server at {0} does not answer: {1}")]
    NoAnswer(SocketAddr, reqwest::Error),
    #[error("the server at {0} answers {1}")]
    Answer(SocketAddr, reqwest::StatusCode),
}

pub(super) async fn run(listen: SocketAddr) -> Result<(), Unhealthy> {
    let address = SocketAddr::new(reachable(listen.ip()), listen.port());
    let no_answer = |error: reqwest::Error| Unhealthy::NoAnswer(address, error.without_url());
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(PATIENCE)
        .build()
        .map_err(no_answer)?;
    let request = client.get(format!("http://{address}/healthz"));
    let status = request.send().await.map_err(no_answer)?.status();
    if status.is_success() {
        Ok(())
    } else {
        Err(Unhealthy::Answer(address, status))
    }
}

/// Listening everywhere includes this machine.
fn reachable(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}
