//! The addresses from which pictures may be fetched: those of the sign-in providers.

use url::{Host, Origin, Url};

use crate::providers::ALL;

/// The longest address, in bytes. Real ones are much shorter.
const MAX_LENGTH: usize = 2048;

/// The list of allowed hosts.
#[derive(Clone, Debug, Default)]
pub(super) struct Hosts {
    /// Origins on this machine, only in development (`AVATAR_HOSTS`).
    extra: Vec<Origin>,
}

impl Hosts {
    pub(super) fn new(extra: &[Url]) -> Self {
        Self {
            extra: extra.iter().map(Url::origin).collect(),
        }
    }

    /// The address to fetch for the one in a provider's claims; none when it is not on the list. Where the claims name a small
    /// picture, it is the address of the larger one.
    pub(super) fn allowed(&self, address: &str) -> Option<Url> {
        if address.len() > MAX_LENGTH {
            return None;
        }
        let mut url = Url::parse(address).ok()?;
        if !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        url.set_fragment(None);
        let mut all = ALL.iter().filter_map(|provider| provider.pictures.as_ref());
        let larger = if self.extra.contains(&url.origin()) {
            all.find_map(|pictures| (pictures.larger)(url.path()))
        } else {
            // The host as the HTTP client parses it too.
            let Some(Host::Domain(host)) = url.host() else {
                return None;
            };
            let pictures = all.find(|pictures| (pictures.host)(host))?;
            if url.scheme() != "https" || url.port().is_some() {
                return None;
            }
            (pictures.larger)(url.path())
        };
        if let Some(path) = larger {
            url.set_path(&path);
        }
        Some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_pictures_are_asked_for_in_a_useful_size() {
        let hosts = Hosts::default();
        for (told, fetched) in [
            (
                "https://pbs.twimg.com/profile_images/1/a_normal.jpg",
                "https://pbs.twimg.com/profile_images/1/a_400x400.jpg",
            ),
            (
                "https://pbs.twimg.com/profile_images/1/a_normal",
                "https://pbs.twimg.com/profile_images/1/a_400x400",
            ),
            (
                "https://abs.twimg.com/sticky/default_profile_images/default_profile_normal.png",
                "https://abs.twimg.com/sticky/default_profile_images/default_profile_400x400.png",
            ),
            (
                "https://pbs.twimg.com/profile_images/1/a_normal_normal.jpg",
                "https://pbs.twimg.com/profile_images/1/a_normal_400x400.jpg",
            ),
            (
                "https://pbs.twimg.com/a_normal/b.jpg",
                "https://pbs.twimg.com/a_normal/b.jpg",
            ),
            (
                "https://lh3.googleusercontent.com/a/AbC=s96-c",
                "https://lh3.googleusercontent.com/a/AbC=s400-c",
            ),
            (
                "https://lh6.googleusercontent.com/a/AbC",
                "https://lh6.googleusercontent.com/a/AbC",
            ),
            (
                "https://avatars.githubusercontent.com/u/1?v=4#top",
                "https://avatars.githubusercontent.com/u/1?v=4",
            ),
            (
                "HTTPS://PBS.TWIMG.COM:443/a.jpg",
                "https://pbs.twimg.com/a.jpg",
            ),
        ] {
            let url = hosts.allowed(told).map(String::from);
            assert_eq!(url.as_deref(), Some(fetched));
        }
    }

    #[test]
    fn extra_hosts_are_whole_origins() {
        let hosts = Hosts::new(&[Url::parse("http://127.0.0.1:9000").unwrap()]);
        assert!(hosts.allowed("http://127.0.0.1:9000/a.png").is_some());
        for other in [
            "http://127.0.0.1:9001/a.png",
            "https://127.0.0.1:9000/a.png",
            "http://user@127.0.0.1:9000/a.png",
            "http://127.0.0.2:9000/a.png",
        ] {
            assert_eq!(hosts.allowed(other), None, "{other}");
        }
    }
}
