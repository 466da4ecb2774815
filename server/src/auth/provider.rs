//! Who may say who somebody is: X, Google and GitHub, and in development a mock (decisions, D11).

use uuid::Uuid;

use crate::config::Config;
use crate::error::Error;
use crate::store::profiles::Identity;

/// Who somebody is, according to the provider of this name.
///
/// The mock makes up a new person each time. The real providers come with the sign-in issue: there
/// this sends the browser to the provider's own page, and `GET /callback` goes on from its answer.
///
/// # Errors
/// When the provider is unknown, or not on in this mode. The sentences are the specification's.
pub fn identify(config: &Config, provider: &str) -> Result<Identity, Error> {
    match (provider, config.development()) {
        ("mock", true) => Ok(somebody_new()),
        ("mock", false) => Err(disabled(
            "Mock login is only available in development mode.".to_owned(),
        )),
        ("twitter" | "google" | "github", true) => Err(disabled(format!(
            "OAuth login ({provider}) is disabled in development mode. Use mock login."
        ))),
        ("twitter" | "google" | "github", false) => Err(disabled(format!(
            "Sign-in with {provider} is not set up on this server."
        ))),
        _ => Err(Error::bad_request(
            "oauth-provider-not-supported",
            // It goes into an address, which should not grow at a stranger's will.
            format!(
                "Unsupported provider: {}",
                provider.chars().take(64).collect::<String>()
            ),
        )),
    }
}

/// Which providers a person can choose right now, in the order of [`super::dialect::External`].
#[must_use]
pub fn enabled(config: &Config) -> super::dialect::External {
    super::dialect::External {
        mock: config.development(),
        twitter: false,
        google: false,
        github: false,
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

    fn refusal(environment: &str, provider: &str) -> String {
        let config = Config::parse_from(["server", "--app-env", environment]);
        identify(&config, provider)
            .err()
            .map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn refusals_are_in_the_words_of_the_specification() {
        for (environment, provider, sentence) in [
            (
                "production",
                "mock",
                "Mock login is only available in development mode.",
            ),
            (
                "development",
                "twitter",
                "OAuth login (twitter) is disabled in development mode. Use mock login.",
            ),
            (
                "development",
                "google",
                "OAuth login (google) is disabled in development mode. Use mock login.",
            ),
            (
                "development",
                "github",
                "OAuth login (github) is disabled in development mode. Use mock login.",
            ),
            ("development", "facebook", "Unsupported provider: facebook"),
            ("production", "facebook", "Unsupported provider: facebook"),
            (
                "production",
                "twitter",
                "Sign-in with twitter is not set up on this server.",
            ),
            ("development", "mock", ""),
        ] {
            assert_eq!(refusal(environment, provider), sentence);
        }
    }

    #[test]
    fn every_mock_sign_in_is_somebody_new() {
        assert_ne!(somebody_new().subject, somebody_new().subject);
    }
}
