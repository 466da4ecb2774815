//! Addresses of Electrum servers.

use url::Url;

use crate::address::{SourceUrlError, bare_host, host_and_port, is_loopback};

/// Host, port, and whether to use TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) tls: bool,
    shown: String,
}

impl Address {
    /// Parses `ssl://host:port` or `tcp://host:port`.
    pub(super) fn parse(text: &str) -> Result<Self, SourceUrlError> {
        let url = Url::parse(text.trim()).map_err(|_| SourceUrlError::NotAUrl)?;
        let host = bare_host(&url);
        let plain = url.username().is_empty()
            && url.password().is_none()
            && matches!(url.path(), "" | "/")
            && url.query().is_none()
            && url.fragment().is_none();
        let tls = match url.scheme() {
            "ssl" => true,
            "tcp" => false,
            _ => return Err(SourceUrlError::Electrum),
        };
        let port = url.port().filter(|_| plain && !host.is_empty());
        let port = port.ok_or(SourceUrlError::Electrum)?;
        if !tls && !is_loopback(&url) {
            return Err(SourceUrlError::PlainTcp);
        }
        Ok(Self {
            host: host.to_owned(),
            port,
            tls,
            shown: host_and_port(&url),
        })
    }

    /// Host and port, for messages.
    pub(super) fn as_str(&self) -> &str {
        &self.shown
    }
}
