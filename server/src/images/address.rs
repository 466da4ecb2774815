//! Which addresses a picture may be fetched from: those of the providers that people sign in with.

use url::{Host, Origin, Url};

/// The providers' picture hosts; Google's numbered ones are in [`is_google`].
const HOSTS: [&str; 3] = [
    "pbs.twimg.com",
    "abs.twimg.com",
    "avatars.githubusercontent.com",
];

/// No provider's addresses come near it.
const MAX_LENGTH: usize = 2048;

/// The list of what may be fetched.
#[derive(Clone, Debug, Default)]
pub(super) struct Hosts {
    /// Origins of this machine, in development alone (`AVATAR_HOSTS`).
    extra: Vec<Origin>,
}

impl Hosts {
    /// The providers' hosts and, in development, some more.
    #[must_use]
    pub(super) fn new(extra: &[Url]) -> Self {
        Self {
            extra: extra.iter().map(Url::origin).collect(),
        }
    }

    /// The address to fetch for what a provider said, or none when it is not on the list. It asks for the larger
    /// picture where the provider tells a small one.
    #[must_use]
    pub(super) fn allowed(&self, address: &str) -> Option<Url> {
        if address.len() > MAX_LENGTH {
            return None;
        }
        let mut url = Url::parse(address).ok()?;
        if !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        url.set_fragment(None);
        if self.extra.contains(&url.origin()) {
            return Some(larger(url));
        }
        // The host as the parser reads it, which is the one that will be connected to.
        let Some(Host::Domain(host)) = url.host() else {
            return None;
        };
        let listed = HOSTS.contains(&host) || is_google(host);
        let usual = url.scheme() == "https" && url.port().is_none();
        (listed && usual).then(|| larger(url))
    }
}

/// `lh3.googleusercontent.com` and its siblings with another digit.
fn is_google(host: &str) -> bool {
    host.strip_prefix("lh")
        .and_then(|rest| rest.strip_suffix(".googleusercontent.com"))
        .is_some_and(|digit| digit.len() == 1 && digit.as_bytes()[0].is_ascii_digit())
}

/// X tells the address of a picture of 48 pixels, `name_normal.jpg`, and has `name_400x400.jpg` beside it; Google's end
/// in `=s96-c`, where the number is the side.
fn larger(mut url: Url) -> Url {
    let path = url.path();
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
    let dot = if extension.is_empty() { "" } else { "." };
    let changed = if let Some(name) = stem.strip_suffix("_normal") {
        Some(format!("{folder}/{name}_400x400{dot}{extension}"))
    } else if let Some((name, "s96-c")) = file.rsplit_once('=') {
        Some(format!("{folder}/{name}=s400-c"))
    } else {
        None
    };
    if let Some(path) = changed {
        url.set_path(&path);
    }
    url
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
