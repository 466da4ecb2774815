//! The way through a provider: there with a state, back with a code, and from there to the page that began.
//!
//! A state works once, for ten minutes, for the provider that it was made for, and in the browser that began
//! (RFC 9700, section 4.7.1): whoever is lured to somebody else's answer has another cookie, or none.

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use url::Url;

use super::origin::Target;
use super::pkce::{self, NewCode};
use super::provider::{Kind, Provider};
use crate::development;
use crate::error::Error;
use crate::state::AppState;
use crate::store::flows::Flow;
use crate::store::profiles::Identity;
use crate::store::sessions::AuthCode;

/// How long somebody may stay at a provider, in seconds.
pub const LIFETIME: i64 = 10 * 60;

/// What a page wants to get, and how it will prove that it is the one that asked.
#[derive(Clone, Debug)]
pub struct Wish {
    /// Where it waits.
    pub target: Target,
    /// The hash of its verifier (RFC 7636).
    pub code_challenge: String,
}

/// The way to a provider.
pub struct Departure {
    /// Where to send the browser.
    pub url: Url,
    /// What the browser keeps meanwhile.
    pub cookie: Option<HeaderValue>,
}

/// What a browser brings back from a provider.
#[derive(Debug, Default)]
pub struct Answer<'a> {
    /// The state that it left with.
    pub state: Option<&'a str>,
    /// What stands for the person's consent.
    pub code: Option<String>,
    /// Why there is none (RFC 6749, section 4.1.2.1).
    pub error: Option<&'a str>,
    /// Who says so (RFC 9207).
    pub issuer: Option<&'a str>,
}

/// Where a browser goes after a provider, and with what.
pub struct Arrival {
    /// An address of the list.
    pub address: String,
    /// A code for the page that began, or why there is none.
    pub outcome: Result<String, Error>,
}

/// Sends a browser to a provider.
///
/// # Errors
/// When the database fails.
pub async fn depart(
    state: &AppState,
    provider: &Provider,
    wish: Wish,
    headers: &HeaderMap,
) -> Result<Departure, Error> {
    let now = state.clock.now();
    let cookie = &state.auth.sign_in_cookie;
    // One for all tabs of a browser: they may sign in at the same time.
    let browser = cookie
        .read(headers)
        .filter(|value| value.len() == 43 && URL_SAFE_NO_PAD.decode(value).is_ok())
        .map_or_else(|| NewCode::generate().code, str::to_owned);
    let leg = provider.leg();
    let flow = Flow {
        state_hash: pkce::code_hash(&leg.state),
        provider: provider.kind().name().to_owned(),
        browser_hash: pkce::code_hash(&browser),
        pkce_verifier: leg.pkce_verifier,
        code_challenge: wish.code_challenge,
        redirect_to: wish.target.address,
        cookie: wish.target.own,
        expires_at: now + LIFETIME,
    };
    state.store.add_flow(&flow, now).await?;
    Ok(Departure {
        url: leg.url,
        cookie: cookie.set(&browser, LIFETIME),
    })
}

/// Receives a browser from the provider of this kind.
///
/// # Errors
/// When the database fails before it is known where the browser is to go.
pub async fn arrive(
    state: &AppState,
    kind: Kind,
    answer: Answer<'_>,
    headers: &HeaderMap,
) -> Result<Arrival, Error> {
    let flow = match answer.state {
        // Taken first and judged afterwards: whoever guesses wrong has used it up.
        Some(state_text) => state.store.take_flow(&pkce::code_hash(state_text)).await?,
        None => None,
    };
    let cookie = state.auth.sign_in_cookie.read(headers);
    let flow = flow.filter(|flow| {
        flow.provider == kind.name()
            && cookie.is_some_and(|cookie| pkce::code_hash(cookie) == flow.browser_hash)
    });
    let Some(flow) = flow else {
        return Ok(Arrival {
            address: state.auth.origins.redirect_target(None)?.address,
            outcome: Err(Error::bad_request(
                "bad-oauth-state",
                "This sign-in is unknown, was already completed, or was begun in another browser. Sign in again.",
            )),
        });
    };
    Ok(Arrival {
        address: flow.redirect_to.clone(),
        outcome: complete(state, kind, flow, answer).await,
    })
}

async fn complete(
    state: &AppState,
    kind: Kind,
    flow: Flow,
    answer: Answer<'_>,
) -> Result<String, Error> {
    let title = kind.title();
    let refused = |message: String| Err(Error::bad_request("bad-oauth-callback", message));
    if flow.expires_at <= state.clock.now() {
        return Err(Error::bad_request(
            "flow-state-expired",
            "This sign-in took too long. Sign in again.",
        ));
    }
    let Some(provider) = state.auth.providers.find(kind) else {
        return refused(format!("Sign-in with {title} was turned off meanwhile."));
    };
    if !provider.issued(answer.issuer) {
        return refused(format!(
            "The answer did not come from {title}. Sign in again."
        ));
    }
    match (answer.error, answer.code) {
        (Some("access_denied"), _) => Err(Error::bad_request(
            "access-denied",
            format!("You did not agree to sign in with {title}."),
        )),
        (Some(_), _) => refused(format!("{title} did not sign you in. Try again.")),
        (None, None) => refused(format!(
            "The answer of {title} was not complete. Sign in again."
        )),
        (None, Some(code)) => {
            let identity = provider.identify(code, flow.pkce_verifier).await?;
            admit(state, &identity, flow.code_challenge, flow.cookie).await
        }
    }
}

/// Makes or updates the profile of somebody who is known now, and a code for the page that began. `cookie` says
/// in which mode its session will be.
///
/// # Errors
/// When the database fails.
pub async fn admit(
    state: &AppState,
    identity: &Identity,
    code_challenge: String,
    cookie: bool,
) -> Result<String, Error> {
    let now = state.clock.now();
    let profile = state.store.sign_in(identity, now).await?;
    if let Some(chain) = &state.development_chain {
        development::fund_account(chain, &profile.id);
    }
    state.live.changed();
    let new = NewCode::generate();
    let code = AuthCode {
        code_hash: new.hash,
        user_id: profile.id,
        code_challenge,
        cookie,
        expires_at: now + pkce::CODE_LIFETIME,
    };
    state.store.add_auth_code(&code, now).await?;
    Ok(new.code)
}
