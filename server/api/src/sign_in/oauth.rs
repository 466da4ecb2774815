//! The OAuth 2.0 client of one provider: the authorization code grant (RFC 6749, section 4.1) with PKCE (RFC 7636), as a
//! confidential client.

use oauth2::basic::{BasicClient, BasicRequestTokenError};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet,
    EndpointSet, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    TokenResponse, TokenUrl,
};
use url::Url;

use self::http::{HttpError, get};
use self::refusal::Reason;
use super::error::SignInError;
use crate::config::ProviderSettings;
use crate::providers::{Claims, ClientAuth, OAuth, Provider, ProviderResponse};
use chain::clock::UnixTime;
use outbound::BodyError;
use store::profiles::Identity;

mod http;
mod refusal;

type Inner = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// The longest id, name or address that is accepted from a provider, in characters. Real ones are much shorter.
const LONGEST: usize = 512;

/// The errors of a token endpoint that a new sign-in mends (RFC 6749, section 5.2; GitHub's own). The others are the operator's: a wrong
/// secret, a callback address that is not registered.
const OF_THE_CODE: [&str; 3] = ["invalid_grant", "invalid_request", "bad_verification_code"];

#[derive(Debug)]
pub(super) struct Client {
    provider: &'static Provider,
    oauth: &'static OAuth,
    inner: Inner,
    user: Url,
    emails: Option<Url>,
    issuer: Option<String>,
    http: reqwest::Client,
}

/// A redirect to a provider's page.
pub(super) struct ProviderRedirect {
    pub(super) url: Url,
    /// The callback's `state` (RFC 6749, section 10.12): 256 random bits, base64url.
    pub(super) state: String,
    /// Proves to the provider that this server began (RFC 7636).
    pub(super) pkce_verifier: String,
}

impl Client {
    /// Each provider has a callback address of its own on `origin`, so that no provider can forge the callback of another one
    /// (RFC 9700, section 4.4.2.2).
    pub(super) fn new(
        settings: ProviderSettings,
        origin: &str,
        http: reqwest::Client,
    ) -> Result<Self, url::ParseError> {
        let ProviderSettings {
            provider, oauth, ..
        } = settings;
        let base = settings.base.as_ref();
        let redirect = format!("{origin}/api/auth/v1/callback/{}", provider.name);
        let secret = settings.client_secret.expose().to_owned();
        let inner = BasicClient::new(ClientId::new(settings.client_id))
            .set_client_secret(ClientSecret::new(secret))
            .set_auth_type(match oauth.client_auth {
                ClientAuth::Header => AuthType::BasicAuth,
                ClientAuth::Body => AuthType::RequestBody,
            })
            .set_auth_uri(AuthUrl::from_url(oauth.authorize.at(base)?))
            .set_token_uri(TokenUrl::from_url(oauth.token.at(base)?))
            .set_redirect_uri(RedirectUrl::new(redirect)?);
        Ok(Self {
            provider,
            oauth,
            inner,
            user: oauth.user.at(base)?,
            emails: oauth.emails.map(|it| it.at(base)).transpose()?,
            issuer: match base {
                None => oauth.issuer.map(str::to_owned),
                Some(base) => Some(base.as_str().trim_end_matches('/').to_owned()),
            },
            http,
        })
    }

