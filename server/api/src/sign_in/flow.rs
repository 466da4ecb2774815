//! Sign-in with a provider: the authorize request sends the browser to the provider, and the callback brings it back with a
//! code.
//!
//! A state works once, for ten minutes, for the provider that it was made for, and in the browser that began
//! (RFC 9700, section 4.7.1): a user who is tricked into opening another user's callback has another cookie, or none.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use url::Url;
use utoipa::IntoParams;

use super::SignIn;
use super::available::Choice;
use super::error::SignInError;
use super::origin::Target;
use super::pkce;
use crate::providers::{self, Provider, SignInMethod};
use store::flows::Flow;
use store::profiles::Identity;
use store::sessions::AuthCode;

/// How long a user may stay at the provider, in seconds.
pub const LIFETIME: i64 = 10 * 60;

/// What the client library sends. Anything else that it sends is ignored.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuthorizeRequest {
    /// The name of a provider that is on; the settings have them all.
    provider: Option<String>,
    /// Where to go afterwards: an address of the list, by default this site's own /auth/callback.
    redirect_to: Option<String>,
    /// SHA-256 of the verifier, base64url (RFC 7636, section 4.2).
    code_challenge: Option<String>,
    /// Always `s256`.
    code_challenge_method: Option<String>,
}

/// Where the browser goes after an authorize request, and with what.
#[derive(Debug)]
pub struct Authorization {
    /// An address of the list, where the sign-in ends.
    pub redirect_to: String,
    /// The next stop, or why there is none.
    pub outcome: Result<Redirect, SignInError>,
}

/// The next stop of a sign-in that has begun.
#[derive(Debug)]
pub enum Redirect {
    /// To where it ends, with this code.
    ToTarget(String),
    ToProvider {
        url: Url,
        /// What the browser keeps in a cookie for [`LIFETIME`].
        browser: String,
    },
}

/// What a provider sends along (RFC 6749, sections 4.1.2 and 4.1.2.1; RFC 9207). Its own words for people are not
/// passed on: anyone can make up an address with any words in it.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CallbackQuery {
    /// What the browser left with.
    state: Option<String>,
    /// What stands for the person's consent.
    code: Option<String>,
    /// Why there is no code.
    error: Option<String>,
    /// Who says so.
    iss: Option<String>,
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
    /// When the sign-in would end at an address that is not on the list. The browser is never sent there.
    pub async fn authorize(
        &self,
        request: &AuthorizeRequest,
        browser: Option<&str>,
    ) -> Result<Authorization, SignInError> {
        let target = self.origins.target(request.redirect_to.as_deref())?;
        Ok(Authorization {
            outcome: self.begin(request, &target, browser).await,
            redirect_to: target.address,
        })
    }

    async fn begin(
        &self,
        request: &AuthorizeRequest,
        target: &Target,
        browser: Option<&str>,
    ) -> Result<Redirect, SignInError> {
        let provider = request.provider.as_deref().unwrap_or_default();
        let choice = self.providers.choose(provider)?;
        let method = request.code_challenge_method.as_deref();
        let code_challenge = pkce::challenge(request.code_challenge.as_deref(), method)?;
        let client = match choice {
            Choice::Mock(identity) => {
                let code = self.admit(&identity, code_challenge, target.own).await?;
                return Ok(Redirect::ToTarget(code));
            }
            Choice::OAuth(client) => client,
        };
        // One for all tabs of a browser: they may sign in at the same time.
        let browser = browser
            .filter(|value| value.len() == 43 && URL_SAFE_NO_PAD.decode(value).is_ok())
            .map_or_else(pkce::new_code, str::to_owned);
        let now = self.clock.now();
        let redirect = client.redirect();
        let flow = Flow {
            state_hash: pkce::code_hash(&redirect.state),
            provider: client.provider().name.to_owned(),
            browser_hash: pkce::code_hash(&browser),
            pkce_verifier: redirect.pkce_verifier,
            code_challenge,
            redirect_to: target.address.clone(),
            cookie: target.own,
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
        query: CallbackQuery,
        browser: Option<&str>,
    ) -> Result<Callback, SignInError> {
        let provider = providers::find(provider)
            .filter(|provider| matches!(provider.method, SignInMethod::OAuth(_)))
            .ok_or(SignInError::NoSuchProvider)?;
        let flow = match &query.state {
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
                redirect_to: self.origins.target(None)?.address,
                outcome: Err(SignInError::UnknownState),
            });
        };
        Ok(Callback {
            redirect_to: flow.redirect_to.clone(),
            outcome: self.complete(provider, flow, query).await,
        })
    }

    async fn complete(
        &self,
        provider: &'static Provider,
        flow: Flow,
        query: CallbackQuery,
    ) -> Result<String, SignInError> {
        let title = provider.title();
        if flow.expires_at <= self.clock.now() {
            return Err(SignInError::TookTooLong);
        }
        let client = self.providers.client(provider.name);
        let client = client.ok_or(SignInError::TurnedOff(title))?;
        if !client.is_issuer(query.iss.as_deref()) {
            return Err(SignInError::OtherIssuer(title));
        }
        match (query.error.as_deref(), query.code) {
            (Some("access_denied"), _) => Err(SignInError::NotAgreed(title)),
            (Some(_), _) => Err(SignInError::ProviderRefused(title)),
            (None, None) => Err(SignInError::NotComplete(title)),
            (None, Some(code)) => {
                let (pkce_verifier, now) = (flow.pkce_verifier, self.clock.now());
                let identity = client.identify(code, pkce_verifier, now).await?;
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
        let new = pkce::new_code();
        let code = AuthCode {
            code_hash: pkce::code_hash(&new),
            user_id: profile.id,
            code_challenge,
            cookie,
            expires_at: now + pkce::CODE_LIFETIME,
        };
        self.store.add_auth_code(&code, now).await?;
        Ok(new)
    }
}
