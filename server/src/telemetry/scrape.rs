//! What Prometheus reads, on an address of its own that people do not reach.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics::{Unit, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};

use super::{chain, requests};
use crate::state::AppState;

/// Bounds of the histograms, in seconds: from an answer out of memory to a chain source's deadline.
const SECONDS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0,
];

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
    describe_histogram!(requests::DURATION, Unit::Seconds, "Requests, by route");
    describe_histogram!(chain::DURATION, Unit::Seconds, "Questions to chain sources");
    describe_counter!(
        "submissions_total",
        "Files sent as proofs, by what came of them"
    );
    describe_counter!(
        "job_runs_total",
        "Steps of background work, by how they ended"
    );
    describe_gauge!("chain_tip_height", "Height of the newest block");
    describe_gauge!(
        "follower_height",
        "Height up to which spent coins have ended claims"
    );
    describe_gauge!(
        "follower_lag_blocks",
        "How many blocks that is behind the newest"
    );
    describe_gauge!("live_streams", "Open streams of changes");
    describe_gauge!(
        "database_connections",
        "Connections to the database, by what they do"
    );
    Ok(handle)
}

/// Answers `GET /metrics`.
pub fn router(state: AppState, handle: PrometheusHandle) -> Router {
    let upkeep = handle.clone();
    tokio::spawn(async move {
        let mut often = tokio::time::interval(UPKEEP);
        loop {
            often.tick().await;
            upkeep.run_upkeep();
        }
    });
    Router::new()
        .route("/metrics", get(read))
        .with_state((state, handle))
}

async fn read(State((state, handle)): State<(AppState, PrometheusHandle)>) -> Response {
    look_around(&state).await;
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, handle.render()).into_response()
}

/// What is not counted as it happens. What cannot be had now keeps its last value.
async fn look_around(state: &AppState) {
    gauge!("live_streams").set(as_f64(state.live.open_streams()));
    let (open, idle) = state.store.connections();
    gauge!("database_connections", "state" => "idle").set(as_f64(idle));
    gauge!("database_connections", "state" => "busy").set(as_f64(open.saturating_sub(idle)));
    let tip = state.health.tip(state).await.ok();
    if let Some(tip) = tip {
        gauge!("chain_tip_height").set(tip);
    }
    let cursor = state.store.cursor(state.chain.network_name()).await;
    if let Ok(Some(cursor)) = cursor {
        let height = cursor.block.height();
        gauge!("follower_height").set(height);
        if let Some(tip) = tip {
            gauge!("follower_lag_blocks").set(tip.saturating_sub(height));
        }
    }
}

/// Exact for every number of connections that a machine can have.
fn as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
