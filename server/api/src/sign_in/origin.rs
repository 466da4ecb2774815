//! This site's origins, the origin of a request, and the addresses where a sign-in may end.

use url::Url;

use super::error::SignInError;
use crate::config::Config;

/// The page that exchanges codes for sessions.
const CALLBACK: &str = "/auth/callback";

/// This site's origins, as the `Origin` header spells them (RFC 6454, section 6.2), and the addresses of other apps where a
/// sign-in may end.
#[derive(Clone, Debug)]
pub struct Origins {
    own: Vec<String>,
    others: Vec<String>,
}

/// Where a sign-in ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The address, which has no query.
    pub address: String,
    /// Whether it is our own page, whose sessions are in cookie mode (decisions, D9).
    pub own: bool,
}

/// The sender of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A page of our own origin.
    OwnPage,
    /// A page of another origin, or one that hides its origin.
    ForeignPage,
    /// Not a browser: a browser sends `Origin` with every POST, or at least `Sec-Fetch-Site`.
    Program,
}

impl Origins {
    /// The configured origin, and in development also the other names of the loopback address.
    pub(super) fn new(config: &Config) -> Self {
        let origin = config.origin();
        let mut origins = vec![origin.clone()];
        if config.development() {
            let aliases = ["127.0.0.1", "localhost"].map(|name| with_host(&origin, name));
            origins.extend(aliases.into_iter().flatten());
            origins.dedup();
        }
        Self {
            own: origins,
            others: config.sign_in.redirects().cloned().collect(),
        }
    }

    /// Whether an `Origin` header names this site.
    pub fn is_own(&self, origin: &str) -> bool {
        self.own.iter().any(|own| own == origin)
    }

    /// The origins of other apps where a sign-in may end.
    pub fn others(&self) -> impl Iterator<Item = String> {
        let addresses = self.others.iter().map(|address| Url::parse(address));
        addresses
            .flatten()
            .map(|url| url.origin().ascii_serialization())
    }

    /// Where a sign-in ends: exactly one of the addresses on the list (RFC 9700, section 2.1), by default the callback page of the
    /// configured origin.
    ///
    /// # Errors
    /// When `requested` is not on the list. The server never redirects there.
    pub fn target(&self, requested: Option<&str>) -> Result<Target, SignInError> {
        let own = self.own.iter().map(|origin| Target {
            address: format!("{origin}{CALLBACK}"),
            own: true,
        });
        let others = self.others.iter().map(|address| Target {
            address: address.clone(),
            own: false,
        });
        let mut allowed = own.chain(others);
        match requested {
            None => allowed.next(),
            Some(requested) => allowed.find(|target| target.address == requested),
        }
        .ok_or(SignInError::NotOnTheList)
    }
}

/// The origin with another host name.
fn with_host(origin: &str, name: &str) -> Option<String> {
    let mut url = Url::parse(origin).ok()?;
    url.set_host(Some(name)).ok()?;
    Some(url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn origins(arguments: &[&str]) -> Origins {
        let arguments = std::iter::once("server").chain(arguments.iter().copied());
        Origins::new(&Config::parse_from(arguments))
    }

    fn production() -> Origins {
        origins(&[
            "--app-env=production",
            "--public-url=https://reserves.example",
        ])
    }

    #[test]
    fn a_sign_in_ends_on_the_callback_page_and_nowhere_else() {
        let origins = production();
        let own = "https://reserves.example/auth/callback";
        for requested in [None, Some(own)] {
            let target = origins.target(requested).unwrap();
            assert_eq!((target.address.as_str(), target.own), (own, true));
        }
        for foreign in [
            "",
            "/auth/callback",
            "https://reserves.example",
            "https://reserves.example/",
            "https://reserves.example/auth/callback/",
            "https://reserves.example/auth/callback?next=//evil.example",
            "https://reserves.example/auth/callback#x",
            "https://reserves.example/auth/callback/../../elsewhere",
            "https://reserves.example:443/auth/callback",
            "https://RESERVES.example/auth/callback",
            "http://reserves.example/auth/callback",
            "https://reserves.example.evil.example/auth/callback",
            "https://reserves.example@evil.example/auth/callback",
            "https://evil.example/auth/callback",
            "//evil.example/auth/callback",
            "https:reserves.example/auth/callback",
            "javascript:alert(1)",
            " https://reserves.example/auth/callback",
            "http://localhost/auth/callback",
        ] {
            assert!(origins.target(Some(foreign)).is_err(), "{foreign}");
        }
    }

    #[test]
    fn redirect_addresses_are_compared_exactly() {
        let origins = origins(&[
            "--public-url=https://reserves.example",
            "--redirect-urls=https://app.example/done",
        ]);
        let target = origins.target(Some("https://app.example/done"));
        assert_eq!(target.map(|it| it.own).ok(), Some(false));
        for foreign in [
            "https://app.example/done/",
            "https://app.example/",
            "https://app.example/done?x",
        ] {
            assert!(origins.target(Some(foreign)).is_err(), "{foreign}");
        }
        // An allowed origin is still not one of our own pages.
        assert!(!origins.is_own("https://app.example"));
    }

    #[test]
    fn development_knows_both_names_of_loopback_on_its_own_port() {
        let origins = origins(&["--app-env=development", "--listen=127.0.0.1:8123"]);
        for own in ["http://127.0.0.1:8123", "http://localhost:8123"] {
            assert!(
                origins
                    .target(Some(&format!("{own}/auth/callback")))
                    .is_ok()
            );
        }
        assert!(
            origins
                .target(Some("http://localhost:9999/auth/callback"))
                .is_err()
        );
    }
}
