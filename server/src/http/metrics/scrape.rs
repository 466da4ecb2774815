//! What Prometheus reads, on an address of its own that people do not reach.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics::gauge;
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};

use crate::http::health::Health;
use crate::live::Live;
use crate::store::Store;
use crate::telemetry::names;

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
    names::describe();
    Ok(handle)
}

/// The rooms that are looked into when Prometheus asks.
#[derive(Clone, Debug)]
pub struct Rooms {
    pub health: Arc<Health>,
    pub live: Arc<Live>,
    pub store: Store,
}

/// Answers `GET /metrics`.
pub fn router(rooms: Rooms, handle: PrometheusHandle) -> Router {
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
        gauge!(names::LIVE_STREAMS).set(as_f64(self.live.open_streams()));
        let (open, idle) = self.store.connections();
        for (state, count) in [("idle", idle), ("busy", open.saturating_sub(idle))] {
            gauge!(names::DATABASE_CONNECTIONS, "state" => state).set(as_f64(count));
        }
        let (tip, followed, unknown) = tokio::join!(
            self.health.tip(),
            self.health.followed(),
            self.health.unknown_coins()
        );
        gauge!(names::CHAIN_ANSWERS).set(u32::from(tip.is_some()));
        if let Some(tip) = tip {
            gauge!(names::TIP_HEIGHT).set(tip);
        }
        if let Some(followed) = followed {
            gauge!(names::FOLLOWER_HEIGHT).set(followed);
        }
        if let Some(unknown) = unknown {
            gauge!(names::UNKNOWN_COINS).set(as_f64(usize::try_from(unknown).unwrap_or(0)));
        }
        if let Some((tip, followed)) = tip.zip(followed) {
            gauge!(names::FOLLOWER_LAG).set(tip.saturating_sub(followed));
        }
    }
}

/// Exact for every number of connections that a machine can have.
fn as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
