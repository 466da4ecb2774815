//! The reverse proxies in front of the server.

use std::net::IpAddr;

use clap::Args;
use ipnet::IpNet;
use reqwest::header::HeaderName;

use super::checks::{ConfigError, require};

#[derive(Clone, Debug, Args)]
pub struct ProxyConfig {
    /// The reverse proxies in front of the server, addresses or networks (`127.0.0.1,10.0.0.0/8`) separated by
    /// commas. Only their header is trusted for the client's address. Without any, the peer of the connection is the client.
    #[arg(long, env = "TRUSTED_PROXIES", value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<IpNet>,

    /// The header in which they send the client's address: `x-forwarded-for`, or one with a single address, such as `x-real-ip`.
    #[arg(long, env = "CLIENT_ADDRESS_HEADER", default_value = "x-forwarded-for")]
    pub client_address_header: HeaderName,
}

fn network(text: &str) -> Result<IpNet, &'static str> {
    let text = text.trim();
    let network = text
        .parse()
        .or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    network.map_err(|_| "neither an address nor a network such as 10.0.0.0/8")
}

impl ProxyConfig {
    /// Whether this is the address of a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.trusted_proxies
            .iter()
            .any(|proxy| proxy.contains(&address))
    }

    /// Refuses networks that together cover every address.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        let together = IpNet::aggregate(&self.trusted_proxies);
        require(
            together.iter().all(|network| network.prefix_len() > 0),
            "TRUSTED_PROXIES covers every address, so any client could spoof its IP; list only your proxies",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_addresses_and_networks_but_not_every_address() {
        for (text, fits) in [
            ("127.0.0.1", Ok(true)),
            (" 127.0.0.0/8", Ok(true)),
            ("10.0.0.0/8", Ok(true)),
            ("10.0.0.0/8,0.0.0.0/1,::1", Ok(true)),
            ("0.0.0.0/0", Ok(false)),
            ("::/0", Ok(false)),
            ("0.0.0.0/1,128.0.0.0/1", Ok(false)),
            ("10.0.0.0/8,::/1,8000::/2,c000::/2", Ok(false)),
            ("proxy.example", Err(())),
        ] {
            let networks: Result<Vec<_>, _> = text.split(',').map(network).collect();
            let checked = networks.map_err(drop).map(|trusted_proxies| {
                let client_address_header = HeaderName::from_static("x-forwarded-for");
                let config = ProxyConfig {
                    trusted_proxies,
                    client_address_header,
                };
                config.validate().is_ok()
            });
            assert_eq!(checked, fits, "{text}");
        }
    }
}
