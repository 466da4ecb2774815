//! The live stream: a change to any profile reaches every open leaderboard.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio_stream::StreamExt;

use crate::state::AppState;

/// How long a browser waits before it connects again.
const RETRY: Duration = Duration::from_secs(2);

/// How often a line is sent on a quiet stream, so that proxies keep it open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Server-sent events named `change`, whose id and data are a sequence number and nothing else:
/// fetch again on each. The first event comes at once and sets how long to wait before reconnecting.
#[utoipa::path(get, path = "/profiles/changes", tag = "rest",
    responses((status = 200, description = "Server-sent events", content_type = "text/event-stream")))]
pub async fn stream(State(state): State<AppState>) -> Response {
    let opening = Event::default().retry(RETRY).comment("connected");
    let changes = state.live.changes().map(|sequence| {
        Event::default()
            .event("change")
            .id(sequence.to_string())
            .data(sequence.to_string())
    });
    let events = tokio_stream::once(opening)
        .chain(changes)
        .map(Ok::<_, Infallible>);
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    // Tells reverse proxies not to hold events back.
    ([("x-accel-buffering", "no")], stream).into_response()
}
