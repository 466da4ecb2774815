//! Whether this process can serve: for load balancers, containers and people on call.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::Mutex;

use crate::state::AppState;

/// How long an answer of the chain is good for: everybody may ask whether the server is ready, and the
/// sources should not notice.
const FRESH: Duration = Duration::from_secs(15);

/// How long to wait for the chain, and for the database.
const PATIENCE: Duration = Duration::from_secs(5);

/// What this process knows about its own state.
#[derive(Debug, Default)]
pub struct Health {
    stopping: AtomicBool,
    chain: Mutex<Option<Asked>>,
}

/// The newest answer of the chain.
#[derive(Clone, Copy, Debug)]
struct Asked {
    at: Instant,
    tip: Result<u32, NoAnswer>,
}

/// The chain could not be asked. Why is in the log.
#[derive(Clone, Copy, Debug)]
pub struct NoAnswer;

/// Why the server is not ready. Says nothing about hosts or credentials, which are in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// Stable kebab-case code.
    pub code: &'static str,
    /// What is wrong, for people.
    pub message: &'static str,
}

impl Health {
    /// From now on the server is not ready: it finishes what it has begun.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Height of the newest block, at most [`FRESH`] old.
    ///
    /// # Errors
    /// When the chain could not be asked, now or that short a while ago.
    pub async fn tip(&self, state: &AppState) -> Result<u32, NoAnswer> {
        // Held while asking: whoever comes meanwhile waits for the same answer.
        let mut asked = self.chain.lock().await;
        if let Some(asked) = *asked
            && asked.at.elapsed() < FRESH
        {
            return asked.tip;
        }
        let tip = match tokio::time::timeout(PATIENCE, state.chain.tip()).await {
            Ok(Ok(tip)) => Ok(tip.height),
            Ok(Err(error)) => {
                tracing::warn!(%error, "not ready: the chain cannot be asked");
                Err(NoAnswer)
            }
            Err(_) => {
                tracing::warn!("not ready: the chain does not answer within {PATIENCE:?}");
                Err(NoAnswer)
            }
        };
        let at = Instant::now();
        *asked = Some(Asked { at, tip });
        tip
    }
}

/// Everything that keeps the server from doing its work; nothing when it is ready.
pub async fn reasons(state: &AppState) -> Vec<Reason> {
    let (database, chain) = tokio::join!(database(state), state.health.tip(state));
    let stopping = state
        .health
        .stopping
        .load(Ordering::Relaxed)
        .then_some(Reason {
            code: "stopping",
            message: "The server has been told to stop.",
        });
    let chain = chain.err().map(|NoAnswer| Reason {
        code: "chain-unavailable",
        message: "Too few chain sources answer, or they do not agree.",
    });
    stopping.into_iter().chain(database).chain(chain).collect()
}

async fn database(state: &AppState) -> Option<Reason> {
    let unavailable = Reason {
        code: "database-unavailable",
        message: "The database does not answer.",
    };
    match tokio::time::timeout(PATIENCE, state.store.is_migrated()).await {
        Ok(Ok(true)) => None,
        Ok(Ok(false)) => Some(Reason {
            code: "database-not-migrated",
            message: "The database is of another release than this server.",
        }),
        Ok(Err(error)) => {
            tracing::warn!(%error, "not ready: the database fails");
            Some(unavailable)
        }
        Err(_) => {
            tracing::warn!("not ready: the database does not answer within {PATIENCE:?}");
            Some(unavailable)
        }
    }
}
