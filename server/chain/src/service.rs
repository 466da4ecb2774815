//! One chain source as something that can fail: its name, its deadlines, and the words for its failures.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};

use super::{Behind, ChainError};

/// The time that one request may take, from connecting to the last byte, unless set otherwise.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The most requests that are under way at once: of one look-up, and of all of this process to one source.
pub(super) const IN_FLIGHT: usize = 8;

/// The time of a whole look-up, counted in requests: a source that is slow at each of
/// thousands of coins must not hold a submission for hours.
const LOOK_UP_REQUESTS: u32 = 6;

/// Limit in bytes for an answer that is a few fields.
pub(super) const SMALL_ANSWER: usize = 64 * 1024;

/// Largest block that the consensus rules allow: 4,000,000 weight units are at most as many bytes.
pub(super) const MAX_BLOCK_BYTES: usize = 4_000_000;

/// The name of a source and how long to wait for it.
#[derive(Clone, Debug)]
pub(super) struct Service {
    name: String,
    timeout: Duration,
    /// Room for answers, in blocks. Whoever has waited longest is next, so that a look-up of one coin is done long before
    /// one of thousands.
    room: Arc<Semaphore>,
    answered: Arc<Mutex<Option<Instant>>>,
}

impl Service {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            timeout: REQUEST_TIMEOUT,
            room: Arc::new(Semaphore::new(IN_FLIGHT)),
            answered: Arc::default(),
        }
    }

    pub(super) fn set_timeout(&mut self, timeout: Duration) {
        self.timeout = timeout;
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The time that one request may take.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Waits until a question may be asked whose answer has at most `limit` bytes. Longer answers take the room of several
    /// (rule C8).
    pub(super) async fn turn(&self, limit: usize) -> Result<SemaphorePermit<'_>, ChainError> {
        let blocks = limit.div_ceil(MAX_BLOCK_BYTES).clamp(1, IN_FLIGHT);
        let blocks = u32::try_from(blocks).unwrap_or(1);
        let turn = self.room.acquire_many(blocks).await;
        turn.map_err(|_| self.unreachable("nothing is asked any more"))
    }

    /// Remembers that the source has just answered.
    pub(super) fn note_answer(&self) {
        *self.answered.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether the source has answered within the time that a request may take: one that refuses everything is not busy but down.
    pub(super) fn answered_lately(&self) -> bool {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.is_some_and(|answered| answered.elapsed() < self.timeout)
    }

    /// Runs a whole look-up within its deadline.
    pub(super) async fn look_up<T>(
        &self,
        work: impl Future<Output = Result<T, ChainError>> + Send,
    ) -> Result<T, ChainError> {
        let deadline = self.timeout * LOOK_UP_REQUESTS;
        tokio::time::timeout(deadline, work)
            .await
            .unwrap_or_else(|_| {
                Err(self.unreachable(format!("the look-up took longer than {deadline:?}")))
            })
    }

    /// The failure of a request that took too long.
    pub(super) fn late(&self) -> ChainError {
        self.unreachable(format!("no answer within {:?}", self.timeout))
    }

    pub(super) fn unreachable(&self, reason: impl Into<String>) -> ChainError {
        ChainError::Unreachable {
            source_name: self.name.clone(),
            reason: reason.into(),
        }
    }

    pub(super) fn behind(&self, behind: Behind) -> ChainError {
        ChainError::Behind {
            source_name: self.name.clone(),
            behind,
        }
    }

    pub(super) fn invalid(&self, reason: impl Into<String>) -> ChainError {
        ChainError::Invalid {
            source_name: self.name.clone(),
            reason: reason.into(),
        }
    }
}
