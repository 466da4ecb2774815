//! What Prometheus reads, on an address of its own that people do not reach.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::FutureExt;
use metrics::{counter, gauge};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};

use crate::config::Config;
use crate::http::connections::Connections;
use crate::http::functions::submit_proof::outcomes::OUTCOMES;
use crate::http::health::Health;
use crate::jobs::{self, Job, JobStates};
use crate::live::Live;
use crate::telemetry::log::DroppedLines;
use crate::telemetry::{self, names, usage};
use chain::clock::Clock;
use store::Store;

/// Bounds of the histograms, in seconds: from an answer out of memory to a chain source's deadline.
const SECONDS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0,
];

/// How long to wait for the database; Prometheus itself waits for ten seconds unless it is told otherwise.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often what was measured is sorted into the histograms. Until then it is kept as it is.
const UPKEEP: Duration = Duration::from_secs(5);

/// Begins to count. Before this, and without it, counting costs nothing.
///
/// # Errors
/// When somebody counts already.
pub fn start() -> Result<PrometheusHandle, BuildError> {
    let handle = PrometheusBuilder::new()
        .set_buckets(&SECONDS)?
        .install_recorder()?;
    names::describe();
    gauge!(names::STARTED).set(as_f64(Clock::System.now()));
    gauge!(names::BUILD_INFO, "version" => telemetry::VERSION, "commit" => telemetry::COMMIT)
        .set(1);
    for outcome in OUTCOMES {
        counter!(names::SUBMISSIONS, "outcome" => outcome).increment(0);
    }
    Ok(handle)
}

/// The rooms that are looked into when Prometheus asks, and how much they hold at most.
#[derive(Clone, Debug)]
pub struct Rooms {
    pub connections: Connections,
    pub health: Arc<Health>,
    pub jobs: Arc<JobStates>,
    pub live: Arc<Live>,
    pub store: Store,
    pub limits: Arc<Config>,
    pub dropped: DroppedLines,
}

/// Answers `GET /metrics`.
pub fn router(rooms: Rooms, handle: PrometheusHandle) -> Router {
    let upkeep = Job::every(UPKEEP, "metrics", &handle, |handle| {
        handle.run_upkeep();
        ready(Ok::<_, Infallible>(())).boxed()
    });
    // It goes on as long as the process.
    drop(jobs::begin(upkeep, &rooms.jobs));
    Router::new()
        .route("/metrics", get(read))
        .with_state((rooms, handle))
}

async fn read(State((rooms, handle)): State<(Rooms, PrometheusHandle)>) -> Response {
    rooms.look_around().await;
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, handle.render()).into_response()
}

impl Rooms {
    /// What is not counted as it happens. What cannot be had now keeps its last value.
    async fn look_around(&self) {
        for (name, value) in usage::now() {
            gauge!(name).set(as_f64(value));
        }
        counter!(names::LOG_DROPPED).absolute(self.dropped.count());
        gauge!(names::CONNECTIONS).set(as_f64(self.connections.open()));
        let most = self.limits.connections.max_connections;
        gauge!(names::CONNECTIONS_LIMIT).set(as_f64(most));
        gauge!(names::LIVE_STREAMS).set(as_f64(self.live.open_streams()));
        gauge!(names::LIVE_STREAMS_LIMIT).set(as_f64(self.limits.connections.max_streams));
        gauge!(names::DATABASE_CONNECTIONS_LIMIT).set(self.limits.operations.database_connections);
        let (open, idle) = self.store.connections();
        for (state, count) in [("idle", idle), ("busy", open.saturating_sub(idle))] {
            gauge!(names::DATABASE_CONNECTIONS, "state" => state).set(as_f64(count));
        }
        let (ready, tip, followed, unknown, set_aside) = tokio::join!(
            self.health.is_ready(),
            self.health.tip(),
            soon(self.health.followed()),
            soon(self.health.unknown_coins()),
            soon(self.health.set_aside())
        );
        gauge!(names::READY).set(u32::from(ready));
        let writable = self.health.writes_failing_since().is_none();
        gauge!(names::DATABASE_WRITABLE).set(u32::from(writable));
        gauge!(names::CHAIN_ANSWERS).set(u32::from(tip.is_some()));
        if let Some(tip) = tip {
            gauge!(names::TIP_HEIGHT).set(tip);
        }
        if let Some(followed) = followed {
            gauge!(names::FOLLOWER_HEIGHT).set(followed);
        }
        if let Some(unknown) = unknown {
            gauge!(names::UNKNOWN_COINS).set(as_f64(unknown));
        }
        if let Some(set_aside) = set_aside {
            gauge!(names::ACCOUNTS_SET_ASIDE).set(as_f64(set_aside));
        }
        if let Some((tip, followed)) = tip.zip(followed) {
            gauge!(names::FOLLOWER_LAG).set(tip.saturating_sub(followed));
        }
    }
}

/// What the database says, if it says anything: Prometheus does not wait long, and everything else is worth having.
async fn soon<T>(asked: impl Future<Output = Option<T>>) -> Option<T> {
    tokio::time::timeout(PATIENCE, asked).await.ok().flatten()
}

/// Exact for every number of seconds, bytes or connections that there can be.
#[allow(clippy::cast_precision_loss, reason = "what is above 2^53 is rounded")]
fn as_f64(number: impl TryInto<i64>) -> f64 {
    number
        .try_into()
        .map_or(f64::INFINITY, |number| number as f64)
}
