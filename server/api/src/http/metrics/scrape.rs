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
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;

use crate::config::Config;
use crate::http::connections::Connections;
use crate::http::functions::submit_proof::outcomes::OUTCOMES;
use crate::http::health::Health;
use crate::jobs::{self, Job, JobStates};
use crate::live::Live;
use crate::telemetry::log::DroppedLines;
use crate::telemetry::names::{CHAIN_SECONDS, REQUEST_SECONDS, SUBMISSIONS};
use crate::telemetry::{COMMIT, VERSION};
use board_log::cosignature::{self, WitnessKey};
use chain::clock::Clock;
use store::Store;

/// Bounds of the histograms, in seconds: from an answer out of memory to a chain source's deadline.
const SECONDS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0,
];

/// How long to wait for the database; Prometheus itself waits for ten seconds unless it is told otherwise.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often measurements are sorted into the histograms.
const UPKEEP: Duration = Duration::from_secs(5);

/// Counters, and what they count.
const COUNTERS: [(&str, &str); 3] = [
    (SUBMISSIONS, "Files sent as proofs, by outcome"),
    ("job_restarts_total", "Restarts of jobs after a panic"),
    ("log_lines_dropped_total", "Log lines not written"),
];

/// Gauges, and what they measure. Those that end in `_limit` say how many there may be at most.
const GAUGES: [(&str, &str); 19] = [
    ("accounts_set_aside", "Accounts whose totals are in doubt"),
    ("build_info", "1, with release and commit as labels"),
    ("chain_answers", "1 while enough sources agree, else 0"),
    ("chain_tip_height", "Height of the newest block"),
    ("database_connections", "Connections, by state"),
    ("database_connections_limit", "Most database connections"),
    ("database_writable", "1 while small writes succeed, else 0"),
    ("follower_height", "Up to this block claims are followed"),
    ("follower_lag_blocks", "Blocks that the follower is behind"),
    ("http_connections", "Open connections of clients"),
    ("http_connections_limit", "Most connections of clients"),
    ("job_failing", "1 while a job fails, else 0"),
    (
        "job_last_success_seconds",
        "Unix time of a job's last success",
    ),
    ("live_streams", "Open streams of changes"),
    ("live_streams_limit", "Most streams of changes"),
    (
        "log_forked",
        "1 while a witness knows another history of the board's log, else 0",
    ),
    (
        "log_witnesses_missing",
        "Witnesses that have not cosigned the newest checkpoint",
    ),
    ("ready", "1 while the board can be served, else 0"),
    ("unknown_coins", "Coins about which sources disagree"),
];

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
    describe_histogram!(REQUEST_SECONDS, "Requests, by route");
    describe_histogram!(CHAIN_SECONDS, "Requests to chain sources");
    for (name, help) in COUNTERS {
        describe_counter!(name, help);
    }
    for (name, help) in GAUGES {
        describe_gauge!(name, help);
    }
    for outcome in OUTCOMES.iter().copied() {
        counter!(SUBMISSIONS, "outcome" => outcome).increment(0);
    }
    gauge!("build_info", "version" => VERSION, "commit" => COMMIT).set(1);
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
    rooms.collect().await;
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, handle.render()).into_response()
}

impl Rooms {
    /// Sets the gauges. One whose value is unknown keeps the last one.
    async fn collect(&self) {
        Collector::default().collect();
        self.collect_jobs();
        let (open, idle) = self.store.connections();
        for (state, count) in [("idle", idle), ("busy", open.saturating_sub(idle))] {
            gauge!("database_connections", "state" => state).set(as_f64(count));
        }
        counter!("log_lines_dropped_total").absolute(self.dropped.count());
        let (limits, health) = (&self.limits.connections, &self.health);
        set("http_connections", self.connections.open());
        set("http_connections_limit", limits.max_connections);
        set("live_streams", self.live.open_streams());
        set("live_streams_limit", limits.max_streams);
        let connections = self.limits.operations.database_connections;
        set("database_connections_limit", connections);
        set("database_writable", health.writes_failing_since().is_none());
        let (ready, tip, followed, unknown, set_aside, forked, missing) = tokio::join!(
            health.is_ready(),
            health.tip(),
            soon(health.followed()),
            soon(health.unknown_coins()),
            soon(health.set_aside()),
            soon(health.log_forked()),
            soon(self.missing_witnesses())
        );
        set("ready", ready);
        set("chain_answers", tip.is_some());
        let lag = tip.zip(followed);
        let lag = lag.map(|(tip, followed)| tip.saturating_sub(followed));
        for (name, value) in [
            ("chain_tip_height", tip.map(i64::from)),
            ("follower_height", followed.map(i64::from)),
            ("follower_lag_blocks", lag.map(i64::from)),
            ("unknown_coins", unknown),
            ("accounts_set_aside", set_aside),
            ("log_forked", forked.map(i64::from)),
            ("log_witnesses_missing", missing),
        ] {
            if let Some(value) = value {
                set(name, value);
            }
        }
    }

    /// How many witnesses have not cosigned the newest checkpoint; none when that is not known.
    async fn missing_witnesses(&self) -> Option<i64> {
        let published = self.store.published_log().await.ok()??;
        let witnesses = self.limits.history.witnesses.iter();
        let keys: Vec<WitnessKey> = witnesses.map(|it| it.key.clone()).collect();
        let missing = keys.len() - cosignature::count(&published.checkpoint, &keys);
        i64::try_from(missing).ok()
    }

    fn collect_jobs(&self) {
        for (task, state) in self.jobs.all() {
            gauge!("job_failing", "task" => task).set(u32::from(state.failing_since.is_some()));
            if let Some(at) = state.succeeded_at {
                gauge!("job_last_success_seconds", "task" => task).set(at as f64);
            }
            counter!("job_restarts_total", "task" => task).absolute(state.restarts);
        }
    }
}

fn set(name: &'static str, value: impl TryInto<i64>) {
    gauge!(name).set(as_f64(value));
}

/// The answer of the database, if it comes soon: Prometheus does not wait long.
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
