//! The providers that are set up.

use std::error::Error;

use super::error::SignInError;
use super::oauth::Client;
use crate::config::Config;
use crate::providers::{self, Provider, SignInMethod};
use store::profiles::Identity;

/// How much of an unknown provider's name is repeated, in characters: it becomes part of an address.
const LONGEST_NAME: usize = 64;

#[derive(Debug)]
pub struct Available {
    development: bool,
    clients: Vec<Client>,
}

/// How a chosen provider signs the user in.
#[derive(Debug)]
pub(super) enum Choice<'a> {
    /// At once, as a new user.
    Mock(Identity),
    /// On the provider's own page.
    OAuth(&'a Client),
}

impl Available {
    pub(super) fn new(
        config: &Config,
        http: &reqwest::Client,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let origin = config.origin();
        let settings = config.sign_in.providers()?;
        let clients = settings
            .into_iter()
            .map(|settings| Client::new(settings, &origin, http.clone()))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            development: config.development(),
            clients,
        })
    }

    /// The provider of this name. The sentences of the refusals are the specification's.
    pub(super) fn choose(&self, name: &str) -> Result<Choice<'_>, SignInError> {
        let Some(provider) = providers::find(name) else {
            let name = name.chars().take(LONGEST_NAME).collect();
            return Err(SignInError::UnknownProvider(name));
        };
        match provider.method {
            SignInMethod::Mock(new) if self.development => Ok(Choice::Mock(new())),
            SignInMethod::Mock(_) => Err(SignInError::DevelopmentOnly),
            SignInMethod::OAuth(_) if self.development => {
                Err(SignInError::ProductionOnly(provider.name))
            }
            SignInMethod::OAuth(_) => self
                .client(provider.name)
                .map(Choice::OAuth)
                .ok_or(SignInError::NotSetUp(provider.name)),
        }
    }

    /// The client of the provider of this name, if it is set up.
    pub(super) fn client(&self, name: &str) -> Option<&Client> {
        self.clients.iter().find(|it| it.provider().name == name)
    }

    /// Every provider, and whether users can choose it now.
    pub fn list(&self) -> impl Iterator<Item = (&'static Provider, bool)> {
        let all = providers::ALL.iter().copied();
        all.map(|provider| (provider, self.choose(provider.name).is_ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    const PRODUCTION: &str = "--app-env=production";
    const DEVELOPMENT: &str = "--app-env=development";

    fn available(arguments: &[&str]) -> Available {
        let config = Config::parse_from(std::iter::once("server").chain(arguments.iter().copied()));
        Available::new(&config, &reqwest::Client::default()).expect("settings")
    }

    fn refusal(arguments: &[&str], provider: &str) -> String {
        let available = available(arguments);
        let refused = available.choose(provider).err();
        refused.map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn refusals_are_in_the_words_of_the_specification() {
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
    }

    #[test]
    fn what_is_set_up_can_be_chosen_in_production() {
        let github = ["--github-client-id=id", "--github-client-secret=secret"];
        let on = |environment| {
            let available = available(&[&[environment][..], &github].concat());
            let on = available.list().filter(|(_, on)| *on);
            on.map(|(provider, _)| provider.name).collect::<Vec<_>>()
        };
        assert_eq!(on(PRODUCTION), ["github"]);
        assert_eq!(on(DEVELOPMENT), ["mock"]);
        assert_eq!(
            available(&[PRODUCTION]).list().count(),
            providers::ALL.len()
        );
    }
}
