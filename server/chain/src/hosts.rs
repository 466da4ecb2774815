//! Which sources are one server under two names (rule B6).

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use futures_util::future::join_all;
use url::Url;

use super::address::bare_host;

/// How long to wait for the addresses of a name.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether two of the sources are at one host and port, by name or by address. A name without an address now has only
/// its name compared: the source cannot be asked either.
pub(super) async fn repeat(urls: &[&Url]) -> bool {
    if urls.len() < 2 {
        return false;
    }
    let places = join_all(urls.iter().map(|url| addresses(url))).await;
    let mut seen = HashSet::new();
    same_name(urls)
        || places
            .into_iter()
            .flatten()
            .any(|place| !seen.insert(place))
}

/// Whether two of the sources are at one host and port by name alone: what follows, or who asks, makes no other server.
pub(super) fn same_name(urls: &[&Url]) -> bool {
    let mut seen = HashSet::new();
    urls.iter().any(|url| !seen.insert(name(url)))
}

fn name(url: &Url) -> (String, Option<u16>) {
    let host = bare_host(url).trim_end_matches('.').to_ascii_lowercase();
    (host, url.port_or_known_default())
}

async fn addresses(url: &Url) -> HashSet<SocketAddr> {
    let (host, port) = name(url);
    let asked = (host.as_str(), port.unwrap_or_default());
    match tokio::time::timeout(PATIENCE, tokio::net::lookup_host(asked)).await {
        Ok(Ok(found)) => found.map(place).collect(),
        _ => {
            tracing::warn!(host, "a chain source's name has no address now");
            HashSet::new()
        }
    }
}

/// The address by which servers are compared: this machine's are one, in both versions of the protocol.
fn place(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip().to_canonical() {
        IpAddr::V6(ip) if ip.is_loopback() => Ipv4Addr::LOCALHOST.into(),
        ip if ip.is_unspecified() || is_ours(ip) => Ipv4Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Whether it is an address that this machine has in a network: no other can be listened on. What is said on loopback stays
/// apart, where servers of one machine have addresses of their own.
fn is_ours(ip: IpAddr) -> bool {
    !ip.is_loopback() && UdpSocket::bind((ip, 0)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn this_machine_under_its_address_in_the_network_is_this_machine() {
        let socket = UdpSocket::bind("0.0.0.0:0").expect("a socket");
        // Sends nothing: it only finds out from which address something would be sent. A machine without a network has none.
        if socket.connect("192.0.2.1:9").is_ok() {
            let ours = socket.local_addr().expect("an address").ip();
            let named = format!("http://{ours}:8332");
            assert!(repeated([&named, "http://127.0.0.1:8332"]).await, "{named}");
        }
        assert!(!is_ours("192.0.2.1".parse().expect("an address")));
    }

    async fn repeated(urls: [&str; 2]) -> bool {
        let urls = urls.map(|url| Url::parse(url).expect("a URL"));
        repeat(&urls.each_ref()).await
    }

    #[tokio::test]
    async fn one_server_under_two_names_is_found() {
        for urls in [
            ["http://localhost:8332", "http://127.0.0.1:8332"],
            ["http://[::1]:8332", "http://127.0.0.1:8332"],
            ["http://[::ffff:127.0.0.1]:8332", "http://127.0.0.1:8332"],
            ["http://0.0.0.0:8332", "http://localhost:8332"],
            ["http://a:b@127.0.0.1:8332", "http://c:d@127.0.0.1:8332"],
            ["https://127.0.0.1/api", "https://127.0.0.1:443/other"],
            ["https://127.0.0.1:700/api", "ssl://127.0.0.1:700"],
        ] {
            assert!(repeated(urls).await, "{urls:?}");
        }
    }

    #[tokio::test]
    async fn two_servers_of_one_machine_are_two() {
        for urls in [
            ["http://127.0.0.1:8332", "tcp://127.0.0.1:50001"],
            ["http://127.0.0.1:8332", "http://127.0.0.2:8332"],
            ["http://127.0.0.1", "https://127.0.0.1"],
        ] {
            assert!(!repeated(urls).await, "{urls:?}");
        }
    }
}
