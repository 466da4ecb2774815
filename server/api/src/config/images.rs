//! Further hosts of profile pictures.

use clap::Args;
use url::Url;

use super::error::{ConfigError, require};
use super::transport::is_loopback;

#[derive(Clone, Debug, Args)]
pub struct ImagesConfig {
    /// Origins on this machine from which profile pictures may be fetched, in addition to the providers' hosts. Development
    /// only.
    #[arg(long, env = "AVATAR_HOSTS", value_delimiter = ',')]
    pub avatar_hosts: Vec<Url>,
}

impl ImagesConfig {
    /// Accepts only loopback addresses, and only in development, because the server fetches from these hosts.
    pub(super) fn validate(&self, development: bool) -> Result<(), ConfigError> {
        let is_here = |url: &Url| is_loopback(url) && url.domain().is_none();
        require(
            self.avatar_hosts.is_empty() || (development && self.avatar_hosts.iter().all(is_here)),
            "AVATAR_HOSTS is only for APP_ENV=development, and only for numbered addresses of this machine",
        )
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
        for (development, hosts) in [
            (false, own),
            (true, "http://192.168.1.1"),
            (true, "http://localhost:80"),
            (true, "https://a.example"),
        ] {
            assert!(validated(development, hosts).is_err(), "{hosts}");
        }
    }
}