    pub(super) fn provider(&self) -> &'static Provider {
        self.provider
    }

    /// A new redirect to the provider, with a random state and verifier.
    pub(super) fn redirect(&self) -> ProviderRedirect {
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let scopes = self.oauth.scopes.iter();
        let (url, state) = self
            .inner
            .authorize_url(|| CsrfToken::new_random_len(32))
            .add_scopes(scopes.map(|scope| Scope::new((*scope).to_owned())))
            .set_pkce_challenge(challenge)
            .url();
        ProviderRedirect {
            url,
            state: state.into_secret(),
            pkce_verifier: verifier.into_secret(),
        }
    }

    /// Whether a callback's `iss`, if it has one, names this provider (RFC 9207, section 2.4).
    pub(super) fn is_issuer(&self, issuer: Option<&str>) -> bool {
        match (issuer, &self.issuer) {
            (Some(named), Some(own)) => named.trim_end_matches('/') == own,
            _ => true,
        }
    }

    /// Exchanges a callback's code for the user's account at the provider. The provider's token is not stored.
    pub(super) async fn identify(
        &self,
        code: String,
        pkce_verifier: String,
        now: UnixTime,
    ) -> Result<Identity, SignInError> {
        let token = self
            .inner
            .exchange_code(AuthorizationCode::new(code))
            .set_pkce_verifier(PkceCodeVerifier::new(pkce_verifier))
            .request_async(&|request| http::exchange(self.http.clone(), request))
            .await
            .map_err(|error| self.not_exchanged(error, now))?;
        let identity = self.read_identity(token.access_token().secret()).await;
        identity.map_err(|error| self.failed(&error, now))
    }

    async fn read_identity(&self, access_token: &str) -> Result<Identity, HttpError> {
        let user = get(&self.http, &self.user, access_token).await?;
        let emails = match &self.emails {
            None => None,
            // A user may refuse access to them, and can sign in anyway.
            Some(url) => match get(&self.http, url, access_token).await {
                Err(HttpError::Refused(refusal)) if refusal.is_of_content() => None,
                emails => Some(emails?),
            },
        };
        let response = ProviderResponse {
            user: &user,
            emails: emails.as_deref(),
        };
        let claims = (self.oauth.read)(response);
        let claims = claims.map_err(|_| HttpError::without_account(&user))?;
        valid(self.provider.name, claims).ok_or(HttpError::Unreadable)
    }

    /// Only the name of the error is logged, because the provider's response may repeat the code.
    fn not_exchanged(
        &self,
        error: BasicRequestTokenError<HttpError>,
        now: UnixTime,
    ) -> SignInError {
        let title = self.provider.title();
        match error {
            RequestTokenError::ServerResponse(response) => {
                let name: String = response.error().to_string().chars().take(64).collect();
                tracing::warn!(provider = self.provider.name, error = ?name, "the provider refused the code");
                match OF_THE_CODE.contains(&&*name) {
                    true => SignInError::CodeRefused(title),
                    false => SignInError::SiteRefused(title),
                }
            }
            RequestTokenError::Request(error) => self.failed(&error, now),
            RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                self.failed(&HttpError::Unreadable, now)
            }
        }
    }

    fn failed(&self, error: &HttpError, now: UnixTime) -> SignInError {
        tracing::warn!(provider = self.provider.name, %error, "the provider failed");
        let title = self.provider.title();
        match error {
            HttpError::Unreachable(BodyError::Http(_)) => SignInError::ProviderUnreachable(title),
            HttpError::Unreachable(BodyError::TooLong) | HttpError::Unreadable => {
                SignInError::ProviderUnreadable(title)
            }
            HttpError::Refused(refusal) => match refusal.reason(now) {
                Reason::Down => SignInError::ProviderUnreachable(title),
                Reason::Limit(wait) => SignInError::ProviderLimit(title, wait),
                Reason::Account => SignInError::AccountRefused(title),
                Reason::Site => SignInError::SiteRefused(title),
            },
        }
    }
}

/// The account without invalid claims; none when the id is invalid, because it identifies the account.
fn valid(provider: &'static str, claims: Claims) -> Option<Identity> {
    let valid = |text: &String| {
        !text.is_empty() && text.chars().count() <= LONGEST && !text.chars().any(char::is_control)
    };
    Some(Identity {
        provider,
        subject: Some(claims.id).filter(valid)?,
        username: claims.username.filter(valid),
        email: claims.email.filter(valid),
        avatar_url: claims
            .picture
            .filter(valid)
            .filter(|address| address.starts_with("https://")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers;

    fn client(name: &str) -> Client {
        let (provider, oauth) = providers::oauth().find(|it| it.0.name == name).unwrap();
        let settings = ProviderSettings {
            provider,
            oauth,
            client_id: "the-id".to_owned(),
            client_secret: "the-secret".to_owned().into(),
            base: None,
        };
        Client::new(
            settings,
            "https://reserves.example",
            reqwest::Client::default(),
        )
        .expect("settings")
    }

    #[test]
    fn people_are_sent_to_the_provider_with_state_and_challenge() {
        for (name, page, scopes) in [
            (
                "twitter",
                "https://x.com/i/oauth2/authorize",
                "users.read tweet.read",
            ),
            (
                "google",
                "https://accounts.google.com/o/oauth2/v2/auth",
                "openid email profile",
            ),
            (
                "github",
                "https://github.com/login/oauth/authorize",
                "read:user user:email",
            ),
        ] {
            let redirect = client(name).redirect();
            let pairs: std::collections::HashMap<_, _> = redirect.url.query_pairs().collect();
            let mut bare = redirect.url.clone();
            bare.set_query(None);
            assert_eq!(bare.as_str(), page);
            assert_eq!(pairs["response_type"], "code");
            assert_eq!(pairs["client_id"], "the-id");
            assert_eq!(pairs["scope"], scopes);
            assert_eq!(pairs["code_challenge_method"], "S256");
            assert_eq!(pairs["state"], redirect.state);
            assert_eq!(redirect.state.len(), 43, "256 bits");
            assert_eq!(
                pairs["redirect_uri"],
                format!("https://reserves.example/api/auth/v1/callback/{name}")
            );
            assert!(!redirect.url.as_str().contains("the-secret"));
            assert!(!redirect.url.as_str().contains(&redirect.pkce_verifier));
        }
    }

    #[test]
    fn an_answer_of_another_issuer_is_not_its_own() {
        let google = client("google");
        assert!(google.is_issuer(Some("https://accounts.google.com")));
        assert!(google.is_issuer(None));
        assert!(!google.is_issuer(Some("https://evil.example")));
    }
}
