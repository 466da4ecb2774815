//! Sign-in with a provider: the authorize request sends the browser to the provider, and the callback brings it back with a
//! code.
//!
//! A state works once, for ten minutes, for the provider that it was made for, and in the browser that began
//! (RFC 9700, section 4.7.1): a user who is tricked into opening another user's callback has another cookie, or none.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use url::Url;

use super::SignIn;
use super::available::Choice;
use super::error::SignInError;
use super::origin::Target;
use super::pkce::{self, NewCode};
use crate::providers::{self, Claims, Provider, SignInMethod};
use store::flows::Flow;
use store::profiles::Identity;
use store::sessions::AuthCode;

/// How long a user may stay at the provider, in seconds.
pub const LIFETIME: i64 = 10 * 60;

/// What a page asks for when a sign-in begins.
#[derive(Clone, Copy, Debug)]
pub struct AuthorizeRequest<'a> {
    /// The provider's name.
    pub provider: &'a str,
    /// Where the browser goes at the end.
    pub target: &'a Target,
    /// The hash of the page's verifier (RFC 7636), and the method of the hash.
    pub code_challenge: Option<&'a str>,
    pub code_challenge_method: Option<&'a str>,
}

/// Where the browser goes after an authorize request.
#[derive(Debug)]
pub enum Redirect {
    /// To the target, with this code.
    ToTarget(String),
    ToProvider {
        url: Url,
        /// What the browser keeps in a cookie for [`LIFETIME`].
        browser: String,
    },
}

/// The parameters of the provider's callback.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallbackParams<'a> {
    pub state: Option<&'a str>,
    pub code: Option<&'a str>,
    /// Why there is no code (RFC 6749, section 4.1.2.1).
    pub error: Option<&'a str>,
    /// The provider, as it names itself (RFC 9207).
    pub issuer: Option<&'a str>,
}

/// Where the browser goes after the callback, and with what.
#[derive(Debug)]
pub struct Callback {
    /// An address of the list.
    pub redirect_to: String,
    /// A code for the page that began, or why there is none.
    pub outcome: Result<String, SignInError>,
}

impl SignIn {
    /// Begins a sign-in. `browser` is the cookie of other sign-ins that the browser has begun.
    ///
    /// # Errors
    /// When the provider is not set up, or the request has no PKCE challenge.
    pub async fn authorize(
        &self,
        request: AuthorizeRequest<'_>,
        browser: Option<&str>,
    ) -> Result<Redirect, SignInError> {
        let choice = self.providers.choose(request.provider)?;
        let code_challenge =
            pkce::challenge(request.code_challenge, request.code_challenge_method)?;
        let client = match choice {
            Choice::Mock(provider, claims) => {
                let identity = identity(provider, claims);
                let own = request.target.own;
                let code = self.admit(&identity, code_challenge, own).await?;
                return Ok(Redirect::ToTarget(code));
            }
            Choice::OAuth(client) => client,
        };
        // One for all tabs of a browser: they may sign in at the same time.
        let browser = browser
            .filter(|value| value.len() == 43 && URL_SAFE_NO_PAD.decode(value).is_ok())
            .map_or_else(|| NewCode::generate().code, str::to_owned);
        let now = self.clock.now();
        let redirect = client.redirect();
        let flow = Flow {
            state_hash: pkce::code_hash(&redirect.state),
            provider: client.provider().name.to_owned(),
            browser_hash: pkce::code_hash(&browser),
            pkce_verifier: redirect.pkce_verifier,
            code_challenge,
            redirect_to: request.target.address.clone(),
            cookie: request.target.own,
            expires_at: now + LIFETIME,
        };
        self.store.add_flow(&flow, now).await?;
        Ok(Redirect::ToProvider {
            url: redirect.url,
            browser,
        })
    }

    /// Completes a sign-in when the browser comes back from the provider with its cookie.
    ///
    /// # Errors
    /// When there is no such provider.
    pub async fn callback(
        &self,
        provider: &str,
        params: CallbackParams<'_>,
        browser: Option<&str>,
    ) -> Result<Callback, SignInError> {
        let provider = providers::find(provider)
            .filter(|provider| matches!(provider.method, SignInMethod::OAuth(_)))
            .ok_or(SignInError::NoSuchProvider)?;
        let flow = match params.state {
            // Deleted before it is checked, so a wrong guess uses it up.
            Some(state) => self.store.take_flow(&pkce::code_hash(state)).await?,
            None => None,
        };
        let flow = flow.filter(|flow| {
            flow.provider == provider.name
                && browser.is_some_and(|browser| pkce::code_hash(browser) == flow.browser_hash)
        });
        let Some(flow) = flow else {
            return Ok(Callback {
                redirect_to: self.target(None)?.address,
                outcome: Err(SignInError::UnknownState),
            });
        };
        Ok(Callback {
            redirect_to: flow.redirect_to.clone(),
            outcome: self.complete(provider, flow, params).await,
        })
    }

    async fn complete(
        &self,
        provider: &'static Provider,
        flow: Flow,
        params: CallbackParams<'_>,
    ) -> Result<String, SignInError> {
        let title = provider.title;
        if flow.expires_at <= self.clock.now() {
            return Err(SignInError::TookTooLong);
        }
        let client = self.providers.client(provider.name);
        let client = client.ok_or(SignInError::TurnedOff(title))?;
        if !client.issued(params.issuer) {
            return Err(SignInError::OtherIssuer(title));
        }
        match (params.error, params.code) {
            (Some("access_denied"), _) => Err(SignInError::NotAgreed(title)),
            (Some(_), _) => Err(SignInError::ProviderRefused(title)),
            (None, None) => Err(SignInError::NotComplete(title)),
            (None, Some(code)) => {
                let code = code.to_owned();
                let claims = client.claims(code, flow.pkce_verifier).await?;
                let identity = identity(provider, claims);
                self.admit(&identity, flow.code_challenge, flow.cookie)
                    .await
            }
        }
    }

    /// Makes or updates the profile of a user, and returns a code for the page that began. `cookie` says whether the session
    /// will be in cookie mode.
    ///
    /// # Errors
    /// When the operator has blocked the user.
    pub async fn admit(
        &self,
        identity: &Identity,
        code_challenge: String,
        cookie: bool,
    ) -> Result<String, SignInError> {
        let now = self.clock.now();
        if self
            .blocked
            .contains(identity.provider, &identity.subject)
            .await?
        {
            return Err(SignInError::Blocked);
        }
        let profile = self.store.sign_in(identity, now).await?;
        let new = NewCode::generate();
        let code = AuthCode {
            code_hash: new.hash,
            user_id: profile.id,
            code_challenge,
            cookie,
            expires_at: now + pkce::CODE_LIFETIME,
        };
        self.store.add_auth_code(&code, now).await?;
        Ok(new.code)
    }
}

fn identity(provider: &Provider, claims: Claims) -> Identity {
    Identity {
        provider: provider.name,
        subject: claims.id,
        username: claims.username,
        email: claims.email,
        avatar_url: claims.picture,
    }
}
