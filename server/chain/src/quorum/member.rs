//! One of several sources: checked before it is believed, and asked last for a while after it failed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bitcoin::absolute::LOCK_TIME_THRESHOLD;
use bitcoin::{Network, OutPoint};
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::OnceCell;

use crate::clock::Clock;
use crate::{Behind, ChainError, ChainSource, Checkpoint, Coin, FoundCoins, Tip, isolate, network};

/// How long a source that failed is asked after the others.
const DEMOTION: Duration = Duration::from_secs(30);

const HOUR: i64 = 60 * 60;

/// A source of mainnet whose newest block is older, in seconds by median time past, lags (rule B6): the
/// median is about an hour behind, and six hours with no more than five blocks happen once in many thousand years.
const STALE: i64 = 6 * HOUR;

#[derive(Debug)]
pub(super) struct Member {
    pub(super) source: Arc<dyn ChainSource>,
    network: Network,
    checkpoint: Option<Checkpoint>,
    clock: Clock,
    /// Set once the source is known to follow the network.
    checked: OnceCell<()>,
    failed: Mutex<Option<Instant>>,
}

impl Member {
    pub(super) fn new(
        source: Arc<dyn ChainSource>,
        network: Network,
        checkpoint: Option<Checkpoint>,
        clock: Clock,
    ) -> Self {
        Self {
            source,
            network,
            checkpoint,
            clock,
            checked: OnceCell::new(),
            failed: Mutex::default(),
        }
    }

    /// Checks once that the source follows the network.
    pub(super) async fn check(&self) -> Result<(), ChainError> {
        self.checked
            .get_or_try_init(|| network::check(&*self.source, self.network, self.checkpoint))
            .await
            .copied()
    }

    /// Asks the source, measures how long that takes, and remembers whether it failed.
    pub(super) async fn ask<'m, T>(
        &'m self,
        question: &'static str,
        work: impl FnOnce(&'m Self) -> BoxFuture<'m, Result<T, ChainError>>,
    ) -> Result<T, ChainError> {
        let begin = Instant::now();
        let answer = match self.check().await {
            Ok(()) => work(self).await,
            Err(failure) => Err(failure),
        };
        let result = answer.as_ref().err().map_or("ok", Into::into);
        let source = self.source.name().to_owned();
        metrics::histogram!("chain_request_duration_seconds", "source" => source, "question" => question, "result" => result)
            .record(begin.elapsed());
        match &answer {
            Ok(_) => *self.failed.lock() = None,
            // A block has arrived, which is not the source's fault.
            Err(ChainError::Moved) => {}
            Err(failure) => {
                tracing::warn!(%failure, "a chain source failed");
                self.demote();
            }
        }
        answer
    }

    /// The state of each outpoint at one tip, which is read before and after (rule B2). Without outpoints, only the tip.
    pub(super) async fn look_up(&self, outpoints: &[OutPoint]) -> Result<FoundCoins, ChainError> {
        let tip = self.tip().await?;
        let mut coins = Vec::new();
        if !outpoints.is_empty() {
            coins = isolate::coins(&*self.source, outpoints).await?;
            // Some sources index a block before they report it as their tip.
            let ahead = coins
                .iter()
                .any(|coin| matches!(coin, Coin::Unspent(coin) if coin.height > Some(tip.height)));
            if ahead || self.tip().await?.hash != tip.hash {
                return Err(ChainError::Moved);
            }
        }
        Ok(FoundCoins {
            tip,
            coins,
            median_times: HashMap::new(),
        })
    }

    /// The newest block, unless it is implausible. Networks other than mainnet may have no block for days.
    async fn tip(&self) -> Result<Tip, ChainError> {
        let tip = self.source.tip().await?;
        if tip.height >= LOCK_TIME_THRESHOLD {
            let reason = "a height that no chain reaches";
            return Err(ChainError::invalid(self.source.name(), reason));
        }
        let age = self.clock.now().saturating_sub(tip.median_time);
        if self.network == Network::Bitcoin && age >= STALE {
            return Err(ChainError::Behind {
                source_name: self.source.name().to_owned(),
                behind: Behind::Stale { hours: age / HOUR },
            });
        }
        Ok(tip)
    }

    /// Asks this source after the others for a while.
    pub(super) fn demote(&self) {
        *self.failed.lock() = Some(Instant::now());
    }

    pub(super) fn is_demoted(&self) -> bool {
        self.failed.lock().is_some_and(|it| it.elapsed() < DEMOTION)
    }
}
