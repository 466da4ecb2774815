//! One source of several: checked before it is believed, and remembered for a while when it fails.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bitcoin::Network;
use tokio::sync::OnceCell;

use super::super::fresh::Fresh;
use super::super::{ChainError, ChainSource, Expected, network};
use super::question::Question;
use crate::clock::Clock;

/// The time for which a source that failed is asked after the others.
const MEMORY: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct Member {
    source: Arc<dyn ChainSource>,
    expected: Expected,
    /// Set once it is known to follow the network.
    checked: OnceCell<()>,
    failed: Mutex<Option<Instant>>,
}

impl Member {
    pub(super) fn new(source: Arc<dyn ChainSource>, expected: Expected, clock: &Clock) -> Self {
        let source: Arc<dyn ChainSource> = match expected.network {
            Network::Bitcoin => Arc::new(Fresh {
                source,
                clock: clock.clone(),
            }),
            _ => source,
        };
        Self {
            source,
            expected,
            checked: OnceCell::new(),
            failed: Mutex::new(None),
        }
    }

    pub(super) fn name(&self) -> &str {
        self.source.name()
    }

    /// Checks once that the source follows the network.
    pub(super) async fn check(&self) -> Result<(), ChainError> {
        self.checked
            .get_or_try_init(|| network::check(&*self.source, self.expected))
            .await
            .copied()
    }

    pub(super) async fn ask<Q: Question>(&self, question: &Q) -> Result<Q::Answer, ChainError> {
        let answer = match self.check().await {
            Ok(()) => question.ask(&*self.source).await,
            Err(failure) => Err(failure),
        };
        if let Err(failure) = &answer {
            tracing::warn!(%failure, "a chain source failed");
        }
        self.note(answer.as_ref().err().map(|_| Instant::now()));
        answer
    }

    /// Has it asked after the others for a while.
    pub(super) fn put_back(&self) {
        self.note(Some(Instant::now()));
    }

    pub(super) fn failed_lately(&self) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.is_some_and(|failed| failed.elapsed() < MEMORY)
    }

    fn note(&self, failed: Option<Instant>) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }
}
