//! Settings of the providers that say who somebody is.

use std::fmt;

use clap::Args;
use url::Url;

use super::is_loopback;
use crate::auth::provider::Kind;

/// Sign-in as it is read from the environment. A provider is on when its id and its secret are set.
#[derive(Clone, Args)]
pub struct SignInConfig {
    /// The client id of the app at X.
    #[arg(long, env = "TWITTER_CLIENT_ID")]
    pub twitter_client_id: Option<String>,

    /// The client secret of the app at X.
    #[arg(long, env = "TWITTER_CLIENT_SECRET", hide_env_values = true)]
    pub twitter_client_secret: Option<String>,

    /// A server that stands in for x.com and api.x.com, for tests.
    #[arg(long, env = "TWITTER_URL")]
    pub twitter_url: Option<Url>,

    /// The client id of the app at Google.
    #[arg(long, env = "GOOGLE_CLIENT_ID")]
    pub google_client_id: Option<String>,

    /// The client secret of the app at Google.
    #[arg(long, env = "GOOGLE_CLIENT_SECRET", hide_env_values = true)]
    pub google_client_secret: Option<String>,

    /// A server that stands in for Google's, for tests.
    #[arg(long, env = "GOOGLE_URL")]
    pub google_url: Option<Url>,

    /// The client id of the app at GitHub.
    #[arg(long, env = "GITHUB_CLIENT_ID")]
    pub github_client_id: Option<String>,

    /// The client secret of the app at GitHub.
    #[arg(long, env = "GITHUB_CLIENT_SECRET", hide_env_values = true)]
    pub github_client_secret: Option<String>,

    /// A GitHub Enterprise Server in place of github.com.
    #[arg(long, env = "GITHUB_URL")]
    pub github_url: Option<Url>,

    /// Addresses of other apps where a sign-in may end, divided by commas, each exactly as it is asked for. Such
    /// apps hold their own refresh tokens. This site's own callback page is always on the list.
    #[arg(long, env = "REDIRECT_URLS", value_delimiter = ',')]
    pub redirect_urls: Vec<String>,
}

impl fmt::Debug for SignInConfig {
    /// Shows what travels in addresses anyway.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignInConfig")
            .field("twitter_client_id", &self.twitter_client_id)
            .field("google_client_id", &self.google_client_id)
            .field("github_client_id", &self.github_client_id)
            .field("redirect_urls", &self.redirect_urls)
            .finish_non_exhaustive()
    }
}

/// One provider that is on.
#[derive(Clone)]
pub struct ProviderSettings {
    /// Which one.
    pub kind: Kind,
    /// What it knows this server by.
    pub client_id: String,
    /// What this server proves that with.
    pub client_secret: String,
    /// Where it is, when it is not where everybody's is.
    pub base: Option<Url>,
}

/// Sign-in settings that cannot work, or are dangerous.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SignInConfigError {
    /// The provider would refuse everybody.
    #[error("{0}_CLIENT_ID and {0}_CLIENT_SECRET belong together; set both of them, or none")]
    Incomplete(&'static str),
    /// The secret would cross the network in the clear.
    #[error("{0}_URL must be https, or an address of this machine, without a query")]
    NotHttps(&'static str),
    /// Codes would cross the network in the clear, or go where nobody meant them to.
    #[error(
        "REDIRECT_URLS must be whole https addresses, or http ones of this machine, without a query or a fragment; this one is not: {0}"
    )]
    Redirect(String),
}

impl SignInConfig {
    /// The providers that are on.
    ///
    /// # Errors
    /// When one of them is set up by half, or its address is not safe.
    pub fn providers(&self) -> Result<Vec<ProviderSettings>, SignInConfigError> {
        let given = [
            (
                Kind::Twitter,
                &self.twitter_client_id,
                &self.twitter_client_secret,
                &self.twitter_url,
            ),
            (
                Kind::Google,
                &self.google_client_id,
                &self.google_client_secret,
                &self.google_url,
            ),
            (
                Kind::Github,
                &self.github_client_id,
                &self.github_client_secret,
                &self.github_url,
            ),
        ];
        let mut providers = Vec::new();
        for (kind, id, secret, base) in given {
            let [id, secret] = [id, secret].map(|it| it.as_deref().unwrap_or_default().trim());
            if let Some(base) = base
                && !safe(base)
            {
                return Err(SignInConfigError::NotHttps(kind.variables()));
            }
            match (id.is_empty(), secret.is_empty()) {
                (true, true) => {}
                (false, false) => providers.push(ProviderSettings {
                    kind,
                    client_id: id.to_owned(),
                    client_secret: secret.to_owned(),
                    base: base.clone(),
                }),
                _ => return Err(SignInConfigError::Incomplete(kind.variables())),
            }
        }
        Ok(providers)
    }

    /// Where else a sign-in may end.
    ///
    /// # Errors
    /// When one of the addresses is not safe.
    pub fn redirects(&self) -> Result<Vec<String>, SignInConfigError> {
        let listed = self.redirect_urls.iter().map(|it| it.trim());
        listed
            .filter(|address| !address.is_empty())
            .map(|address| match Url::parse(address) {
                Ok(url) if safe(&url) => Ok(address.to_owned()),
                _ => Err(SignInConfigError::Redirect(address.to_owned())),
            })
            .collect()
    }
}

/// Whether nobody on the way can read what goes there, and nothing can be added to it.
fn safe(url: &Url) -> bool {
    let secure = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url));
    let plain = url.query().is_none() && url.fragment().is_none();
    secure && plain && url.username().is_empty() && url.password().is_none()
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
        let both = ["--github-client-id=id", "--github-client-secret=secret"];
        let on = sign_in(&both).providers().unwrap();
        assert_eq!(
            on.iter().map(|it| it.kind).collect::<Vec<_>>(),
            [Kind::Github]
        );
        for half in both {
            assert_eq!(
                sign_in(&[half]).providers().err(),
                Some(SignInConfigError::Incomplete("GITHUB"))
            );
        }
        let empty = sign_in(&["--github-client-id=", "--github-client-secret="]);
        assert!(empty.providers().unwrap().is_empty());
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
