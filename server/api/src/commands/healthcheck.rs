//! Asks a running server whether it is alive, so that a container needs no other program for it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use crate::app::Failure;

/// How long the server may take to respond.
const TIMEOUT: Duration = Duration::from_secs(3);

pub(super) async fn run(listen: SocketAddr) -> Result<(), Failure> {
    let address = SocketAddr::new(reachable(listen.ip()), listen.port());
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

/// A server that listens on every address can be reached on the loopback address.
fn reachable(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}
