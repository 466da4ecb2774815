//! How many requests of a kind one address or one account may send.
//!
//! Every count is in memory first, so that a client over its limit costs the database nothing. Counts by account are also in the database,
//! which replicas share; counts by address, for requests that need no account, are per replica. Addresses and accounts are stored only as
//! keyed hashes, and only until their window ends. Windows are aligned, so at most twice the limit fits into any period of that length.
//!
//! Not `governor`: counts by account need a count in memory that agrees with the one in the database, so there would be two mechanisms.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use moka::future::Cache;

use chain::clock::{Clock, UnixTime};
use store::Store;
use store::keyed_hash::KeyedHash;
use store::rate_limits::Count;

pub mod queue;
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
    /// Whether replicas share the count.
    shared: bool,
    /// Whether the refusal is 503 and not 429: `@supabase/auth-js` takes a 429 for the end of the session, and would sign out a whole office.
    is_busy: bool,
    /// Whether only what fails counts: [`RateLimits::forgive`] takes the rest back.
    is_forgiven: bool,
}

impl Limit {
    const fn by_address(kind: &'static str, most: i64, window: i64) -> Self {
        Self {
            kind,
            most,
            window,
            shared: false,
            is_busy: false,
            is_forgiven: false,
        }
    }

    const fn by_account(kind: &'static str, most: i64, window: i64) -> Self {
        Self {
            shared: true,
            ..Self::by_address(kind, most, window)
        }
    }

    const fn as_busy(mut self) -> Self {
        self.is_busy = true;
        self
    }

    fn refusal(self, count: &Count, now: UnixTime) -> LimitError {
        let retry_after = count.ends_at - now;
        match self.is_busy {
            true => LimitError::Busy { retry_after },
            false => LimitError::TooMany { retry_after },
        }
    }

    /// Counts failures only, at all replicas together.
    const fn of_failures(kind: &'static str, most: i64, window: i64) -> Self {
        Self {
            is_forgiven: true,
            ..Self::by_account(kind, most, window)
        }
    }
}

/// The most counts in memory. The cache evicts the counts of the least active clients first.
const MAX_COUNTS: u64 = 100_000;

/// How long a count stays in memory: the longest window.
const LONGEST_WINDOW: Duration = Duration::from_secs(60 * 60);

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// Starting a sign-in, by address.
pub const AUTHORIZE: Limit = Limit::by_address("authorize", 30, 5 * MINUTE);
/// Coming back from the provider, by address.
pub const CALLBACK: Limit = Limit::by_address("callback", 30, 5 * MINUTE);
/// Exchanging a code for a session, by address.
pub const EXCHANGE: Limit = Limit::by_address("exchange", 30, 5 * MINUTE);
/// Refreshing a session, by address: an office shares one, and every session in it is refreshed once an hour.
pub const REFRESH: Limit = Limit::by_address("refresh", 150, 5 * MINUTE).as_busy();
/// Error reports of the web app, by address.
pub const CLIENT_LOG: Limit = Limit::by_address("client-log", 60, 5 * MINUTE);
/// Downloading the whole board, by address: a million rows are some 100 MB.
pub const BOARD_EXPORT: Limit = Limit::by_address("board-export", 30, 5 * MINUTE);
/// Downloading the snapshot of the log, by address.
pub const LOG_SNAPSHOT: Limit = Limit::by_address("log-snapshot", 60, 5 * MINUTE);
/// Receipts of a few rows, by address: a page asks for those of rows that are opened.
pub const LOG_RECEIPTS: Limit = Limit::by_address("log-receipts", 300, 5 * MINUTE);
/// Creating a session, by account.
pub const SIGN_IN: Limit = Limit::by_account("sign-in", 30, HOUR);
/// Rotating a refresh token, by account: each device does it once an hour, in all its tabs at once.
pub const ROTATION: Limit = Limit::by_account("rotation", 600, 5 * MINUTE).as_busy();
/// Submitting a file, accepted or not, by account.
pub const SUBMIT: Limit = Limit::by_account("submit", 60, HOUR);
/// Files that were refused (rule C8), by account at the provider: deleting the profile here does not reset it. Every check of a file costs
/// look-ups.
pub const REFUSED: Limit = Limit::of_failures("refused", 10, HOUR);
/// The same by address, which several users may share.
pub const REFUSED_FROM: Limit = Limit::of_failures("refused-from", 60, HOUR);
/// Exporting the user's data, by account.
pub const EXPORT: Limit = Limit::by_account("export", 20, HOUR);
/// Starting a purchase, by account: each one calls the payment provider.
pub const CHECKOUT: Limit = Limit::by_account("checkout", 20, HOUR);

