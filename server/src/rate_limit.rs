//! How many requests of a kind one address or one account may send. Refused files have limits of their own
//! ([`crate::proof::attempts`]).
//!
//! The counts are in the database, which replicas share. Addresses and accounts appear in it as keyed hashes alone,
//! and only until their window is over. Windows are aligned, so at most twice the limit fits into any stretch
//! of that length.

use axum::extract::{Request, State};
use axum::http::Uri;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::auth::dialect::error::AuthError;
use crate::client_address::ClientAddress;
use crate::clock::UnixTime;
use crate::config::Config;
use crate::error::Error;
use crate::keyed_hash::KeyedHash;
use crate::state::AppState;
use crate::store::Store;
use crate::store::rate_limits::Count;

/// One kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The kind. Each has counts of its own.
    kind: &'static str,
    /// The most in one window.
    most: i64,
    /// The length of a window in seconds.
    window: i64,
    /// Whether the refusal is 503 in place of 429. The client library takes 429 for the end of the session and
    /// would sign out a whole office; after 503 it tries again.
    patient: bool,
}

impl Limit {
    const fn new(kind: &'static str, most: i64, window: i64) -> Self {
        Self {
            kind,
            most,
            window,
            patient: false,
        }
    }

    const fn patient(self) -> Self {
        Self {
            patient: true,
            ..self
        }
    }
}

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// Beginning to sign in, by address.
const AUTHORIZE: Limit = Limit::new("authorize", 30, 5 * MINUTE);
/// Coming back from the provider, by address.
const CALLBACK: Limit = Limit::new("callback", 30, 5 * MINUTE);
/// Exchanging a code for a session, by address.
const EXCHANGE: Limit = Limit::new("exchange", 30, 5 * MINUTE);
/// Going on with a session, by address: an office shares one, and everybody in it refreshes once an hour.
const REFRESH: Limit = Limit::new("refresh", 150, 5 * MINUTE).patient();
/// Reports of the web app, by address.
const CLIENT_LOG: Limit = Limit::new("client-log", 60, 5 * MINUTE);
/// Beginning a session, by account.
pub const SIGN_IN: Limit = Limit::new("sign-in", 30, HOUR);
/// Trying to rotate a refresh token, by account: each device does it once an hour, with all its tabs at once.
pub const ROTATION: Limit = Limit::new("rotation", 600, 5 * MINUTE).patient();
/// Submitting a file, whatever comes of it, by account.
pub const SUBMIT: Limit = Limit::new("submit", 60, HOUR);
/// Beginning a purchase, by account: each one calls the payment provider.
pub const CHECKOUT: Limit = Limit::new("checkout", 20, HOUR);

/// Counts requests by kind and sender.
#[derive(Debug)]
pub struct RateLimits(KeyedHash);

impl RateLimits {
    /// Names addresses and accounts under this secret.
    #[must_use]
    pub fn new(secret: KeyedHash) -> Self {
        Self(secret)
    }

    /// Lets a request in, unless its sender has sent too many of the kind.
    ///
    /// # Errors
    /// [`Error::TooManyRequests`] or [`Error::Busy`] then; or the database fails.
    pub async fn admit(
        &self,
        store: &Store,
        limit: Limit,
        sender: &[u8],
        now: UnixTime,
    ) -> Result<(), Error> {
        let count = Count {
            keyed_hash: hex::encode(self.0.of(&[limit.kind.as_bytes(), sender])),
            most: limit.most,
            ends_at: (now.div_euclid(limit.window) + 1) * limit.window,
        };
        let Some(ends_at) = store.count_request(&[count], now).await? else {
            return Ok(());
        };
        let retry_after = ends_at - now;
        Err(if limit.patient {
            Error::Busy { retry_after }
        } else {
            Error::TooManyRequests { retry_after }
        })
    }
}

/// Says so when nobody's address will be known: in production, behind a proxy on this machine that is not trusted.
pub fn warn_of_unknown_addresses(config: &Config) {
    let behind_a_proxy = !config.development() && config.listen.ip().is_loopback();
    if behind_a_proxy && config.proxies.trusted_proxies.is_empty() {
        tracing::warn!(
            "TRUSTED_PROXIES is not set, so everybody seems to come from this machine, and limits by address do not apply"
        );
    }
}

/// Refuses requests of limited kinds from addresses that have sent too many. A sender whose address is unknown is
/// let in: it is on this machine, or behind a proxy that nobody has set up to be believed.
pub async fn by_address(
    State(state): State<AppState>,
    address: ClientAddress,
    request: Request,
    next: Next,
) -> Response {
    let Some((limit, network)) = limit_of(request.uri()).zip(address.network()) else {
        return next.run(request).await;
    };
    let now = state.clock.now();
    let admitted = state.rate_limits.admit(&state.store, limit, &network, now);
    match admitted.await {
        Ok(()) => next.run(request).await,
        // In the words of the family.
        Err(error) if limit == CLIENT_LOG => error.into_response(),
        Err(error) => AuthError::from(error).into_response(),
    }
}

/// What the layer of the API counts. Paths are those below `/api`.
fn limit_of(uri: &Uri) -> Option<Limit> {
    match uri.path() {
        "/auth/v1/authorize" => Some(AUTHORIZE),
        "/auth/v1/token" if refreshes(uri) => Some(REFRESH),
        "/auth/v1/token" => Some(EXCHANGE),
        "/functions/v1/client-log" => Some(CLIENT_LOG),
        path if path.starts_with("/auth/v1/callback") => Some(CALLBACK),
        _ => None,
    }
}

fn refreshes(uri: &Uri) -> bool {
    let query = uri.query().unwrap_or_default();
    url::form_urlencoded::parse(query.as_bytes())
        .any(|(name, value)| name == "grant_type" && value == "refresh_token")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted() {
        for (uri, limit) in [
            ("/auth/v1/authorize?provider=twitter", Some(AUTHORIZE)),
            ("/auth/v1/token?grant_type=pkce", Some(EXCHANGE)),
            ("/auth/v1/token?grant_type=refresh_token", Some(REFRESH)),
            ("/auth/v1/token?grant_type=refresh%5Ftoken", Some(REFRESH)),
            ("/auth/v1/token", Some(EXCHANGE)),
            ("/auth/v1/callback?code=1", Some(CALLBACK)),
            ("/functions/v1/client-log", Some(CLIENT_LOG)),
            ("/auth/v1/user", None),
            ("/rest/v1/profiles", None),
        ] {
            assert_eq!(limit_of(&uri.parse().unwrap()), limit, "{uri}");
        }
    }
}
