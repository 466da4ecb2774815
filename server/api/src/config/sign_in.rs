//! Settings of the providers that say who somebody is: the same three for each of [`providers::oauth`].

use std::collections::BTreeMap;

use clap::error::Error;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use url::Url;

use super::error::ConfigError;
use super::transport::{has_user, is_private};
use crate::providers::{self, OAuth, Provider};
use chain::Secret;

/// Sign-in as it is read from the environment.
#[derive(Clone, Debug, Args)]
pub struct SignInConfig {
    /// Who may say who somebody is.
    #[command(flatten)]
    given: Given,

    /// Addresses of other apps where a sign-in may end, divided by commas, each exactly as it is asked for. Such
    /// apps hold their own refresh tokens. This site's own callback page is always on the list.
    #[arg(long, env = "REDIRECT_URLS", value_delimiter = ',')]
    pub redirect_urls: Vec<String>,
}

/// What is set of each provider, by its name.
#[derive(Clone, Debug, Default)]
struct Given(BTreeMap<&'static str, Registration>);

/// This server as one provider knows it.
#[derive(Clone, Debug, Default)]
struct Registration {
    client_id: String,
    client_secret: Secret,
    base: Option<Url>,
}

/// One provider that is on.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// Which one.
    pub provider: &'static Provider,
    /// How it is asked.
    pub oauth: &'static OAuth,
    /// What it knows this server by.
    pub client_id: String,
    /// What this server proves that with.
    pub client_secret: Secret,
    /// Where it is, when it is not where everybody's is.
    pub base: Option<Url>,
}

/// A setting of a provider, and the variable of the same name.
fn setting(provider: &Provider, name: &str, help: String) -> Arg {
    let name = id(provider, name);
    let variable = name.to_uppercase().replace('-', "_");
    Arg::new(&name).long(name).env(variable).help(help)
}

fn id(provider: &Provider, name: &str) -> String {
    format!("{}-{name}", provider.name)
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        providers::oauth().fold(command, |command, (provider, _)| {
            let title = provider.title;
            let id = format!("The client id of the app at {title}");
            let secret = format!("The client secret of the app at {title}");
            let url = format!(
                "A server in place of {title}'s own: an Enterprise Server, or one for tests"
            );
            command
                .arg(setting(provider, "client-id", id))
                .arg(setting(provider, "client-secret", secret).hide_env_values(true))
                .arg(setting(provider, "url", url).value_parser(value_parser!(Url)))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let apps = providers::oauth().map(|(provider, _)| {
            let text = |name| {
                let value = matches.get_one::<String>(&id(provider, name));
                value.map_or_else(String::new, |value| value.trim().to_owned())
            };
            let app = Registration {
                client_id: text("client-id"),
                client_secret: text("client-secret").into(),
                base: matches.get_one(&id(provider, "url")).cloned(),
            };
            (provider.name, app)
        });
        Ok(Self(apps.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl SignInConfig {
    /// The providers that are on: those whose id and secret are set.
    ///
    /// # Errors
    /// When one of them is set up by half, or its address is not safe.
    pub fn providers(&self) -> Result<Vec<ProviderSettings>, ConfigError> {
        let mut on = Vec::new();
        for (provider, oauth) in providers::oauth() {
            let Registration {
                client_id,
                client_secret,
                base,
            } = self.given.0.get(provider.name).cloned().unwrap_or_default();
            if base.as_ref().is_some_and(|base| !safe(base)) {
                return Err(ConfigError::provider_url(provider));
            }
            match (client_id.is_empty(), client_secret.expose().is_empty()) {
                (true, true) => {}
                (false, false) => on.push(ProviderSettings {
                    provider,
                    oauth,
                    client_id,
                    client_secret,
                    base,
                }),
                _ => {
                    let name = provider.name.to_uppercase();
                    return Err(ConfigError::new(format!(
                        "{name}_CLIENT_ID and {name}_CLIENT_SECRET belong together; set both of them, or none"
                    )));
                }
            }
        }
        Ok(on)
    }

    /// Where else a sign-in may end.
    ///
    /// # Errors
    /// When one of the addresses is not safe.
    pub fn redirects(&self) -> Result<Vec<String>, ConfigError> {
        let listed = self.redirect_urls.iter().map(|it| it.trim());
        listed
            .filter(|address| !address.is_empty())
            .map(|address| match Url::parse(address) {
                Ok(url) if safe(&url) => Ok(address.to_owned()),
                // It is not repeated: the log would have the password.
                Ok(url) if has_user(&url) => Err(ConfigError::new(
                    "REDIRECT_URLS must be addresses without a user name or a password",
                )),
                _ => Err(ConfigError::new(format!(
                    "REDIRECT_URLS must be whole https addresses, or http ones of this machine, without a query or a fragment; this one is not: {address}"
                ))),
            })
            .collect()
    }
}

impl ConfigError {
    /// The secret would cross the network in the clear.
    pub(crate) fn provider_url(provider: &Provider) -> Self {
        let name = provider.name.to_uppercase();
        Self::new(format!(
            "{name}_URL must be https, or an address of this machine, without a query"
        ))
    }
}

/// Whether nobody on the way can read what goes there, and nothing can be added to it.
fn safe(url: &Url) -> bool {
    let secure = is_private(url);
    let plain = url.query().is_none() && url.fragment().is_none();
    secure && plain && !has_user(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use clap::Parser;

    fn sign_in(arguments: &[&str]) -> SignInConfig {
        Config::parse_from(std::iter::once("server").chain(arguments.iter().copied())).sign_in
    }

    #[test]
    fn a_provider_is_on_when_it_is_set_up_whole() {
        assert!(sign_in(&[]).providers().unwrap().is_empty());
        for (provider, _) in providers::oauth() {
            let name = provider.name;
            let both = ["id", "secret"].map(|it| format!("--{name}-client-{it}=something"));
            let both = both.each_ref().map(String::as_str);
            let on = sign_in(&both).providers().unwrap();
            let names: Vec<_> = on.iter().map(|it| it.provider.name).collect();
            assert_eq!(names, [name]);
            for half in both {
                let refused = sign_in(&[half]).providers().expect_err("a half");
                assert!(
                    refused.to_string().starts_with(&name.to_uppercase()),
                    "{refused}"
                );
            }
            let empty = both.map(|it| it.trim_end_matches("something"));
            assert!(sign_in(&empty).providers().unwrap().is_empty());
        }
    }

    #[test]
    fn secrets_and_codes_go_where_nobody_can_read_them() {
        for (address, safe) in [
            ("https://git.example", true),
            ("http://127.0.0.1:9000", true),
            ("http://git.example", false),
            ("https://git.example?x=1", false),
            ("https://user:word@git.example", false),
        ] {
            let github = sign_in(&[&format!("--github-url={address}")]);
            assert_eq!(github.providers().is_ok(), safe, "{address}");
            let redirect = sign_in(&[&format!("--redirect-urls={address}")]);
            assert_eq!(redirect.redirects().is_ok(), safe, "{address}");
        }
        let app = sign_in(&["--redirect-urls=app://done"]);
        assert!(app.redirects().is_err());
        let two = sign_in(&["--redirect-urls=https://a.example/x,https://b.example/y"]);
        assert_eq!(
            two.redirects().unwrap(),
            ["https://a.example/x", "https://b.example/y"]
        );
    }

    #[test]
    fn no_secret_is_shown() {
        let config = sign_in(&["--google-client-id=id", "--google-client-secret=hunter2"]);
        assert!(!format!("{config:?}").contains("hunter2"));
    }
}
