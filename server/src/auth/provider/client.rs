//! One provider as this server's counterpart in OAuth 2.0: the authorization code grant (RFC 6749, section
//! 4.1) with PKCE (RFC 7636), as a confidential client.

use std::fmt;

use oauth2::basic::{BasicClient, BasicRequestTokenError};
use oauth2::{
    AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, TokenResponse,
    TokenUrl,
};
use url::Url;

use super::http::{Http, HttpError};
use super::kind::{Endpoints, Kind};
use super::person;
use crate::config::{ProviderSettings, SignInConfigError};
use crate::error::Error;
use crate::store::profiles::Identity;

type Client = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// A provider that is set up.
pub struct Provider {
    kind: Kind,
    client: Client,
    endpoints: Endpoints,
    issuer: Option<String>,
    http: Http,
}

/// The way to a provider's page.
pub struct Leg {
    /// Where to send the browser.
    pub url: Url,
    /// What comes back with it (RFC 6749, section 10.12): 256 random bits, base64url.
    pub state: String,
    /// What the provider will want to see with the code (RFC 7636).
    pub pkce_verifier: String,
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Provider").field(&self.kind).finish()
    }
}

impl Provider {
    /// The provider of these settings. It sends people back to an address of its own on `origin`, so that no other
    /// provider can pass an answer off as this one's (RFC 9700, section 4.4.2.2).
    ///
    /// # Errors
    /// When its address cannot be used.
    pub(super) fn new(
        settings: ProviderSettings,
        origin: &str,
        http: reqwest::Client,
    ) -> Result<Self, SignInConfigError> {
        let kind = settings.kind;
        let unusable = || SignInConfigError::NotHttps(kind.variables());
        let base = settings.base.as_ref();
        let endpoints = kind.endpoints(base).map_err(|_| unusable())?;
        let redirect = format!("{origin}/api/auth/v1/callback/{}", kind.name());
        let client = BasicClient::new(ClientId::new(settings.client_id))
            .set_client_secret(ClientSecret::new(settings.client_secret))
            .set_auth_type(kind.auth_type())
            .set_auth_uri(AuthUrl::from_url(endpoints.authorize.clone()))
            .set_token_uri(TokenUrl::from_url(endpoints.token.clone()))
            .set_redirect_uri(RedirectUrl::new(redirect).map_err(|_| unusable())?);
        Ok(Self {
            kind,
            client,
            issuer: kind.issuer(base),
            endpoints,
            http: Http(http),
        })
    }

    /// Which one it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// A way to its page that nobody has gone before.
    #[must_use]
    pub fn leg(&self) -> Leg {
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let scopes = self.kind.scopes().iter();
        let (url, state) = self
            .client
            .authorize_url(|| CsrfToken::new_random_len(32))
            .add_scopes(scopes.map(|scope| Scope::new((*scope).to_owned())))
            .set_pkce_challenge(challenge)
            .url();
        Leg {
            url,
            state: state.into_secret(),
            pkce_verifier: verifier.into_secret(),
        }
    }

    /// Whether an answer that names its sender names this provider (RFC 9207, section 2.4).
    #[must_use]
    pub fn issued(&self, issuer: Option<&str>) -> bool {
        match (issuer, &self.issuer) {
            (Some(named), Some(own)) => named.trim_end_matches('/') == own,
            _ => true,
        }
    }

    /// Who came back with this code.
    ///
    /// # Errors
    /// When the provider does not take the code, does not answer, or not as it documents.
    pub async fn identify(&self, code: String, pkce_verifier: String) -> Result<Identity, Error> {
        let answer = self
            .client
            .exchange_code(AuthorizationCode::new(code))
            .set_pkce_verifier(PkceCodeVerifier::new(pkce_verifier))
            .request_async(&self.http)
            .await
            .map_err(|error| self.not_exchanged(error))?;
        let token = answer.access_token().secret();
        let person = match self.kind {
            Kind::Twitter => person::of_x(&self.http, &self.endpoints, token).await,
            Kind::Google => person::of_google(&self.http, &self.endpoints, token).await,
            Kind::Github => person::of_github(&self.http, &self.endpoints, token).await,
        };
        person.map_err(|error| self.failed(&error))
    }

    /// The answer of the provider may repeat what it was sent, so of it only the error's name is logged.
    fn not_exchanged(&self, error: BasicRequestTokenError<HttpError>) -> Error {
        let title = self.kind.title();
        match error {
            RequestTokenError::ServerResponse(answer) => {
                let name = answer.error().to_string();
                let name: String = name
                    .chars()
                    .filter(|it| !it.is_control())
                    .take(64)
                    .collect();
                tracing::warn!(provider = self.kind.name(), error = %name, "a code was not exchanged");
                Error::bad_request(
                    "bad-oauth-callback",
                    format!("{title} did not accept this sign-in. Sign in again."),
                )
            }
            RequestTokenError::Request(error) => self.failed(&error),
            RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                self.failed(&HttpError::Unreadable)
            }
        }
    }

    fn failed(&self, error: &HttpError) -> Error {
        tracing::warn!(provider = self.kind.name(), %error, "the provider failed");
        let title = self.kind.title();
        Error::Unavailable {
            code: "provider-unavailable",
            message: match error {
                HttpError::Unreachable(_) => {
                    format!("{title} does not answer right now. Try again in a minute.")
                }
                HttpError::Status(_) | HttpError::Unreadable => {
                    format!("{title} did not say who you are. Try again in a minute.")
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider(kind: Kind) -> Provider {
        let settings = ProviderSettings {
            kind,
            client_id: "the-id".to_owned(),
            client_secret: "the-secret".to_owned(),
            base: None,
        };
        Provider::new(
            settings,
            "https://reserves.example",
            reqwest::Client::default(),
        )
        .expect("settings")
    }

    #[test]
    fn people_are_sent_to_the_provider_with_state_and_challenge() {
        for (kind, page, scopes) in [
            (
                Kind::Twitter,
                "https://x.com/i/oauth2/authorize",
                "users.read tweet.read",
            ),
            (
                Kind::Google,
                "https://accounts.google.com/o/oauth2/v2/auth",
                "openid email profile",
            ),
            (
                Kind::Github,
                "https://github.com/login/oauth/authorize",
                "read:user user:email",
            ),
        ] {
            let leg = provider(kind).leg();
            let pairs: std::collections::HashMap<_, _> = leg.url.query_pairs().collect();
            let mut bare = leg.url.clone();
            bare.set_query(None);
            assert_eq!(bare.as_str(), page);
            assert_eq!(pairs["response_type"], "code");
            assert_eq!(pairs["client_id"], "the-id");
            assert_eq!(pairs["scope"], scopes);
            assert_eq!(pairs["code_challenge_method"], "S256");
            assert_eq!(pairs["state"], leg.state);
            assert_eq!(leg.state.len(), 43, "256 bits");
            assert_eq!(
                pairs["redirect_uri"],
                format!(
                    "https://reserves.example/api/auth/v1/callback/{}",
                    kind.name()
                )
            );
            assert!(!leg.url.as_str().contains("the-secret"));
            assert!(!leg.url.as_str().contains(&leg.pkce_verifier));
        }
    }

    #[test]
    fn an_answer_of_another_issuer_is_not_its_own() {
        let google = provider(Kind::Google);
        assert!(google.issued(Some("https://accounts.google.com")));
        assert!(google.issued(None));
        assert!(!google.issued(Some("https://evil.example")));
    }
}
