//! What all kinds of sources share: a name, deadlines, a limit on requests, and errors.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::ChainError;

/// The time limit of one request, from connecting to the last byte, unless set otherwise.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The most requests at once: of one look-up, and of this process to one source.
pub(super) const IN_FLIGHT: usize = 8;

/// The time limit of a whole look-up, as a multiple of that of a request: a source that is slow for each of
/// thousands of coins must not hold up a submission for hours.
const LOOK_UP_REQUESTS: u32 = 6;

/// The limit in bytes for a response with a few fields.
pub(super) const SMALL_ANSWER: usize = 64 * 1024;

/// The largest block that the consensus rules allow: 4,000,000 weight units are at most as many bytes.
pub(super) const MAX_BLOCK_BYTES: usize = 4_000_000;

/// The name of a source and its time limits.
#[derive(Clone, Debug)]
pub(super) struct Service {
    name: String,
    timeout: Duration,
    /// Permits for responses; each is for one block's worth of bytes. They are given out in order, so that a look-up of one coin does
    /// not wait for all requests of a look-up of thousands.
    permits: Arc<Semaphore>,
    answered: Arc<Mutex<Option<Instant>>>,
}

impl Service {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            timeout: REQUEST_TIMEOUT,
            permits: Arc::new(Semaphore::new(IN_FLIGHT)),
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

    /// Waits until a request may be sent whose response has at most `limit` bytes. Large responses need several permits (rule C8).
    pub(super) async fn permit(&self, limit: usize) -> Result<SemaphorePermit<'_>, ChainError> {
        let blocks = limit.div_ceil(MAX_BLOCK_BYTES).clamp(1, IN_FLIGHT);
        let blocks = u32::try_from(blocks).unwrap_or(1);
        let permit = self.permits.acquire_many(blocks).await;
        permit.map_err(|_| self.unreachable("the server is stopping"))
    }

    /// Remembers that the source has just answered.
    pub(super) fn note_answer(&self) {
        *self.answered.lock() = Some(Instant::now());
    }

    /// Whether the source has answered within the time that a request may take. A source that refuses everything is down, not busy.
    pub(super) fn has_answered_recently(&self) -> bool {
        let answered = *self.answered.lock();
        answered.is_some_and(|answered| answered.elapsed() < self.timeout)
    }

    /// Runs a whole look-up within its deadline.
    pub(super) async fn look_up<T>(
        &self,
        work: impl Future<Output = Result<T, ChainError>> + Send,
    ) -> Result<T, ChainError> {
        let deadline = self.timeout * LOOK_UP_REQUESTS;
        let late = || self.unreachable(format!("the look-up took longer than {deadline:?}"));
        let answer = tokio::time::timeout(deadline, work).await;
        answer.unwrap_or_else(|_| Err(late()))
    }

    /// The error for a request that took too long.
    pub(super) fn late(&self) -> ChainError {
        self.unreachable(format!("no answer within {:?}", self.timeout))
    }

    pub(super) fn unreachable(&self, reason: impl Into<String>) -> ChainError {
        ChainError::unreachable(&self.name, reason)
    }

    pub(super) fn invalid(&self, reason: impl Into<String>) -> ChainError {
        ChainError::invalid(&self.name, reason)
    }
}
