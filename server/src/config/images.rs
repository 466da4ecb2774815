//! Where pictures of people may come from, beside the providers' own hosts.

use url::{Host, Url};

use super::{Config, ConfigError};

impl Config {
    /// The host that people know this server by, with its port if it is an unusual one.
    #[must_use]
    pub fn host(&self) -> String {
        let origin = self.origin();
        origin
            .split_once("://")
            .map_or(origin.clone(), |(_, host)| host.to_owned())
    }

    /// Refuses to fetch from more hosts than the providers' in production, and from anywhere but this machine in
    /// development: whoever can name such a host could make the server call it.
    pub(super) fn validate_avatar_hosts(&self) -> Result<(), ConfigError> {
        let own = |url: &Url| match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            _ => false,
        };
        if self.avatar_hosts.is_empty() || (self.development() && self.avatar_hosts.iter().all(own))
        {
            Ok(())
        } else {
            Err(ConfigError::AvatarHosts)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn other_hosts_are_for_development_and_for_this_machine() {
        let config = |arguments: &[&str]| {
            Config::parse_from(std::iter::once("server").chain(arguments.iter().copied()))
        };
        let own = "--avatar-hosts=http://127.0.0.1:9000,http://[::1]:9000";
        let development = config(&["--app-env=development", own]);
        assert_eq!(development.validate(), Ok(()));
        let refused = Err(ConfigError::AvatarHosts);
        for elsewhere in [
            "http://192.168.1.1",
            "http://localhost:80",
            "https://a.example",
        ] {
            let hosts = format!("--avatar-hosts={elsewhere}");
            let config = config(&["--app-env=development", &hosts]);
            assert_eq!(config.validate(), refused, "{elsewhere}");
        }
        let production = [
            "--chain=bitcoind:http://u:p@127.0.0.1:8332",
            "--public-url=https://reserves.example",
            own,
        ];
        assert_eq!(config(&production).validate(), refused);
    }
}
