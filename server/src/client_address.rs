//! Who is at the other end of a connection: the one place that decides it.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

/// The address of the client, when the connection tells. An address of this very machine is a
/// reverse proxy's or a developer's, and says nothing about who is asking.
///
/// No header is believed here: which proxies may speak for others is a setting that does not exist
/// yet, and this is where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub Option<IpAddr>);

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let address = peer.map(|ConnectInfo(peer)| peer.ip().to_canonical());
        Ok(Self(address.filter(|address| !address.is_loopback())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    async fn seen(peer: Option<&str>) -> Option<IpAddr> {
        let (mut parts, ()) = Request::new(()).into_parts();
        if let Some(peer) = peer {
            let peer: SocketAddr = peer.parse().expect("an address and a port");
            parts.extensions.insert(ConnectInfo(peer));
        }
        let Ok(ClientAddress(address)) = ClientAddress::from_request_parts(&mut parts, &()).await;
        address
    }

    #[tokio::test]
    async fn the_other_end_of_the_connection_counts() {
        for (peer, address) in [
            ("192.0.2.7:1", "192.0.2.7"),
            ("[2001:db8::7]:1", "2001:db8::7"),
            ("[::ffff:192.0.2.7]:1", "192.0.2.7"),
        ] {
            assert_eq!(seen(Some(peer)).await, address.parse().ok());
        }
        for here in [
            None,
            Some("127.0.0.1:1"),
            Some("[::1]:1"),
            Some("[::ffff:127.0.0.1]:1"),
        ] {
            assert_eq!(seen(here).await, None);
        }
    }
}
