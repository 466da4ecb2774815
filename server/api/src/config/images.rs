//! Where pictures of people may come from, beside the providers' own hosts.

use clap::Args;
use url::{Host, Url};

use super::error::ConfigError;

#[derive(Clone, Debug, Args)]
pub struct ImagesConfig {
    /// Origins on this machine that pictures of people may come from, beside the providers' own hosts: for trying
    /// things out, development only.
    #[arg(long, env = "AVATAR_HOSTS", value_delimiter = ',')]
    pub avatar_hosts: Vec<Url>,
}

impl ImagesConfig {
    /// Refuses to fetch from more hosts than the providers' in production, and from anywhere but this machine in
    /// development: whoever can name such a host could make the server call it.
    pub(super) fn validate(&self, development: bool) -> Result<(), ConfigError> {
        let own = |url: &Url| match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            _ => false,
        };
        if self.avatar_hosts.is_empty() || (development && self.avatar_hosts.iter().all(own)) {
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

    #[derive(Parser)]
    struct Settings {
        #[command(flatten)]
        images: ImagesConfig,
    }

    fn validated(development: bool, hosts: &str) -> Result<(), ConfigError> {
        let hosts = format!("--avatar-hosts={hosts}");
        let settings = Settings::parse_from(["server", &hosts]);
        settings.images.validate(development)
    }

    #[test]
    fn other_hosts_are_for_development_and_for_this_machine() {
        let own = "http://127.0.0.1:9000,http://[::1]:9000";
        assert_eq!(validated(true, own), Ok(()));
        let refused = Err(ConfigError::AvatarHosts);
        for elsewhere in [
            "http://192.168.1.1",
            "http://localhost:80",
            "https://a.example",
        ] {
            assert_eq!(validated(true, elsewhere), refused, "{elsewhere}");
        }
        assert_eq!(validated(false, own), refused);
    }
}
