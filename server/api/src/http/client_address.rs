//! The address of the client: the one place that decides it. `axum-client-ip` reads the last address of a header alone, from any peer;
//! it knows no list of trusted proxies, of which there may be several in a row.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Once};

use axum::extract::{ConnectInfo, FromRef, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use crate::config::{Config, ProxyConfig};

/// The address of the client, when it is known. An address of this very machine is a reverse proxy's that nobody
/// has set up to be believed, or a developer's, and says nothing about who is asking.
///
/// What a header says is believed only of proxies in `TRUSTED_PROXIES`. Where one of these says something that is no
/// address (`unknown`, RFC 7239, section 6.2), whoever that is counts as the proxy: limits are for them too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub Option<IpAddr>);

impl<S: Sync> FromRequestParts<S> for ClientAddress
where
    Arc<ProxyConfig>: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let proxies = Arc::<ProxyConfig>::from_ref(state);
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Self(peer.and_then(|ConnectInfo(peer)| {
            client(&proxies, peer.ip(), &parts.headers)
        })))
    }
}

/// Says so when nobody's address will be known: in production, behind a proxy on this machine that is not trusted.
pub fn warn_of_unknown(config: &Config) {
    let behind_a_proxy = !config.development() && config.listen.ip().is_loopback();
    if behind_a_proxy && config.proxies.trusted_proxies.is_empty() {
        tracing::warn!(
            "TRUSTED_PROXIES is not set, so everybody seems to come from this machine, and limits by address do not apply"
        );
    }
}

/// A trusted proxy has sent no address. That is logged once: it may be so for every request.
static SILENT: Once = Once::new();

/// The peer of the connection; or, when that is a trusted proxy, the peer that it names, and so on. Each
/// proxy adds its own peer at the end of the header, so that is where reading begins: what comes
/// before the first address that is no trusted proxy's, the client may have made up.
fn client(proxies: &ProxyConfig, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
    let peer = peer.to_canonical();
    let (mut known, mut said) = (peer, forwarded(proxies, headers));
    while proxies.trusts(known) {
        match said.next() {
            Some(Some(address)) => known = address,
            Some(None) => {
                warn_of_silence(proxies, known);
                return Some(known);
            }
            None => {
                if known == peer {
                    warn_of_silence(proxies, known);
                }
                break;
            }
        }
    }
    Some(known).filter(|address| !address.is_loopback())
}

fn warn_of_silence(proxies: &ProxyConfig, proxy: IpAddr) {
    let name = &proxies.client_address_header;
    SILENT.call_once(|| {
        tracing::warn!(
            "the trusted proxy {proxy} sends no address in {name}, so limits by address cannot tell its clients apart; let it \
             send their addresses, or name the header that has them in CLIENT_ADDRESS_HEADER"
        );
    });
}

/// The addresses in the header, the last one first; none where there is no address.
fn forwarded<'a>(
    proxies: &'a ProxyConfig,
    headers: &'a HeaderMap,
) -> impl Iterator<Item = Option<IpAddr>> + use<'a> {
    let name = &proxies.client_address_header;
    let lines: Vec<_> = headers.get_all(name).iter().collect();
    let standard = *name == header::FORWARDED;
    lines
        .into_iter()
        .rev()
        .flat_map(|line| line.to_str().unwrap_or_default().rsplit(','))
        .map(move |element| {
            let node = if standard { node(element)? } else { element };
            address(node.trim())
        })
}

/// The `for` of an element of `Forwarded` (RFC 7239, section 4). No node has a comma in it, so
/// what a client puts between quotes cannot swallow what a proxy has added.
fn node(element: &str) -> Option<&str> {
    let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let mut nodes = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    nodes
        .next()
        .map(|(_, value)| value.trim().trim_matches('"'))
}

/// An address, which may have a port: `192.0.2.7:1`, `[2001:db8::7]:1`, `[2001:db8::7]`.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    let address = bare.unwrap_or(text).parse().or_else(|_| with_port());
    address.ok().map(|address: IpAddr| address.to_canonical())
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

    fn seen(arguments: &[&str], peer: &str, lines: &[&str]) -> Option<String> {
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
            let claim = [
                "x-forwarded-for: 198.51.100.1",
                "forwarded: for=198.51.100.1",
            ];
            assert_eq!(seen(&[], peer, &claim).as_deref(), Some(address));
        }
        for here in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(seen(&[], here, &["x-forwarded-for: 198.51.100.1"]), None);
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
            // A client that claims to be a proxy gains nothing.
            (
                &["x-forwarded-for: 127.0.0.1, 192.0.2.7"],
                Some("192.0.2.7"),
            ),
            // Nobody said.
            (&[], None),
            // Nothing that can be read: the nearest known hop.
            (&["x-forwarded-for: "], Some("127.0.0.1")),
            (&["x-forwarded-for: unknown"], Some("127.0.0.1")),
            (&["x-forwarded-for: 192.0.2.7, \u{e9}"], Some("127.0.0.1")),
            (&["x-forwarded-for: nonsense, 10.1.2.3"], Some("10.1.2.3")),
            (&["forwarded: for=192.0.2.7"], None),
        ] {
            assert_eq!(seen(&behind, "127.0.0.1", lines).as_deref(), address);
        }
        // Somebody who reaches the server past the proxy.
        let claim = ["x-forwarded-for: 198.51.100.1"];
        assert_eq!(
            seen(&behind, "192.0.2.9", &claim).as_deref(),
            Some("192.0.2.9")
        );
    }

    #[test]
    fn the_standard_header_and_single_ones() {
        let standard = [
            "--trusted-proxies=127.0.0.1",
            "--client-address-header=Forwarded",
        ];
        for (value, address) in [
            ("for=192.0.2.7", "192.0.2.7"),
            (
                "proto=https;For=\"192.0.2.7:4711\";by=10.0.0.1",
                "192.0.2.7",
            ),
            ("for=\"[2001:db8::7]:4711\"", "2001:db8::7"),
            ("for=198.51.100.1, for=192.0.2.7;proto=https", "192.0.2.7"),
            // A quote that the client never closes.
            ("for=\"198.51.100.1, for=192.0.2.7", "192.0.2.7"),
        ] {
            let line = format!("forwarded: {value}");
            assert_eq!(
                seen(&standard, "127.0.0.1", &[&line]).as_deref(),
                Some(address)
            );
        }
        for nobody in ["for=unknown", "for=_hidden", "proto=https"] {
            let line = format!("forwarded: {nobody}");
            let address = seen(&standard, "127.0.0.1", &[&line]);
            assert_eq!(address.as_deref(), Some("127.0.0.1"), "{nobody}");
        }
        let single = ["--trusted-proxies=::1", "--client-address-header=x-real-ip"];
        assert_eq!(
            seen(&single, "::1", &["x-real-ip: 2001:db8::7"]).as_deref(),
            Some("2001:db8::7")
        );
    }
}
