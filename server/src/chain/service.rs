//! One chain source as something that can fail: its name, its deadlines, and the words for its failures.

use std::future::Future;
use std::time::Duration;

use super::ChainError;

/// How long one request may take, from connecting to the last byte, unless set otherwise.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// How many requests of one look-up are under way at once.
pub(super) const IN_FLIGHT: usize = 8;

/// How many requests' time a whole look-up may take: a source that is slow at each of thousands of
/// coins must not hold a submission for hours.
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
}

impl Service {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            timeout: REQUEST_TIMEOUT,
        }
    }

    pub(super) fn set_timeout(&mut self, timeout: Duration) {
        self.timeout = timeout;
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// How long one request may take.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
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

    pub(super) fn invalid(&self, reason: impl Into<String>) -> ChainError {
        ChainError::Invalid {
            source_name: self.name.clone(),
            reason: reason.into(),
        }
    }
}
