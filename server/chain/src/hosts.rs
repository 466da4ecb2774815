//! Finds sources that are one server under two names (rule B6).

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use futures_util::future::join_all;
use url::Url;

use super::address::bare_host;

/// How long to wait for the addresses of a name.
const DNS_TIMEOUT: Duration = Duration::from_secs(5);

/// Whether two of the sources have the same host and port, by address. A name that does not resolve now is compared by name only, see
/// [`same_name`].
pub(super) async fn repeat(urls: &[Url]) -> bool {
    if urls.len() < 2 {
        return false;
    }
    let addresses = join_all(urls.iter().map(addresses)).await;
    let mut seen = HashSet::new();
    let mut addresses = addresses.into_iter().flatten();
    addresses.any(|address| !seen.insert(address))
}

/// Whether two of the sources have the same host name and port, whatever their paths and credentials.
pub(super) fn same_name(urls: &[Url]) -> bool {
    let mut seen = HashSet::new();
    urls.iter().any(|url| !seen.insert(name(url)))
}

fn name(url: &Url) -> (String, Option<u16>) {
    let host = bare_host(url).trim_end_matches('.').to_ascii_lowercase();
    (host, url.port_or_known_default())
}

async fn addresses(url: &Url) -> HashSet<SocketAddr> {
    let (host, port) = name(url);
    let authority = (host.as_str(), port.unwrap_or_default());
    match tokio::time::timeout(DNS_TIMEOUT, tokio::net::lookup_host(authority)).await {
        Ok(Ok(addresses)) => addresses.map(canonical).collect(),
        _ => {
            tracing::warn!(host, "the host name of a chain source does not resolve");
            HashSet::new()
        }
    }
}

/// The address by which servers are compared: all addresses of this machine, IPv4 or IPv6, become one.
fn canonical(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip().to_canonical() {
        IpAddr::V6(ip) if ip.is_loopback() => Ipv4Addr::LOCALHOST.into(),
        ip if ip.is_unspecified() || is_ours(ip) => Ipv4Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Whether this machine has the address in a network: no other can be bound. Loopback addresses do not count, because different servers on
/// one machine may have different ones.
fn is_ours(ip: IpAddr) -> bool {
    !ip.is_loopback() && UdpSocket::bind((ip, 0)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_machines_own_address_counts_as_this_machine() {
        let socket = UdpSocket::bind("0.0.0.0:0").expect("a socket");
        // Sends nothing: it only finds the local address for an outgoing packet. A machine without a network has none.
        if socket.connect("192.0.2.1:9").is_ok() {
            let ours = socket.local_addr().expect("an address").ip();
            let named = format!("http://{ours}:8332");
            assert!(repeated([&named, "http://127.0.0.1:8332"]).await, "{named}");
        }
        assert!(!is_ours("192.0.2.1".parse().expect("an address")));
    }

    async fn repeated(urls: [&str; 2]) -> bool {
        let urls = urls.map(|url| Url::parse(url).expect("a URL"));
        repeat(&urls).await
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
            ["https://127.0.0.1:700/api", "http://127.0.0.1:700"],
        ] {
            assert!(repeated(urls).await, "{urls:?}");
        }
    }

    #[tokio::test]
    async fn two_servers_of_one_machine_are_two() {
        for urls in [
            ["http://127.0.0.1:8332", "http://127.0.0.1:3000"],
            ["http://127.0.0.1:8332", "http://127.0.0.2:8332"],
            ["http://127.0.0.1", "https://127.0.0.1"],
        ] {
            assert!(!repeated(urls).await, "{urls:?}");
        }
    }
}
