//! The way through a provider: there with a state, back with a code, and from there to the page that began.
//!
//! A state works once, for ten minutes, for the provider that it was made for, and in the browser that began
//! (RFC 9700, section 4.7.1): whoever is lured to somebody else's answer has another cookie, or none.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use url::Url;

use super::SignIn;
use super::available::Choice;
use super::error::SignInError;
use super::origin::Target;
use super::pkce::{self, NewCode};
use crate::providers::{self, Person, Provider, Way};
use store::flows::Flow;
use store::profiles::Identity;
use store::sessions::AuthCode;

/// How long somebody may stay at a provider, in seconds.
pub const LIFETIME: i64 = 10 * 60;

/// What a page wants to get, and how it will prove that it is the one that asked.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// A name, as the page has it.
    pub provider: &'a str,
    /// Where it waits.
    pub target: &'a Target,
    /// The hash of its verifier (RFC 7636), and how it was made.
    pub code_challenge: Option<&'a str>,
    pub code_challenge_method: Option<&'a str>,
}

/// Where a browser goes on.
#[derive(Debug)]
pub enum Begun {
    /// To the page that asked, with this code.
    AtOnce(String),
    /// To a provider.
    Elsewhere {
        url: Url,
        /// What the browser keeps meanwhile, for [`LIFETIME`].
        browser: String,
    },
}

/// What a browser brings back from a provider.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// The state that it left with.
    pub state: Option<&'a str>,
    /// What stands for the person's consent.
    pub code: Option<&'a str>,
    /// Why there is none (RFC 6749, section 4.1.2.1).
    pub error: Option<&'a str>,
    /// Who says so (RFC 9207).
    pub issuer: Option<&'a str>,
}

/// Where a browser goes after a provider, and with what.
#[derive(Debug)]
pub struct Arrival {
    /// An address of the list.
    pub address: String,
    /// A code for the page that began, or why there is none.
    pub outcome: Result<String, SignInError>,
}

impl SignIn {
    /// Begins a sign-in in a browser that keeps `browser` from other ones that are under way.
    ///
    /// # Errors
    /// When the provider is not on, or the wish has no proof.
    pub async fn begin(&self, wish: Wish<'_>, browser: Option<&str>) -> Result<Begun, SignInError> {
        let choice = self.providers.choose(wish.provider)?;
        let code_challenge = pkce::challenge(wish.code_challenge, wish.code_challenge_method)?;
        let client = match choice {
            Choice::Here(provider, person) => {
                let identity = identity(provider, person);
                let own = wish.target.own;
                let code = self.admit(&identity, code_challenge, own).await?;
                return Ok(Begun::AtOnce(code));
            }
            Choice::There(client) => client,
        };
        // One for all tabs of a browser: they may sign in at the same time.
        let browser = browser
            .filter(|value| value.len() == 43 && URL_SAFE_NO_PAD.decode(value).is_ok())
            .map_or_else(|| NewCode::generate().code, str::to_owned);
        let now = self.clock.now();
        let leg = client.leg();
        let flow = Flow {
            state_hash: pkce::code_hash(&leg.state),
            provider: client.provider().name.to_owned(),
            browser_hash: pkce::code_hash(&browser),
            pkce_verifier: leg.pkce_verifier,
            code_challenge,
            redirect_to: wish.target.address.clone(),
            cookie: wish.target.own,
            expires_at: now + LIFETIME,
        };
        self.store.add_flow(&flow, now).await?;
        Ok(Begun::Elsewhere {
            url: leg.url,
            browser,
        })
    }

    /// Receives a browser from a provider, with what it kept meanwhile.
    ///
    /// # Errors
    /// When there is no such provider, or it is not known where the browser is to go.
    pub async fn come_back(
        &self,
        provider: &str,
        answer: Answer<'_>,
        browser: Option<&str>,
    ) -> Result<Arrival, SignInError> {
        let provider = providers::named(provider)
            .filter(|provider| matches!(provider.way, Way::OAuth(_)))
            .ok_or(SignInError::NoSuchProvider)?;
        let flow = match answer.state {
            // Taken first and judged afterwards: whoever guesses wrong has used it up.
            Some(state) => self.store.take_flow(&pkce::code_hash(state)).await?,
            None => None,
        };
        let flow = flow.filter(|flow| {
            flow.provider == provider.name
                && browser.is_some_and(|browser| pkce::code_hash(browser) == flow.browser_hash)
        });
        let Some(flow) = flow else {
            return Ok(Arrival {
                address: self.target(None)?.address,
                outcome: Err(SignInError::UnknownState),
            });
        };
        Ok(Arrival {
            address: flow.redirect_to.clone(),
            outcome: self.complete(provider, flow, answer).await,
        })
    }

    async fn complete(
        &self,
        provider: &'static Provider,
        flow: Flow,
        answer: Answer<'_>,
    ) -> Result<String, SignInError> {
        let title = provider.title;
        if flow.expires_at <= self.clock.now() {
            return Err(SignInError::TookTooLong);
        }
        let client = self.providers.client(provider.name);
        let client = client.ok_or(SignInError::TurnedOff(title))?;
        if !client.issued(answer.issuer) {
            return Err(SignInError::OtherIssuer(title));
        }
        match (answer.error, answer.code) {
            (Some("access_denied"), _) => Err(SignInError::NotAgreed(title)),
            (Some(_), _) => Err(SignInError::ProviderRefused(title)),
            (None, None) => Err(SignInError::NotComplete(title)),
            (None, Some(code)) => {
                let code = code.to_owned();
                let person = client.identify(code, flow.pkce_verifier).await?;
                let identity = identity(provider, person);
                self.admit(&identity, flow.code_challenge, flow.cookie)
                    .await
            }
        }
    }

    /// Makes or updates the profile of somebody who is known now, and a code for the page that began. `cookie` says
    /// in which mode its session will be.
    ///
    /// # Errors
    /// When the operator keeps them out.
    pub async fn admit(
        &self,
        identity: &Identity,
        code_challenge: String,
        cookie: bool,
    ) -> Result<String, SignInError> {
        let now = self.clock.now();
        if self
            .blocked
            .has(identity.provider, &identity.subject)
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

fn identity(provider: &Provider, person: Person) -> Identity {
    Identity {
        provider: provider.name,
        subject: person.id,
        username: person.username,
        email: person.email,
        avatar_url: person.picture,
    }
}
