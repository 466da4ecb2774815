//! Settings of the sign-in providers: the same three for each of [`providers::oauth`].

use clap::error::Error;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use url::Url;

use super::checks::{ConfigError, plain_url, require};
use crate::providers::{self, OAuth, Provider};
use chain::Secret;

/// Sign-in as it is read from the environment.
#[derive(Clone, Debug, Args)]
pub struct SignInConfig {
    #[command(flatten)]
    all: AllProviders,

    /// Addresses of other apps where a sign-in may end, separated by commas, each exactly as it is requested. Such
    /// apps store their own refresh tokens. This site's own callback page is always on the list.
    #[arg(long, env = "REDIRECT_URLS", value_delimiter = ',', value_parser = redirect)]
    redirect_urls: Vec<Option<String>>,
}

/// The settings of every provider, set or not.
#[derive(Clone, Debug, Default)]
struct AllProviders(Vec<ProviderSettings>);

/// The settings of one provider.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    pub provider: &'static Provider,
    pub oauth: &'static OAuth,
    pub client_id: String,
    pub client_secret: Secret,
    /// Address of a server to use instead of the provider's own.
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

impl Args for AllProviders {
    fn augment_args(command: Command) -> Command {
        providers::oauth().fold(command, |command, (provider, _)| {
            let title = provider.title();
            let id = format!("The client id of the app at {title}");
            let secret = format!("The client secret of the app at {title}");
            let url = format!(
                "A server in place of {title}'s own: an Enterprise Server, or one for tests"
            );
            command
                .arg(setting(provider, "client-id", id))
                .arg(setting(provider, "client-secret", secret).hide_env_values(true))
                .arg(setting(provider, "url", url).value_parser(plain_url))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for AllProviders {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let settings = providers::oauth().map(|(provider, oauth)| {
            let text = |name| {
                let value = matches.get_one::<String>(&id(provider, name));
                value.map_or_else(String::new, |value| value.trim().to_owned())
            };
            ProviderSettings {
                provider,
                oauth,
                client_id: text("client-id"),
                client_secret: text("client-secret").into(),
                base: matches.get_one(&id(provider, "url")).cloned(),
            }
        });
        Ok(Self(settings.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl SignInConfig {
    /// The providers that are set up.
    ///
    /// # Errors
    /// When one has an id without a secret or the reverse.
    pub fn providers(&self) -> Result<Vec<ProviderSettings>, ConfigError> {
        for settings in &self.all.0 {
            let name = settings.provider.name.to_uppercase();
            require(
                settings.client_id.is_empty() == settings.client_secret.expose().is_empty(),
                format!(
                    "{name}_CLIENT_ID and {name}_CLIENT_SECRET belong together; set both of them, or none"
                ),
            )?;
        }
        let settings = self.all.0.iter().filter(|it| !it.client_id.is_empty());
        Ok(settings.cloned().collect())
    }

    /// The addresses of other apps where a sign-in may end.
    pub fn redirects(&self) -> impl Iterator<Item = &String> {
        self.redirect_urls.iter().flatten()
    }
}

/// An entry of `REDIRECT_URLS`; none for an empty one.
fn redirect(text: &str) -> Result<Option<String>, &'static str> {
    match text.trim() {
        "" => Ok(None),
        text => plain_url(text).map(|_| Some(text.to_owned())),
    }
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
    fn secrets_and_codes_stay_out_of_logs_and_addresses() {
        for (address, safe) in [
            ("https://git.example", true),
            ("http://127.0.0.1:9000", true),
            ("http://git.example", false),
            ("https://git.example?x=1", false),
            ("https://user:word@git.example", false),
        ] {
            let github = ["server", &format!("--github-url={address}")];
            assert_eq!(Config::try_parse_from(github).is_ok(), safe, "{address}");
            assert_eq!(redirect(address).is_ok(), safe, "{address}");
        }
        assert!(redirect("app://done").is_err());
        let two = sign_in(&["--redirect-urls=https://a.example/x,https://b.example/y"]);
        let both = ["https://a.example/x", "https://b.example/y"];
        assert!(two.redirects().eq(&both));
    }

    #[test]
    fn no_secret_is_shown() {
        let config = sign_in(&["--google-client-id=id", "--google-client-secret=hunter2"]);
        assert!(!format!("{config:?}").contains("hunter2"));
    }
}
