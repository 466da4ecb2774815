//! The client's address, decided once for each request: the peer of the connection or, behind `TRUSTED_PROXIES`, the address that the
//! proxies report. `axum-client-ip` reads only the last address of a header, from any peer; it knows no list of trusted proxies.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{self, HeaderMap};
use parking_lot::Mutex;

use crate::config::{Config, ProxyConfig};

/// How often a warning is repeated.
const HOUR: Duration = Duration::from_secs(60 * 60);

/// The client's address; none when it is unknown. A loopback address is a developer's, or of a proxy that is not in `TRUSTED_PROXIES`, and
/// says nothing about the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub Option<IpAddr>);

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or(Self(None)))
    }
}

/// A layer around all routes: notes the [`ClientAddress`] of a request.
pub fn identify<B>(proxies: &ProxyConfig, mut request: http::Request<B>) -> http::Request<B> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map(|peer| peer.ip().to_canonical());
    let address = peer.and_then(|peer| client(proxies, peer, request.headers()));
    if let Some(peer) = peer {
        warn_of_proxies(proxies, peer, &request);
    }
    request.extensions_mut().insert(ClientAddress(address));
    request
}

/// Warns when no client's address will be known: in production, behind a proxy on this machine that is not trusted.
pub fn warn_of_unknown(config: &Config) {
    let behind_a_proxy = !config.development() && config.listen.ip().is_loopback();
    if behind_a_proxy && config.proxies.trusted_proxies.is_empty() {
        tracing::warn!(
            "TRUSTED_PROXIES is not set, so all clients seem to come from this machine, and limits by address do not apply; list your reverse proxies in it"
        );
    }
}

/// The peer of the connection; or, when that is a trusted proxy, the peer that it reports, and so on. Each proxy appends its own peer to the
/// header, so reading begins at the end: the client may have made up whatever is before the first address that is no trusted proxy's.
/// Where a proxy reports no address (such as `unknown`), the client counts as the proxy, so that limits apply to it.
fn client(proxies: &ProxyConfig, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
    let name = &proxies.client_address_header;
    let lines = headers.get_all(name).iter().rev();
    let elements = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    let mut reported = elements.map(parse_address);
    let mut client = peer.to_canonical();
    while proxies.trusts(client) {
        match reported.next() {
            Some(Some(address)) => client = address,
            Some(None) => return Some(client),
            None => break,
        }
    }
    Some(client).filter(|address| !address.is_loopback())
}

/// Warns of a proxy that is not trusted, and of a trusted one that sends no address: all its clients share one limit.
fn warn_of_proxies<B>(proxies: &ProxyConfig, peer: IpAddr, request: &http::Request<B>) {
    static UNTRUSTED: Hourly = Hourly(Mutex::new(None));
    static SILENT: Hourly = Hourly(Mutex::new(None));
    let name = &proxies.client_address_header;
    let mut reported = request.headers().get_all(name).iter();
    let last = reported.next_back();
    if !proxies.trusts(peer) {
        if last.is_some() && UNTRUSTED.is_due() {
            tracing::warn!(
                "{peer} sends {name}, which is ignored because TRUSTED_PROXIES does not list it. If it is your proxy, all its clients share \
                 one limit: add {peer} to TRUSTED_PROXIES (for a container with a published port that is the bridge's gateway; publish the \
                 port on 127.0.0.1 only)"
            );
        }
        return;
    }
    let last = last.map(|line| line.to_str().unwrap_or_default());
    let last = last.and_then(|line| line.rsplit(',').next());
    // An operator or a monitor on the proxy's machine asks for these without the proxy.
    let is_check = ["/healthz", "/readyz"].contains(&request.uri().path());
    if last.and_then(parse_address).is_none() && !is_check && SILENT.is_due() {
        tracing::warn!(
            "the trusted proxy {peer} sends no address in {name}, so limits by address cannot tell its clients apart; let it \
             send their addresses, or name the header that has them in CLIENT_ADDRESS_HEADER"
        );
    }
}

/// Something that happens once an hour at most.
struct Hourly(Mutex<Option<Instant>>);

