//! The live stream: a change to any profile reaches every open leaderboard.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::future::ready;
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use tokio::time::sleep;

use crate::config::Config;
use crate::http::client_address::ClientAddress;
use crate::http::error::Error;
use crate::http::extract::Query;
use crate::limits::permits::TooMany;
use crate::live::Live;

/// How long a browser waits before it connects again.
const RETRY: Duration = Duration::from_secs(2);

/// How often a line is sent on a quiet stream, so that proxies keep it open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How long a client with too many streams should wait, in seconds.
const RETRY_TOO_MANY: i64 = 60;

/// What a page says when it begins to follow.
#[derive(Debug, Deserialize)]
pub struct Following {
    /// The `Board-Number` of the rows that it has.
    seen: Option<i64>,
}

/// Server-sent events named `change`, whose id and data are a sequence number and nothing else:
/// fetch again on each. When many pages are open, an event named `spread` comes before it: within so many milliseconds, at random, is
/// soon enough to fetch. The first lines come at once and set how long to wait before reconnecting. A client that has rows of an
/// older board (`seen`), or reconnects with the id of an older event in `Last-Event-ID`, gets an event at once. A stream ends after
/// `STREAM_SECONDS` or a little sooner, so that all do not come back together.
#[utoipa::path(get, path = "/profiles/changes", tag = "rest",
    params(("Last-Event-ID" = Option<String>, Header, description = "The id of the last event seen"),
        ("seen" = Option<i64>, Query, description = "The Board-Number of the rows that the client has")),
    responses((status = 200, description = "Server-sent events", content_type = "text/event-stream"),
        (status = 429, description = "Too many streams from this address"),
        (status = 503, description = "Too many streams on this server")))]
pub async fn follow_changes(
    State(live): State<Arc<Live>>,
    State(config): State<Arc<Config>>,
    ClientAddress(address): ClientAddress,
    Query(following): Query<Following>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let newest = live.sequence();
    let seen = last_seen(&headers).or(following.seen).or(newest);
    let mut opening = Event::default().retry(RETRY).comment("connected");
    if let Some(newest) = newest.filter(|newest| seen == Some(*newest)) {
        // An id without data is no event, but browsers send it when they reconnect.
        opening = opening.id(newest.to_string());
    }
    let changes = live.changes(seen, address).map_err(no_place)?;
    let events = changes.flat_map(move |sequence| {
        let change = Event::default()
            .event("change")
            .id(sequence.to_string())
            .data(sequence.to_string());
        let spread = live.spread().as_millis();
        let spread =
            (spread > 0).then(|| Event::default().event("spread").data(spread.to_string()));
        stream::iter(spread.into_iter().chain([change]))
    });
    let lasts = config
        .connections
        .stream_seconds
        .mul_f64(rand::random_range(0.8..=1.0));
    let events = stream::once(ready(opening))
        .chain(events.take_until(Box::pin(sleep(lasts))))
        .map(Ok::<_, Infallible>);
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    // Tells reverse proxies not to hold events back.
    Ok(([("x-accel-buffering", "no")], stream).into_response())
}

/// The newest event that the client has seen. What is no number of ours is older than all.
fn last_seen(headers: &HeaderMap) -> Option<i64> {
    let id = headers.get("last-event-id")?;
    Some(
        id.to_str()
            .ok()
            .and_then(|id| id.parse().ok())
            .unwrap_or(-1),
    )
}

fn no_place(too_many: TooMany) -> Error {
    let retry_after = RETRY_TOO_MANY;
    match too_many {
        TooMany::BySender => Error::no_permit(too_many, retry_after),
        TooMany::InTotal => Error::unavailable(
            "too-many-streams",
            "This server has as many open pages as it can follow. Reload the page later.",
        )
        .retry_after(retry_after),
    }
}
