//! How many requests of a kind one address or one account may send. Refused files have limits of their own
//! (`proof/attempts.rs`).
//!
//! Every count is in memory first: a client over its limit costs the database nothing. What is counted by account is counted in
//! the database too, which replicas share; requests that need no account are counted by address, by each
//! replica for itself. Addresses and accounts appear only as keyed hashes, and only until their window is over.
//! Windows are aligned, so at most twice the limit fits into any stretch of that length.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use moka::future::Cache;

use chain::clock::{Clock, UnixTime};
use store::Store;
use store::keyed_hash::KeyedHash;
use store::rate_limits::Count;

pub mod blocking;
pub mod network;
pub mod places;
pub mod single_flight;

/// One kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Each kind has counts of its own.
    kind: &'static str,
    /// The most in one window.
    most: i64,
    /// The length of a window in seconds.
    window: i64,
    /// Whether replicas count together.
    shared: bool,
    /// Whether a refused client gets "the server is busy": the client library takes any other refusal of these
    /// for the end of the session, and would sign out a whole office.
    patient: bool,
}

impl Limit {
    const fn by_address(kind: &'static str, most: i64, window: i64) -> Self {
        Self {
            kind,
            most,
            window,
            shared: false,
            patient: false,
        }
    }

    const fn by_account(kind: &'static str, most: i64, window: i64) -> Self {
        Self {
            shared: true,
            ..Self::by_address(kind, most, window)
        }
    }

    const fn patient(self) -> Self {
        Self {
            patient: true,
            ..self
        }
    }
}

/// How many counts are kept in memory. The cache keeps those of busy senders; of the others some are let in uncounted.
const MAX_COUNTS: u64 = 100_000;

/// How long a count is kept: the longest window.
const KEPT: Duration = Duration::from_secs(60 * 60);

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// Beginning to sign in, by address.
pub const AUTHORIZE: Limit = Limit::by_address("authorize", 30, 5 * MINUTE);
/// Coming back from the provider, by address.
pub const CALLBACK: Limit = Limit::by_address("callback", 30, 5 * MINUTE);
/// Exchanging a code for a session, by address.
pub const EXCHANGE: Limit = Limit::by_address("exchange", 30, 5 * MINUTE);
/// Going on with a session, by address: an office shares one, and everybody in it refreshes once an hour.
pub const REFRESH: Limit = Limit::by_address("refresh", 150, 5 * MINUTE).patient();
/// Reports of the web app, by address.
pub const CLIENT_LOG: Limit = Limit::by_address("client-log", 60, 5 * MINUTE);
/// Taking the whole board, by address: a million rows are some 100 MB.
pub const BOARD_EXPORT: Limit = Limit::by_address("board-export", 30, 5 * MINUTE);
/// Taking the snapshot of the log, by address.
pub const LOG_SNAPSHOT: Limit = Limit::by_address("log-snapshot", 60, 5 * MINUTE);
/// Taking receipts of a few rows, by address: a page asks for those of rows that are opened.
pub const LOG_RECEIPTS: Limit = Limit::by_address("log-receipts", 300, 5 * MINUTE);
/// Beginning a session, by account.
pub const SIGN_IN: Limit = Limit::by_account("sign-in", 30, HOUR);
/// Trying to rotate a refresh token, by account: each device does it once an hour, with all its tabs at once.
pub const ROTATION: Limit = Limit::by_account("rotation", 600, 5 * MINUTE).patient();
/// Submitting a file, whatever comes of it, by account.
pub const SUBMIT: Limit = Limit::by_account("submit", 60, HOUR);
/// Copying one's data, by account.
pub const EXPORT: Limit = Limit::by_account("export", 20, HOUR);
/// Beginning a purchase, by account: each one calls the payment provider.
pub const CHECKOUT: Limit = Limit::by_account("checkout", 20, HOUR);

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
    /// How many requests this process has let in, by sender and end of the window.
    counts: Cache<(String, UnixTime), Arc<AtomicI64>>,
}

impl RateLimits {
    /// Names senders under a secret that all replicas share.
    pub async fn load(store: Store, clock: Clock) -> sqlx::Result<Self> {
        let secret = store.keyed_hash("rate-limits", clock.now()).await?;
        Ok(Self {
            store,
            clock,
            secret,
            counts: Cache::builder()
                .max_capacity(MAX_COUNTS)
                .time_to_live(KEPT)
                .build(),
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
        if self.is_within(&count, limit.shared, now).await? {
            return Ok(());
        }
        let retry_after = count.ends_at - now;
        Err(if limit.patient {
            LimitError::Busy { retry_after }
        } else {
            LimitError::TooMany { retry_after }
        })
    }

    /// Counts a request here, and in the database when replicas count together. False when there are too many.
    async fn is_within(&self, count: &Count, shared: bool, now: UnixTime) -> sqlx::Result<bool> {
        let key = (count.keyed_hash.clone(), count.ends_at);
        let here = self.counts.get_with(key, async { Arc::default() }).await;
        if here.fetch_add(1, Ordering::Relaxed) >= count.most {
            return Ok(false);
        }
        if !shared {
            return Ok(true);
        }
        let counts = std::slice::from_ref(count);
        let full = self.store.count_request(counts, now).await?.is_some();
        if full {
            // The next requests of this sender cost the database nothing.
            here.store(count.most, Ordering::Relaxed);
        }
        Ok(!full)
    }
}
