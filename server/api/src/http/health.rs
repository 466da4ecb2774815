//! Liveness and readiness, for load balancers, containers and people on call.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use futures_util::FutureExt;
use moka::future::Cache;
use parking_lot::Mutex;
use serde::Serialize;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::board::refresh::BoardReceiver;
use crate::jobs::{Job, JobState, JobStates};
use chain::clock::{Clock, UnixTime};
use chain::{Behind, Chain};
use store::Store;
use store::values::Time;

/// How long the chain's tip is cached: anyone may ask for `/readyz`, and the sources should not notice.
const FRESH: Duration = Duration::from_secs(15);

/// How long to wait for the chain, and for the database.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How often a small write is tried, and how often it is checked whether the chain is followed.
const CHECK: Duration = Duration::from_secs(10);

/// Blocks that nobody has followed for this many seconds are a trouble, which is known within a minute. Another replica takes over from one that
/// has crashed sooner.
const STANDS: i64 = 30;

/// The most seconds by which this machine's clock may differ from the database's.
const CLOCK_DIFFERS: i64 = 5;

/// The job that tries it.
const WRITES: &str = "writes";

/// Coins that are unknown for this many seconds are a trouble.
const LASTING: i64 = 60 * 60;

/// `/readyz`: the board can be served. While it cannot, send requests elsewhere; restarting would not help.
pub async fn get_readiness(State(health): State<Arc<Health>>) -> (StatusCode, Json<Readiness>) {
    let readiness = health.readiness().await;
    let status = if readiness.reasons.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(readiness))
}

/// A job that tries a small write again and again, so that a full disk is noticed before a visitor meets it.
pub fn write_check(health: &Arc<Health>) -> Job {
    let job = Job::every(CHECK, WRITES, health, |health| health.try_write().boxed());
    job.again_after(CHECK)
}

/// A job that notices that no replica follows the chain: the one with the lease may be frozen, and says nothing.
pub fn follower_check(health: &Arc<Health>) -> Job {
    Job::every(CHECK, "watch", health, |health| {
        health.watch_follower().boxed()
    })
}

/// The state of this process.
#[derive(Debug)]
pub struct Health {
    pub store: Store,
    pub board: BoardReceiver,
    pub clock: Clock,
    pub chain: Arc<Chain>,
    pub jobs: Arc<JobStates>,
    pub stopping: CancellationToken,
    pub tip: TipCache,
    pub watched: Mutex<Watched>,
}

/// What the jobs of this room have noticed.
#[derive(Debug, Default)]
pub struct Watched {
    /// The height up to which the chain was followed when it was behind, and since when it has not moved; none while it is not behind.
    behind: Option<(u32, UnixTime)>,
    /// By how many seconds the database's clock is ahead of this machine's.
    clock_differs: i64,
}

/// The height of the newest block, or what the sources lack. The server log says which sources are to blame.
pub type TipCache = Cache<(), Result<u32, Option<Behind>>>;

pub fn tip_cache() -> TipCache {
    Cache::builder().time_to_live(FRESH).build()
}

/// The response of `/readyz`.
#[derive(Debug, Serialize)]
pub struct Readiness {
    /// `ok`; `degraded` while the board is served and something else needs a human; `unavailable`.
    status: &'static str,
    /// Why the board cannot be served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<Trouble>,
    /// Accounts whose totals are in doubt, so that the board counts nothing for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    accounts_set_aside: Option<i64>,
    /// Since when the database takes no writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    writes_failing_since: Option<Time>,
    /// By how many seconds the database's clock is ahead of this machine's, when they differ by more than five.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_differs_by: Option<i64>,
    /// What is wrong although the board is served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    troubles: Vec<Trouble>,
    /// The background jobs of this process.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    jobs: BTreeMap<&'static str, JobState>,
}

/// A problem: a stable kebab-case code, and a sentence. Hosts and credentials are only in the server log.
#[derive(Clone, Copy, Debug, Serialize)]
struct Trouble {
    code: &'static str,
    message: &'static str,
}

