//! What has counted for somebody over time.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::{Error, Problem};
use crate::http::session::User;
use board_log::units::iso;
use chain::clock::UnixTime;
use store::Store;

/// The most points that are answered, the newest.
const MOST: usize = 1000;

/// What has counted, at every moment at which that changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct HoldingsHistory {
    /// Oldest first; none for whoever never proved anything.
    points: Vec<HoldingsPoint>,
}

/// What counted from a moment on.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HoldingsPoint {
    /// RFC 3339.
    at: String,
    sats: i64,
}

/// What has counted for whoever asks, from the first proof on. Nobody else sees it.
#[utoipa::path(get, path = "/holdings-history", tag = "functions",
    responses(
        (status = 200, description = "The points", body = HoldingsHistory),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn read(State(store): State<Store>, user: User) -> Result<Json<HoldingsHistory>, Error> {
    let mut points = points(store.holdings_changes(&user.id).await?);
    points.drain(..points.len().saturating_sub(MOST));
    Ok(Json(HoldingsHistory { points }))
}

fn points(changes: Vec<(UnixTime, i64)>) -> Vec<HoldingsPoint> {
    let mut sats = 0;
    let changes = changes.into_iter().filter(|(_, change)| *change != 0);
    changes
        .map(|(at, change)| {
            sats += change;
            HoldingsPoint { at: iso(at), sats }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_adds_up_and_what_only_changes_hands_is_no_point() {
        let sats: Vec<_> = points(vec![(1, 5), (2, 7), (3, 0), (4, -5), (5, -7)])
            .iter()
            .map(|point| point.sats)
            .collect();
        assert_eq!(sats, [5, 12, 7, 0]);
    }
}
