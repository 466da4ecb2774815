//! How many requests of a kind one address or one account may send. Refused files have limits of their own
//! (`proof/attempts.rs`).
//!
//! The counts are in the database, which replicas share. Addresses and accounts appear in it as keyed hashes alone,
//! and only until their window is over. Windows are aligned, so at most twice the limit fits into any stretch
//! of that length.

use crate::base::clock::Clock;
use crate::base::keyed_hash::KeyedHash;
use crate::store::Store;
use crate::store::rate_limits::Count;

/// One kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Each kind has counts of its own.
    kind: &'static str,
    /// The most in one window.
    most: i64,
    /// The length of a window in seconds.
    window: i64,
    /// Whether whoever is refused is told that the server is busy: the client library takes any other refusal of these
    /// for the end of the session, and would sign out a whole office.
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
pub const AUTHORIZE: Limit = Limit::new("authorize", 30, 5 * MINUTE);
/// Coming back from the provider, by address.
pub const CALLBACK: Limit = Limit::new("callback", 30, 5 * MINUTE);
/// Exchanging a code for a session, by address.
pub const EXCHANGE: Limit = Limit::new("exchange", 30, 5 * MINUTE);
/// Going on with a session, by address: an office shares one, and everybody in it refreshes once an hour.
pub const REFRESH: Limit = Limit::new("refresh", 150, 5 * MINUTE).patient();
/// Reports of the web app, by address.
pub const CLIENT_LOG: Limit = Limit::new("client-log", 60, 5 * MINUTE);
/// Beginning a session, by account.
pub const SIGN_IN: Limit = Limit::new("sign-in", 30, HOUR);
/// Trying to rotate a refresh token, by account: each device does it once an hour, with all its tabs at once.
pub const ROTATION: Limit = Limit::new("rotation", 600, 5 * MINUTE).patient();
/// Submitting a file, whatever comes of it, by account.
pub const SUBMIT: Limit = Limit::new("submit", 60, HOUR);
/// Beginning a purchase, by account: each one calls the payment provider.
pub const CHECKOUT: Limit = Limit::new("checkout", 20, HOUR);

/// Why a request is not let in.
#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    #[error("Too many requests. Wait {retry_after} seconds and try again.")]
    TooMany {
        /// When it is worth trying again, in seconds.
        retry_after: i64,
    },
    /// The sender is not to be blamed, only to wait.
    #[error("The server is busy. Try again in {retry_after} seconds.")]
    Busy {
        /// When it is worth trying again, in seconds.
        retry_after: i64,
    },
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// Counts requests by kind and sender.
#[derive(Debug)]
pub struct RateLimits {
    store: Store,
    clock: Clock,
    secret: KeyedHash,
}

impl RateLimits {
    /// Names senders under a secret that all replicas share.
    pub async fn load(store: Store, clock: Clock) -> sqlx::Result<Self> {
        let secret = store.keyed_hash("rate-limits", clock.now()).await?;
        Ok(Self {
            store,
            clock,
            secret,
        })
    }

    /// Lets a request in, unless its sender has sent too many of the kind.
    ///
    /// # Errors
    /// [`LimitError::TooMany`] or [`LimitError::Busy`] then.
    pub async fn admit(&self, limit: Limit, sender: &[u8]) -> Result<(), LimitError> {
        let now = self.clock.now();
        let count = Count {
            keyed_hash: hex::encode(self.secret.of(&[limit.kind.as_bytes(), sender])),
            most: limit.most,
            ends_at: (now.div_euclid(limit.window) + 1) * limit.window,
        };
        let Some(ends_at) = self.store.count_request(&[count], now).await? else {
            return Ok(());
        };
        let retry_after = ends_at - now;
        Err(if limit.patient {
            LimitError::Busy { retry_after }
        } else {
            LimitError::TooMany { retry_after }
        })
    }
}
