//! One source of several: checked before it is believed, and remembered for a while when it fails.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bitcoin::absolute::LOCK_TIME_THRESHOLD;
use bitcoin::{Network, OutPoint};
use futures_util::future::BoxFuture;
use tokio::sync::OnceCell;

use crate::clock::Clock;
use crate::{Behind, ChainError, ChainSource, Coin, Expected, Snapshot, Tip, isolate, network};

/// The time for which a source that failed is asked after the others.
const MEMORY: Duration = Duration::from_secs(30);

const HOUR: i64 = 60 * 60;

/// The age in seconds, by median time past, from which on the newest block shows that a source of mainnet lags (rule B6): the
/// median is about an hour behind, and six hours with no more than five blocks come once in many thousand years.
const STALE: i64 = 6 * HOUR;

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) source: Arc<dyn ChainSource>,
    expected: Expected,
    clock: Clock,
    /// Set once it is known to follow the network.
    checked: OnceCell<()>,
    failed: Mutex<Option<Instant>>,
}

impl Member {
    pub(crate) fn new(source: Arc<dyn ChainSource>, expected: Expected, clock: Clock) -> Self {
        Self {
            source,
            expected,
            clock,
            checked: OnceCell::new(),
            failed: Mutex::new(None),
        }
    }

    pub(crate) fn name(&self) -> &str {
        self.source.name()
    }

    /// Checks once that the source follows the network.
    pub(crate) async fn check(&self) -> Result<(), ChainError> {
        self.checked
            .get_or_try_init(|| network::check(&*self.source, self.expected))
            .await
            .copied()
    }

    /// Asks the source, and remembers whether it failed.
    pub(crate) async fn ask<'m, T>(
        &'m self,
        question: impl FnOnce(&'m Self) -> BoxFuture<'m, Result<T, ChainError>>,
    ) -> Result<T, ChainError> {
        let answer = match self.check().await {
            Ok(()) => question(self).await,
            Err(failure) => Err(failure),
        };
        match &answer {
            Ok(_) => self.note(None),
            // A block has arrived, which is no fault of the source.
            Err(ChainError::Moved) => {}
            Err(failure) => {
                tracing::warn!(%failure, "a chain source failed");
                self.put_back();
            }
        }
        answer
    }

    /// The state of each outpoint at one tip, which is read before and after (rule B2). Of no outpoints it is the tip alone.
    pub(crate) async fn look_up(&self, outpoints: &[OutPoint]) -> Result<Snapshot, ChainError> {
        let tip = self.tip().await?;
        let mut coins = Vec::new();
        if !outpoints.is_empty() {
            coins = isolate::coins(&*self.source, outpoints).await?;
            // Some sources have a block in their index before they name it as the newest.
            let ahead = coins
                .iter()
                .any(|coin| matches!(coin, Coin::Unspent(coin) if coin.height > Some(tip.height)));
            if ahead || self.tip().await?.hash != tip.hash {
                return Err(ChainError::Moved);
            }
        }
        Ok(Snapshot {
            tip,
            coins,
            median_times: HashMap::new(),
        })
    }

    /// The newest block, when it can be one. Networks other than mainnet stand still for days.
    async fn tip(&self) -> Result<Tip, ChainError> {
        let tip = self.source.tip().await?;
        let source_name = || self.name().to_owned();
        if tip.height >= LOCK_TIME_THRESHOLD {
            return Err(ChainError::Invalid {
                source_name: source_name(),
                reason: "a height that no chain reaches".to_owned(),
            });
        }
        let age = self.clock.now().saturating_sub(tip.median_time);
        if self.expected.network == Network::Bitcoin && age >= STALE {
            return Err(ChainError::Behind {
                source_name: source_name(),
                behind: Behind::Stale { hours: age / HOUR },
            });
        }
        Ok(tip)
    }

    /// Has it asked after the others for a while.
    pub(crate) fn put_back(&self) {
        self.note(Some(Instant::now()));
    }

    pub(crate) fn failed_lately(&self) -> bool {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.is_some_and(|failed| failed.elapsed() < MEMORY)
    }

    fn note(&self, failed: Option<Instant>) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }
}