/// Why a request is refused. Both times are in seconds.
#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    #[error("too many requests")]
    TooMany { retry_after: i64 },
    /// The client did nothing wrong, and should only wait.
    #[error("the server is busy")]
    Busy { retry_after: i64 },
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// Counts requests by kind and sender.
#[derive(Debug)]
pub struct RateLimits {
    store: Store,
    clock: Clock,
    secret: KeyedHash,
    /// The requests that this process has admitted, by hash of the sender and end of the window.
    counts: Cache<(String, UnixTime), Arc<AtomicI64>>,
}

impl RateLimits {
    /// Loads the secret that all replicas share, which the hashes of senders are keyed with.
    pub async fn load(store: Store, clock: Clock) -> sqlx::Result<Self> {
        let secret = store.keyed_hash("rate-limits", clock.now()).await?;
        Ok(Self {
            store,
            clock,
            secret,
            counts: Cache::builder()
                .max_capacity(MAX_COUNTS)
                .time_to_live(LONGEST_WINDOW)
                .build(),
        })
    }

    /// Counts a request, and refuses it when its sender has sent too many of the kind.
    ///
    /// # Errors
    /// [`LimitError::TooMany`] or, by the kind, [`LimitError::Busy`]; and when the database fails.
    pub async fn admit(&self, limit: Limit, sender: &[u8]) -> Result<(), LimitError> {
        self.admit_all(&[(limit, sender)]).await.map(drop)
    }

    /// Counts a request towards several limits: towards all of them, or towards none when one is reached.
    ///
    /// # Errors
    /// As [`RateLimits::admit`].
    pub async fn admit_all(&self, limits: &[(Limit, &[u8])]) -> Result<Admission, LimitError> {
        let now = self.clock.now();
        let mut admission = Admission::default();
        for (limit, sender) in limits {
            let count = self.count(*limit, sender, now);
            let here = self.here(&count).await;
            if !add(&here, count.most) {
                admission.take_back();
                return Err(limit.refusal(&count, now));
            }
            admission.counted.push((*limit, count, here));
        }
        let is_shared = |(limit, ..): &&Counted| limit.shared;
        let shared: Vec<&Counted> = admission.counted.iter().filter(is_shared).collect();
        let counts: Vec<Count> = shared.iter().map(|(_, count, _)| count.clone()).collect();
        if counts.is_empty() {
            return Ok(admission);
        }
        let Some(full) = self.store.count_request(&counts, now).await? else {
            return Ok(admission);
        };
        admission.take_back();
        let (limit, count, here) = shared[full];
        if !limit.is_forgiven {
            // So that the next requests of this sender cost the database nothing.
            here.store(count.most, Ordering::Relaxed);
        }
        Err(limit.refusal(count, now))
    }

    /// Takes a request back where only failures count: it succeeded, or its failure is not the sender's fault.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forgive(&self, mut admission: Admission) -> sqlx::Result<()> {
        admission.counted.retain(|(limit, ..)| limit.is_forgiven);
        admission.take_back();
        let counts = admission.counted.into_iter().map(|(_, count, _)| count);
        self.store
            .uncount_request(&counts.collect::<Vec<_>>())
            .await
    }

    fn count(&self, limit: Limit, sender: &[u8], now: UnixTime) -> Count {
        Count {
            keyed_hash: hex::encode(self.secret.hash(&[limit.kind.as_bytes(), sender])),
            most: limit.most,
            ends_at: (now.div_euclid(limit.window) + 1) * limit.window,
        }
    }

    /// The number of requests that this process has admitted.
    async fn here(&self, count: &Count) -> Arc<AtomicI64> {
        let key = (count.keyed_hash.clone(), count.ends_at);
        self.counts.get_with(key, async { Arc::default() }).await
    }
}

/// Adds one, unless there are as many as may be.
fn add(count: &AtomicI64, most: i64) -> bool {
    let next = |count| (count < most).then_some(count + 1);
    let added = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
    added.is_ok()
}

/// A request that was counted, in memory too.
type Counted = (Limit, Count, Arc<AtomicI64>);

/// A request that was admitted. It counts unless it is forgiven, so that many at once do not get around a limit.
#[derive(Debug, Default)]
#[must_use]
pub struct Admission {
    counted: Vec<Counted>,
}

impl Admission {
    /// Takes it back in memory.
    fn take_back(&self) {
        for (_, _, here) in &self.counted {
            here.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