impl Hourly {
    fn is_due(&self) -> bool {
        let mut last = self.0.lock();
        let is_due = last.is_none_or(|at| at.elapsed() >= HOUR);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

/// An address, which may have a port: `192.0.2.7:1`, `[2001:db8::7]:1`, `[2001:db8::7]`.
fn parse_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let with_port = || Some(text.parse::<SocketAddr>().ok()?.ip());
    let address: Option<IpAddr> = text.trim_matches(['[', ']']).parse().ok();
    Some(address.or_else(with_port)?.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};
    use clap::Parser;

    #[derive(Parser)]
    struct Settings {
        #[command(flatten)]
        proxies: ProxyConfig,
    }

    fn address_of(arguments: &[&str], peer: &str, lines: &[&str]) -> Option<String> {
        let all = std::iter::once("server").chain(arguments.iter().copied());
        let proxies = Settings::parse_from(all).proxies;
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(": ").expect("a header");
            let name: HeaderName = name.parse().expect("a name");
            headers.append(name, HeaderValue::from_str(value).expect("a value"));
        }
        let peer = peer.parse().expect("an address");
        client(&proxies, peer, &headers).map(|address| address.to_string())
    }

    #[test]
    fn the_other_end_of_the_connection_counts() {
        for (peer, address) in [
            ("192.0.2.7", "192.0.2.7"),
            ("2001:db8::7", "2001:db8::7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
        ] {
            let claim = ["x-forwarded-for: 198.51.100.1"];
            assert_eq!(address_of(&[], peer, &claim).as_deref(), Some(address));
        }
        for here in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(
                address_of(&[], here, &["x-forwarded-for: 198.51.100.1"]),
                None
            );
        }
    }

    #[test]
    fn a_trusted_proxy_says_who_connected_to_it() {
        let behind = ["--trusted-proxies=127.0.0.1,10.0.0.0/8"];
        for (lines, address) in [
            (&["x-forwarded-for: 192.0.2.7"][..], Some("192.0.2.7")),
            // What the client sent stands before what the proxy added.
            (
                &["x-forwarded-for: 198.51.100.1, 192.0.2.7"],
                Some("192.0.2.7"),
            ),
            (
                &[
                    "x-forwarded-for: 198.51.100.1",
                    "x-forwarded-for: 192.0.2.7",
                ],
                Some("192.0.2.7"),
            ),
            (&["x-forwarded-for: nonsense, 192.0.2.7"], Some("192.0.2.7")),
            // Two proxies, one behind the other.
            (&["x-forwarded-for: 192.0.2.7, 10.1.2.3"], Some("192.0.2.7")),
            (
                &["x-forwarded-for: 198.51.100.1, 192.0.2.7, 10.1.2.3"],
                Some("192.0.2.7"),
            ),
            (&["x-forwarded-for: 192.0.2.7:4711"], Some("192.0.2.7")),
            (&["x-forwarded-for: ::ffff:192.0.2.7"], Some("192.0.2.7")),
            (
                &["x-forwarded-for: [2001:db8::7]:4711"],
                Some("2001:db8::7"),
            ),
            // A client that claims to be a proxy gains nothing.
            (
                &["x-forwarded-for: 127.0.0.1, 192.0.2.7"],
                Some("192.0.2.7"),
            ),
            // No header names the client.
            (&[], None),
            // Nothing that can be read: the nearest known hop.
            (&["x-forwarded-for: "], Some("127.0.0.1")),
            (&["x-forwarded-for: unknown"], Some("127.0.0.1")),
            (&["x-forwarded-for: 192.0.2.7, \u{e9}"], Some("127.0.0.1")),
            (&["x-forwarded-for: nonsense, 10.1.2.3"], Some("10.1.2.3")),
            (&["x-real-ip: 192.0.2.7"], None),
        ] {
            assert_eq!(address_of(&behind, "127.0.0.1", lines).as_deref(), address);
        }
        // A client that reaches the server past the proxy.
        let claim = ["x-forwarded-for: 198.51.100.1"];
        assert_eq!(
            address_of(&behind, "192.0.2.9", &claim).as_deref(),
            Some("192.0.2.9")
        );
    }

    #[test]
    fn a_header_with_a_single_address_will_do() {
        let single = ["--trusted-proxies=::1", "--client-address-header=x-real-ip"];
        assert_eq!(
            address_of(&single, "::1", &["x-real-ip: 2001:db8::7"]).as_deref(),
            Some("2001:db8::7")
        );
    }
}
