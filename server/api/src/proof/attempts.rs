//! Limits how many files may fail (rule C8): every file that is checked costs look-ups.

use std::net::IpAddr;

use tokio::sync::OwnedSemaphorePermit;

use super::turns::Turns;
use crate::limits::network::customer_of;
use chain::clock::UnixTime;
use store::Store;
use store::keyed_hash::KeyedHash;
use store::rate_limits::Count;

/// The length of a window in seconds. Windows are aligned, so at most twice the limit fits into any
/// hour.
const WINDOW: i64 = 60 * 60;

/// Failures in a window for one account at the provider. Deleting the profile does not reset them.
const PER_SUBJECT: i64 = 10;

/// Failures in a window for one address: several people can share one.
const PER_ADDRESS: i64 = 60;

/// How many attempts of one account, and from one address, run at once. Others wait: many concurrent attempts on several replicas
/// then do not reach the limits without a failure.
const AT_ONCE_PER_SUBJECT: usize = 2;
const AT_ONCE_PER_ADDRESS: usize = 12;

/// Too many files of this account or address have failed.
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

/// Counts attempts in the database, which replicas share. Accounts and addresses appear there only as
/// keyed hashes, and only until their window is over.
#[derive(Debug)]
pub struct Attempts {
    secret: KeyedHash,
    store: Store,
    turns: Turns,
}

/// An attempt that is running. It counts as a failure until it is forgiven, so that many concurrent
/// ones do not get around the limit.
#[derive(Debug)]
#[must_use]
pub struct Attempt {
    counts: Vec<Count>,
    _turns: Vec<OwnedSemaphorePermit>,
}

impl Attempts {
    /// Counts in this database, with accounts and addresses hashed under this secret.
    #[must_use]
    pub fn new(secret: KeyedHash, store: Store) -> Self {
        Self {
            secret,
            store,
            turns: Turns::default(),
        }
    }

    /// Lets an attempt in once fewer are running, unless the account or the address has failed too often.
    ///
    /// # Errors
    /// [`sqlx::Error`] when the database fails; the inner error when there were too many failures.
    pub async fn begin(
        &self,
        (provider, subject): (&str, &str),
        address: Option<IpAddr>,
        now: UnixTime,
    ) -> Result<Result<Attempt, TooManyAttempts>, sqlx::Error> {
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
        let mut turns = Vec::new();
        for (count, at_once) in counts
            .iter()
            .zip([AT_ONCE_PER_SUBJECT, AT_ONCE_PER_ADDRESS])
        {
            turns.extend(self.turns.take(&count.keyed_hash, at_once).await);
        }
        Ok(match self.store.count_request(&counts, now).await? {
            None => Ok(Attempt {
                counts,
                _turns: turns,
            }),
            Some(full_until) => Err(TooManyAttempts {
                retry_after: full_until - now,
            }),
        })
    }

    /// Uncounts an attempt: it succeeded, or failed for no fault of the sender.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forgive(&self, attempt: Attempt) -> Result<(), sqlx::Error> {
        self.store.uncount_request(&attempt.counts).await
    }

    fn name(&self, parts: &[&[u8]]) -> String {
        hex::encode(self.secret.of(parts))
    }
}
