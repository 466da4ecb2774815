//! Who may say who somebody is: X, Google and GitHub, and in development a mock (decisions, D11).

use uuid::Uuid;

use crate::config::{Config, SignInConfigError};
use crate::error::Error;
use crate::store::profiles::Identity;

mod client;
mod http;
mod kind;
mod person;

pub use client::{Leg, Provider};
pub use kind::Kind;

/// The providers that are on.
#[derive(Debug)]
pub struct Providers {
    development: bool,
    set_up: Vec<Provider>,
}

/// Where a sign-in goes on.
#[derive(Debug)]
pub enum Choice<'a> {
    /// Here and now: the mock makes up a new person each time.
    Mock(Identity),
    /// On the provider's own page.
    Elsewhere(&'a Provider),
}

impl Providers {
    /// Those of the settings.
    ///
    /// # Errors
    /// When one is set up by half, or its address cannot be used.
    pub fn new(config: &Config, http: &reqwest::Client) -> Result<Self, SignInConfigError> {
        let origin = config.origin();
        let settings = config.sign_in.providers()?;
        let set_up = settings
            .into_iter()
            .map(|settings| Provider::new(settings, &origin, http.clone()))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            development: config.development(),
            set_up,
        })
    }

    /// The provider of this name.
    ///
    /// # Errors
    /// When it is unknown, or not on in this mode. The sentences are the specification's.
    pub fn choose(&self, name: &str) -> Result<Choice<'_>, Error> {
        match (name, Kind::named(name)) {
            ("mock", _) if self.development => Ok(Choice::Mock(somebody_new())),
            ("mock", _) => Err(disabled(
                "Mock login is only available in development mode.".to_owned(),
            )),
            (_, Some(_)) if self.development => Err(disabled(format!(
                "OAuth login ({name}) is disabled in development mode. Use mock login."
            ))),
            (_, Some(kind)) => self.find(kind).map(Choice::Elsewhere).ok_or_else(|| {
                disabled(format!("Sign-in with {name} is not set up on this server."))
            }),
            (_, None) => Err(Error::bad_request(
                "oauth-provider-not-supported",
                // It goes into an address, which should not grow at a stranger's will.
                format!(
                    "Unsupported provider: {}",
                    name.chars().take(64).collect::<String>()
                ),
            )),
        }
    }

    /// The provider of this kind, when it is set up.
    #[must_use]
    pub fn find(&self, kind: Kind) -> Option<&Provider> {
        self.set_up.iter().find(|provider| provider.kind() == kind)
    }

    /// Which providers a person can choose right now.
    #[must_use]
    pub fn enabled(&self) -> super::dialect::External {
        let on = |kind| !self.development && self.find(kind).is_some();
        super::dialect::External {
            mock: self.development,
            twitter: on(Kind::Twitter),
            google: on(Kind::Google),
            github: on(Kind::Github),
        }
    }
}

fn disabled(message: String) -> Error {
    Error::bad_request("provider-disabled", message)
}

/// A person without a name, so that the default one applies.
fn somebody_new() -> Identity {
    Identity {
        provider: "mock",
        subject: Uuid::new_v4().to_string(),
        username: None,
        email: None,
        avatar_url: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn refusal(arguments: &[&str], provider: &str) -> String {
        let config = Config::parse_from(std::iter::once("server").chain(arguments.iter().copied()));
        let providers = Providers::new(&config, &reqwest::Client::default()).expect("settings");
        providers
            .choose(provider)
            .err()
            .map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn refusals_are_in_the_words_of_the_specification() {
        const PRODUCTION: &str = "--app-env=production";
        const DEVELOPMENT: &str = "--app-env=development";
        for (environment, provider, sentence) in [
            (
                PRODUCTION,
                "mock",
                "Mock login is only available in development mode.",
            ),
            (
                DEVELOPMENT,
                "twitter",
                "OAuth login (twitter) is disabled in development mode. Use mock login.",
            ),
            (
                DEVELOPMENT,
                "google",
                "OAuth login (google) is disabled in development mode. Use mock login.",
            ),
            (
                DEVELOPMENT,
                "github",
                "OAuth login (github) is disabled in development mode. Use mock login.",
            ),
            (DEVELOPMENT, "facebook", "Unsupported provider: facebook"),
            (PRODUCTION, "facebook", "Unsupported provider: facebook"),
            (
                PRODUCTION,
                "twitter",
                "Sign-in with twitter is not set up on this server.",
            ),
            (DEVELOPMENT, "mock", ""),
        ] {
            assert_eq!(refusal(&[environment], provider), sentence);
        }
        let github = ["--github-client-id=id", "--github-client-secret=secret"];
        let production = [&[PRODUCTION][..], &github].concat();
        let development = [&[DEVELOPMENT][..], &github].concat();
        assert_eq!(refusal(&production, "github"), "");
        assert_ne!(refusal(&development, "github"), "");
    }

    #[test]
    fn every_mock_sign_in_is_somebody_new() {
        assert_ne!(somebody_new().subject, somebody_new().subject);
    }
}
