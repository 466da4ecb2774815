//! The page that Prometheus reads, on an address of its own that visitors do not reach. `.github/OPERATIONS.md` says what each metric means.

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
use metrics_process::Collector;

use crate::config::Config;
use crate::http::connections::Connections;
use crate::http::functions::submit_proof::outcomes::{OUTCOMES, SUBMISSIONS};
use crate::http::health::Health;
use crate::jobs::{self, Job};
use crate::live::Live;
use crate::telemetry::server_log::DroppedLines;
use crate::telemetry::{COMMIT, VERSION};
use board_log::cosignature::{self, WitnessKey};
use chain::clock::Clock;

/// Bounds of the histograms, in seconds: from a cached response to a chain source's deadline.
const SECONDS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0,
];

/// How long to wait for the database. Prometheus waits ten seconds by default.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How often measurements are sorted into the histograms.
const UPKEEP: Duration = Duration::from_secs(5);

/// Starts recording. Before this, and without it, metrics cost nothing.
///
/// # Errors
/// When another recorder is installed.
pub fn start() -> Result<PrometheusHandle, BuildError> {
    let handle = PrometheusBuilder::new()
        .set_buckets(&SECONDS)?
        .install_recorder()?;
    Collector::default().describe();
    // Where the service manager hides the boot time, the collector cannot compute it.
    gauge!("process_start_time_seconds").set(as_f64(Clock::System.now()));
    for outcome in OUTCOMES.iter().copied() {
        counter!(SUBMISSIONS, "outcome" => outcome).increment(0);
    }
    gauge!("build_info", "version" => VERSION, "commit" => COMMIT).set(1);
    Ok(handle)
}

/// The rooms that are measured when Prometheus asks.
#[derive(Clone, Debug)]
pub struct Rooms {
    pub connections: Connections,
    pub health: Arc<Health>,
    pub live: Arc<Live>,
    pub limits: Arc<Config>,
    pub dropped: DroppedLines,
}

/// Answers `GET /metrics`.
pub fn router(rooms: Rooms, handle: PrometheusHandle) -> Router {
    let upkeep = Job::every(UPKEEP, "metrics", &handle, |handle| {
        handle.run_upkeep();
        ready(Ok::<_, Infallible>(())).boxed()
    });
    // Runs until the process ends.
    tokio::spawn(jobs::run_one(upkeep, Arc::clone(&rooms.health.jobs)));
    Router::new()
        .route("/metrics", get(get_metrics))
        .with_state((rooms, handle))
}

async fn get_metrics(State((rooms, handle)): State<(Rooms, PrometheusHandle)>) -> Response {
    rooms.collect().await;
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, handle.render()).into_response()
}

impl Rooms {
    /// Sets the gauges. One whose value is unknown keeps the last one.
    async fn collect(&self) {
        Collector::default().collect();
        counter!("server_log_lines_dropped_total").absolute(self.dropped.count());
        for (task, state) in self.health.jobs.all() {
            gauge!("job_failing", "task" => task).set(as_f64(state.failing_since.is_some()));
            if let Some(at) = state.succeeded_at {
                gauge!("job_last_success_seconds", "task" => task).set(as_f64(at));
            }
            counter!("job_restarts_total", "task" => task).absolute(state.restarts);
        }
        let (open, idle) = self.health.store.connections();
        for (state, count) in [("idle", idle), ("busy", open.saturating_sub(idle))] {
            gauge!("database_connections", "state" => state).set(as_f64(count));
        }
        let (limits, health) = (&self.limits.connections, &self.health);
        let connections = self.limits.operations.database_connections;
        set("database_connections_limit", connections);
        set("database_writable", health.writes_failing_since().is_none());
        set("http_connections", self.connections.open());
        set("http_connections_limit", limits.total);
        set("live_streams", self.live.open_streams());
        set("live_streams_limit", limits.streams);
        let (ready, tip, followed, unknown, set_aside, forked, missing) = tokio::join!(
            health.is_ready(),
            health.cached_tip(),
            in_time(health.followed()),
            in_time(health.unknown_coins(0)),
            in_time(health.set_aside()),
            in_time(health.log_forked()),
            in_time(self.missing_witnesses())
        );
        let tip = tip.ok();
        let lag = tip.zip(followed);
        let lag = lag.map(|(tip, followed)| tip.saturating_sub(followed));
        set("ready", ready);
        set("chain_answers", tip.is_some());
        set_known("chain_tip_height", tip);
        set_known("follower_height", followed);
        set_known("follower_lag_blocks", lag);
        set_known("unknown_coins", unknown);
        set_known("accounts_set_aside", set_aside);
        set_known("log_forked", forked.map(i64::from));
        set_known("log_witnesses_missing", missing);
    }

    /// How many witnesses have not cosigned the newest checkpoint; none when that is not known.
    async fn missing_witnesses(&self) -> Option<i64> {
        let issued = self.health.store.issued_log().await.ok()??;
        let witnesses = self.limits.board_log.witnesses.iter();
        let keys: Vec<WitnessKey> = witnesses.map(|it| it.key.clone()).collect();
        let missing = keys.len() - cosignature::count(&issued.checkpoint, &keys);
        i64::try_from(missing).ok()
    }
}

fn set(name: &'static str, value: impl TryInto<i64>) {
    gauge!(name).set(as_f64(value));
}

fn set_known(name: &'static str, value: Option<impl TryInto<i64>>) {
    if let Some(value) = value {
        set(name, value);
    }
}

/// The database's answer, if it comes soon: Prometheus does not wait long.
async fn in_time<T>(asked: impl Future<Output = Option<T>>) -> Option<T> {
    tokio::time::timeout(TIMEOUT, asked).await.ok().flatten()
}

/// Exact for every number of seconds, bytes or connections that there can be.
#[allow(clippy::cast_precision_loss, reason = "what is above 2^53 is rounded")]
fn as_f64(number: impl TryInto<i64>) -> f64 {
    number
        .try_into()
        .map_or(f64::INFINITY, |number| number as f64)
}