impl Trouble {
    const fn new(code: &'static str, message: &'static str) -> Self {
        Self { code, message }
    }
}

const COINS_UNKNOWN: Trouble = Trouble::new(
    "coins-unknown",
    "Too few chain sources say the same about some proven coins. Their claims stay as they are, and the sources are asked again.",
);
const LOG_FORKED: Trouble = Trouble::new(
    "log-forked",
    "A witness or a replica's PUBLISHED_LOG knows another history of the board's log. Nothing is added to it until an operator has looked.",
);
const FOLLOWER_STANDS: Trouble = Trouble::new(
    "follower-stands",
    "The chain has blocks that no replica has followed for half a minute. Coins that they spend still count.",
);
const CLOCK: Trouble = Trouble::new(
    "clock-differs",
    "This machine's clock differs from the database's by more than five seconds. Synchronize both (NTP).",
);
const STOPPING: Trouble = Trouble::new("stopping", "The server is stopping.");
const NO_CHAIN: Trouble = Trouble::new(
    "chain-unavailable",
    "Too few chain sources answer, or they do not agree.",
);
const REPLACED: Trouble = Trouble::new(
    "database-replaced",
    "The file of the database was replaced or removed while the server was running. Restart the server.",
);
const NOT_MIGRATED: Trouble = Trouble::new(
    "database-not-migrated",
    "The database is of another release than this server.",
);
const UNREAD: Trouble = Trouble::new("board-not-read", "The board is not read yet.");
const NO_DATABASE: Trouble = Trouble::new("database-unavailable", "The database does not answer.");

impl Health {
    /// Whether the board can be served.
    pub async fn is_ready(&self) -> bool {
        !self.stopping.is_cancelled() && self.database().await.is_none()
    }

    /// The height of the newest block, at most [`FRESH`] old; else what the sources lack, if that is why there is none.
    pub async fn cached_tip(&self) -> Result<u32, Option<Behind>> {
        let ask = async {
            match timeout(TIMEOUT, self.chain.tip()).await {
                Ok(Ok(tip)) => Ok(tip.height),
                Ok(Err(error)) => {
                    tracing::warn!(%error, "the chain cannot be asked");
                    Err(error.behind())
                }
                Err(_) => {
                    tracing::warn!("the chain does not answer within {TIMEOUT:?}");
                    Err(None)
                }
            }
        };
        self.tip.get_with((), ask).await
    }

    /// Height up to which spent coins have ended claims; none when that is not known.
    pub async fn followed(&self) -> Option<u32> {
        let cursor = self.store.cursor(self.chain.network_name()).await;
        Some(cursor.ok()??.block.height())
    }

    /// The number of proven coins about which too few sources agree for at least this many seconds; none when that is not known.
    pub async fn unknown_coins(&self, seconds: i64) -> Option<i64> {
        let since = self.clock.now() - seconds;
        let unknown = self.store.unknown_claims(self.chain.network_name(), since);
        unknown.await.ok()
    }

    /// How many accounts are set aside (decisions, D20); none when that is not known.
    pub async fn set_aside(&self) -> Option<i64> {
        self.store.set_aside().await.ok()
    }

    /// Whether a witness, or the folder of a replica, knows another history of the log; none when that is not known.
    pub async fn log_forked(&self) -> Option<bool> {
        Some(self.store.log_forked().await.ok()?.is_some())
    }

