//! Which reverse proxies are believed about who is at the other end.

use std::net::IpAddr;
use std::str::FromStr;

use clap::Args;
use ipnet::IpNet;
use reqwest::header::HeaderName;

use super::error::ConfigError;

/// What stands in front of the server.
#[derive(Clone, Debug, Args)]
pub struct ProxyConfig {
    /// The reverse proxies in front of the server, addresses or networks (`127.0.0.1,10.0.0.0/8`) divided by
    /// commas. Only they are believed about who sent a request. Without any, whoever connects is the client.
    #[arg(long, env = "TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<TrustedProxy>,

    /// The header in which they pass the client's address on: `x-forwarded-for`, `forwarded` (RFC 7239), or one
    /// with a single address, such as `x-real-ip`.
    #[arg(long, env = "CLIENT_ADDRESS_HEADER", default_value = "x-forwarded-for")]
    pub client_address_header: HeaderName,
}

impl ProxyConfig {
    /// Whether this is the address of a proxy that is believed.
    #[must_use]
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|proxy| proxy.is(address))
    }
}

/// One address or network of proxies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

/// Why an entry of `TRUSTED_PROXIES` cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrustedProxyError {
    /// Neither.
    #[error("neither an address nor a network such as 10.0.0.0/8")]
    NoNetwork,
    /// Anybody could claim to be anybody.
    #[error("a network that holds every address; name the proxies alone")]
    Everybody,
}

impl FromStr for TrustedProxy {
    type Err = TrustedProxyError;

    fn from_str(text: &str) -> Result<Self, TrustedProxyError> {
        let text = text.trim();
        let address = || text.parse::<IpAddr>().map(IpNet::from);
        let network = text.parse().or_else(|_| address());
        let network = network.map_err(|_| TrustedProxyError::NoNetwork)?;
        if network.prefix_len() == 0 {
            return Err(TrustedProxyError::Everybody);
        }
        Ok(Self(network))
    }
}

impl ProxyConfig {
    /// Refuses networks that hold every address only together.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        let networks: Vec<IpNet> = self.trusted_proxies.iter().map(|proxy| proxy.0).collect();
        let together = IpNet::aggregate(&networks);
        if together.iter().any(|network| network.prefix_len() == 0) {
            return Err(ConfigError::EverybodyTrusted);
        }
        Ok(())
    }
}

impl TrustedProxy {
    /// Whether this address is meant.
    #[must_use]
    pub fn is(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_addresses_and_networks() {
        let proxy = |text: &str| text.parse::<TrustedProxy>();
        let here: IpAddr = "127.0.0.1".parse().unwrap();
        assert!(proxy("127.0.0.1").unwrap().is(here));
        assert!(proxy(" 127.0.0.0/8").unwrap().is(here));
        assert!(!proxy("10.0.0.0/8").unwrap().is(here));
        assert!(!proxy("::1").unwrap().is(here));
        assert_eq!(proxy("0.0.0.0/0"), Err(TrustedProxyError::Everybody));
        assert_eq!(proxy("::/0"), Err(TrustedProxyError::Everybody));
        assert_eq!(proxy("proxy.example"), Err(TrustedProxyError::NoNetwork));
    }

    #[test]
    fn not_everybody_is_a_proxy() {
        for (networks, refused) in [
            ("0.0.0.0/1,128.0.0.0/1", true),
            ("10.0.0.0/8,::/1,8000::/2,c000::/2", true),
            ("10.0.0.0/8,0.0.0.0/1,::1", false),
            ("127.0.0.1", false),
        ] {
            let config = ProxyConfig {
                trusted_proxies: networks.split(',').map(|it| it.parse().unwrap()).collect(),
                client_address_header: HeaderName::from_static("x-forwarded-for"),
            };
            let expected = if refused {
                Err(ConfigError::EverybodyTrusted)
            } else {
                Ok(())
            };
            assert_eq!(config.validate(), expected, "{networks}");
        }
    }
}
