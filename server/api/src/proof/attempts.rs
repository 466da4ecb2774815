//! Limits how often a user may fail (rule C8), because every check of a file costs look-ups.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::submission::SubmitError;
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

/// How long permits stay in memory after they were last asked for: longer than any attempt takes.
const PERMITS_KEPT: Duration = Duration::from_secs(60 * 60);

/// Counts attempts in the database, which replicas share. Accounts and addresses appear in it only as
/// keyed hashes, and only until their window is over.
#[derive(Debug)]
pub struct Attempts {
    secret: KeyedHash,
    store: Store,
    permits: Cache<String, Arc<Semaphore>>,
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
            permits: Cache::builder().time_to_idle(PERMITS_KEPT).build(),
        }
    }

    /// Begins an attempt, as soon as the account and the address have a permit for it.
    ///
    /// # Errors
    /// [`SubmitError::TooMany`] when the account or the address has failed too often, and when the database fails.
    pub async fn begin(
        &self,
        (provider, subject): (&str, &str),
        address: Option<IpAddr>,
        now: UnixTime,
    ) -> Result<Attempt, SubmitError> {
        let ends_at = (now.div_euclid(WINDOW) + 1) * WINDOW;
        let count = |sender: &[&[u8]], most| Count {
            keyed_hash: hex::encode(self.secret.hash(sender)),
            most,
            ends_at,
        };
        let subject: [&[u8]; 3] = [b"subject", provider.as_bytes(), subject.as_bytes()];
        let mut counts = vec![count(&subject, PER_SUBJECT)];
        counts.extend(address.map(|it| count(&[b"address", &customer_of(it)], PER_ADDRESS)));
        let mut permits = Vec::new();
        for (count, at_once) in counts
            .iter()
            .zip([AT_ONCE_PER_SUBJECT, AT_ONCE_PER_ADDRESS])
        {
            let new = async { Arc::new(Semaphore::new(at_once)) };
            let semaphore = self.permits.get_with_by_ref(&count.keyed_hash, new).await;
            permits.extend(semaphore.acquire_owned().await);
        }
        match self.store.count_request(&counts, now).await? {
            None => Ok(Attempt {
                counts,
                _permits: permits,
            }),
            Some(full_until) => Err(SubmitError::TooMany {
                retry_after: full_until - now,
            }),
        }
    }

    /// Does not count an attempt: it succeeded, or its failure is not the sender's fault.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forgive(&self, attempt: Attempt) -> sqlx::Result<()> {
        self.store.uncount_request(&attempt.counts).await
    }
}