    async fn readiness(&self) -> Readiness {
        let (database, tip) = tokio::join!(self.database(), self.cached_tip());
        let (unknown, set_aside, forked) = match database {
            None => (
                self.unknown_coins(LASTING).await,
                self.set_aside().await,
                self.log_forked().await,
            ),
            Some(_) => (None, None, None),
        };
        let forked = forked.filter(|forked| *forked).map(|_| LOG_FORKED);
        let accounts_set_aside = set_aside.filter(|accounts| *accounts > 0);
        let coins = unknown.filter(|coins| *coins > 0).map(|_| COINS_UNKNOWN);
        let stopping = self.stopping.is_cancelled().then_some(STOPPING);
        let chain = tip
            .err()
            .map(|behind| behind.map_or(NO_CHAIN, |it| Trouble::new(it.into(), it.sentence())));
        let reasons: Vec<_> = stopping.into_iter().chain(database).collect();
        let writes_failing_since = self.writes_failing_since();
        let stands = self.follower_stands().then_some(FOLLOWER_STANDS);
        let clock_differs_by = self.clock_differs_by();
        let clock = clock_differs_by.map(|_| CLOCK);
        let degraded = writes_failing_since.is_some()
            || accounts_set_aside.is_some()
            || forked.or(stands).or(clock).is_some();
        Readiness {
            status: match (reasons.is_empty(), degraded) {
                (false, _) => "unavailable",
                (true, true) => "degraded",
                (true, false) => "ok",
            },
            reasons,
            accounts_set_aside,
            writes_failing_since,
            clock_differs_by,
            troubles: [chain, coins, forked, stands, clock]
                .into_iter()
                .flatten()
                .collect(),
            jobs: self.jobs.all(),
        }
    }

    /// Tries a small write, and compares the clocks.
    ///
    /// # Errors
    /// When the database takes no writes.
    pub async fn try_write(&self) -> Result<(), sqlx::Error> {
        let before = self.clock.now();
        let written = timeout(TIMEOUT, self.store.try_write()).await;
        let theirs = written.unwrap_or(Err(sqlx::Error::PoolTimedOut))?;
        // The answer was made at some moment in between.
        let ahead = theirs - theirs.clamp(before, self.clock.now());
        let known = mem::replace(&mut self.watched.lock().clock_differs, ahead);
        if differs(ahead) && !differs(known) {
            tracing::warn!(
                seconds = ahead,
                "the database's clock differs from this machine's; synchronize both (NTP)"
            );
        }
        Ok(())
    }

    /// By how many seconds the database's clock is ahead of this machine's; none while they agree.
    fn clock_differs_by(&self) -> Option<i64> {
        Some(self.watched.lock().clock_differs).filter(|ahead| differs(*ahead))
    }

    /// Notes whether the chain is followed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn watch_follower(&self) -> Result<(), sqlx::Error> {
        let cursor = self.store.cursor(self.chain.network_name()).await?;
        let (tip, now) = (self.cached_tip().await, self.clock.now());
        let followed = cursor.map_or(0, |cursor| cursor.block.height());
        let mut watched = self.watched.lock();
        let before = watched.behind.filter(|(height, _)| *height == followed);
        watched.behind = match tip {
            Ok(tip) if tip > followed => before.or(Some((followed, now))),
            Ok(_) => None,
            // Without a tip nothing new is known.
            Err(_) => before,
        };
        Ok(())
    }

    fn follower_stands(&self) -> bool {
        let (behind, now) = (self.watched.lock().behind, self.clock.now());
        behind.is_some_and(|(_, since)| now - since >= STANDS)
    }

    /// Since when small writes fail; none while they succeed.
    pub fn writes_failing_since(&self) -> Option<Time> {
        self.jobs.all().get(WRITES)?.failing_since
    }

    /// Why the board cannot be read from the database, if that is so.
    async fn database(&self) -> Option<Trouble> {
        if self.store.is_replaced() {
            return Some(REPLACED);
        }
        let asking = async {
            if !self.store.is_migrated().await? {
                return Ok(Some(NOT_MIGRATED));
            }
            // The board in memory misses changes while the table cannot be read.
            if let Err(error) = self.store.shown_profiles("", "g", 1).await {
                tracing::warn!(%error, "not ready: the board cannot be read");
                return Ok(Some(UNREAD));
            }
            Ok(self.board.borrow().is_none().then_some(UNREAD))
        };
        let asked = timeout(TIMEOUT, asking).await;
        let trouble = asked.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        trouble.unwrap_or_else(|error| {
            tracing::warn!(%error, "not ready: the database does not answer");
            Some(NO_DATABASE)
        })
    }
}

fn differs(ahead: i64) -> bool {
    ahead.abs() > CLOCK_DIFFERS
}
