//! Addresses of chain sources: which are safe to use, and which part is safe to show.

use std::net::IpAddr;

use url::{Position, Url};

/// Why the address of a source is refused. Never repeats the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceUrlError {
    /// Not an absolute URL with a host.
    #[error("the address of the chain source is not a URL")]
    NotAUrl,
    /// Neither `http` nor `https`.
    #[error("the address of the chain source must begin with http:// or https://")]
    Scheme,
    /// Plain `http` to another machine: anyone on the way could change the answers.
    #[error(
        "the address of the chain source must begin with https:// unless it is on this machine"
    )]
    PlainHttp,
    /// Plain `http` to another machine with a password: anyone on the way could read it.
    #[error(
        "the address of a node with a password must begin with https:// unless it is on this machine: anyone on the way could \
         read the password and change the answers; use a TLS proxy before the node, or forward its port to this machine with ssh -L"
    )]
    PlainPassword,
}

/// Parses the address of a source that speaks HTTP.
pub(super) fn source_url(text: &str) -> Result<Url, SourceUrlError> {
    let url = Url::parse(text.trim()).map_err(|_| SourceUrlError::NotAUrl)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(SourceUrlError::Scheme);
    }
    Ok(url)
}

/// Host and port, the part of an address that is safe to show.
pub(super) fn host_and_port(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

/// Whether the host is this machine.
pub fn is_loopback(url: &Url) -> bool {
    let host = bare_host(url);
    host == "localhost"
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// The host without the brackets that an IPv6 address has in a URL.
pub(super) fn bare_host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.trim_start_matches('[').trim_end_matches(']')
}
