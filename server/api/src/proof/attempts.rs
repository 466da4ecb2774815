//! Limits how often a user may fail (rule C8), because every check of a file costs look-ups.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::permits::customer_of;
use chain::clock::UnixTime;
use store::Store;
use store::keyed_hash::KeyedHash;
use store::rate_limits::Count;

/// The length of a window in seconds. Windows are aligned, so at most twice the limit fits into any
/// hour.
const WINDOW: i64 = 60 * 60;

/// Failures in a window for one account at the provider. Deleting the profile does not reset them.
const PER_SUBJECT: i64 = 10;

/// Failures in a window for one address, which several users may share.
const PER_ADDRESS: i64 = 60;

/// The most attempts at once of one account, and from one address. Others wait, so that attempts at once on several replicas
/// do not reach the limits without having failed.
const AT_ONCE_PER_SUBJECT: usize = 2;
const AT_ONCE_PER_ADDRESS: usize = 12;

/// The account or the address has failed too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "Too many files have been refused in the last hour. Wait {} and try again.",
    in_words(*.retry_after)
)]
pub struct TooManyAttempts {
    /// After how many seconds to try again.
    pub retry_after: i64,
}

fn in_words(seconds: i64) -> String {
    match (seconds + 59) / 60 {
        1 => "a minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

/// Counts attempts in the database, which replicas share. Accounts and addresses appear in it only as
/// keyed hashes, and only until their window is over.
#[derive(Debug)]
pub struct Attempts {
    secret: KeyedHash,
    store: Store,
    permits: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// An attempt under way. It counts as a failure until [`Attempts::forgive`], so that many at
/// once do not get around the limit.
#[derive(Debug)]
#[must_use]
pub struct Attempt {
    counts: Vec<Count>,
    _permits: Vec<OwnedSemaphorePermit>,
}

impl Attempts {
    /// Counts in this database, under keyed hashes with this secret.
    pub fn new(secret: KeyedHash, store: Store) -> Self {
        Self {
            secret,
            store,
            permits: Mutex::default(),
        }
    }

    /// Begins an attempt, as soon as the account and the address have a permit for it.
    ///
    /// # Errors
    /// [`sqlx::Error`] when the database fails; the inner error when the account or the address has failed too often.
    pub async fn begin(
        &self,
        (provider, subject): (&str, &str),
        address: Option<IpAddr>,
        now: UnixTime,
    ) -> sqlx::Result<Result<Attempt, TooManyAttempts>> {
        let ends_at = (now.div_euclid(WINDOW) + 1) * WINDOW;
        let mut counts = vec![Count {
            keyed_hash: self.name(&[b"subject", provider.as_bytes(), subject.as_bytes()]),
            most: PER_SUBJECT,
            ends_at,
        }];
        counts.extend(address.map(|address| Count {
            keyed_hash: self.name(&[b"address", &customer_of(address)]),
            most: PER_ADDRESS,
            ends_at,
        }));
        let mut permits = Vec::new();
        for (count, at_once) in counts
            .iter()
            .zip([AT_ONCE_PER_SUBJECT, AT_ONCE_PER_ADDRESS])
        {
            let semaphore = self.semaphore(&count.keyed_hash, at_once);
            permits.extend(semaphore.acquire_owned().await);
        }
        Ok(match self.store.count_request(&counts, now).await? {
            None => Ok(Attempt {
                counts,
                _permits: permits,
            }),
            Some(full_until) => Err(TooManyAttempts {
                retry_after: full_until - now,
            }),
        })
    }

    /// Does not count an attempt: it succeeded, or its failure is not the sender's fault.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forgive(&self, attempt: Attempt) -> sqlx::Result<()> {
        self.store.uncount_request(&attempt.counts).await
    }

    /// The permits of an account or an address in this process, while one of them is in use.
    fn semaphore(&self, name: &str, at_once: usize) -> Arc<Semaphore> {
        let mut permits = self.permits.lock();
        permits.retain(|_, semaphore| semaphore.strong_count() > 0);
        let in_use = permits.get(name).and_then(Weak::upgrade);
        in_use.unwrap_or_else(|| {
            let semaphore = Arc::new(Semaphore::new(at_once));
            permits.insert(name.to_owned(), Arc::downgrade(&semaphore));
            semaphore
        })
    }

    fn name(&self, parts: &[&[u8]]) -> String {
        hex::encode(self.secret.hash(parts))
    }
}
