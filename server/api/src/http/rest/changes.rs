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
use crate::live::Live;

/// How long a browser waits before it connects again.
const RETRY: Duration = Duration::from_secs(2);

/// How often a line is sent on a quiet stream, so that proxies keep it open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// What a page says when it begins to follow.
#[derive(Debug, Deserialize)]
pub struct ChangesQuery {
    /// The `Board-Number` of the rows that it has.
    seen: Option<i64>,
}

/// Server-sent events named `change`, whose id and data are a sequence number and nothing else:
/// fetch again on each. When many pages are open, an event named `spread` comes before it: within so many milliseconds, at random, is
/// soon enough to fetch. The first lines come at once and set how long to wait before reconnecting. A client that has rows of an
/// older board (`seen`), or reconnects with the id of an older event in `Last-Event-ID`, gets an event at once. A stream ends after
/// 15 minutes or a little sooner, so that all do not come back together.
#[utoipa::path(get, path = "/api/rest/v1/profiles/changes", tag = "rest",
    params(("Last-Event-ID" = Option<String>, Header, description = "The id of the last event seen"),
        ("seen" = Option<i64>, Query, description = "The Board-Number of the rows that the client has")),
    responses((status = 200, description = "Server-sent events", content_type = "text/event-stream")))]
pub async fn follow_changes(
    State(live): State<Arc<Live>>,
    State(config): State<Arc<Config>>,
    ClientAddress(address): ClientAddress,
    Query(query): Query<ChangesQuery>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let current = live.sequence();
    let known = last_event_id(&headers).or(query.seen).or(current);
    let mut opening = Event::default().retry(RETRY).comment("connected");
    if let Some(current) = current.filter(|current| known == Some(*current)) {
        // An id without data is no event, but browsers send it when they reconnect.
        opening = opening.id(current.to_string());
    }
    let changes = live.changes(known, address)?;
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
    let lasts = config.connections.stream;
    let lasts = lasts.mul_f64(rand::random_range(0.8..=1.0));
    let events = stream::once(ready(opening))
        .chain(events.take_until(Box::pin(sleep(lasts))))
        .map(Ok::<_, Infallible>);
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    // Tells reverse proxies not to hold events back.
    Ok(([("x-accel-buffering", "no")], stream).into_response())
}

/// The number of the newest event that the client received. An invalid number counts as older than all events.
fn last_event_id(headers: &HeaderMap) -> Option<i64> {
    let id = headers.get("last-event-id")?.to_str().ok();
    Some(id.and_then(|id| id.parse().ok()).unwrap_or(-1))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tokio::sync::watch;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::limits::queue::Size;

    #[tokio::test]
    async fn an_event_to_many_pages_says_first_how_long_to_spread_the_requests() {
        let (board, receiver) = watch::channel(None);
        let size = Size::without_waiting(2_000, 2_000);
        let live = Arc::new(Live::new(receiver, size, CancellationToken::new()));
        let config = Arc::new(Config::parse_from(["server"]));
        let mut others = Vec::new();
        for (number, count, spread) in [
            (1, 0, ""),
            (2, 499, "event: spread\ndata: 200\n\n"),
            (3, 1_999, "event: spread\ndata: 800\n\n"),
        ] {
            others.resize_with(count, || live.changes(None, None).expect("a stream"));
            let (live, config) = (Arc::clone(&live), Arc::clone(&config));
            let response = follow_changes(
                State(live),
                State(config),
                ClientAddress(None),
                Query(ChangesQuery { seen: None }),
                HeaderMap::new(),
            );
            let response = response.await.expect("a stream");
            let mut parts = response.into_body().into_data_stream();
            board.send_replace(Some(number));
            let end = format!("{spread}event: change\nid: {number}\ndata: {number}\n\n");
            let mut text = String::new();
            while !text.contains("event: change") {
                let part = parts.next().await.expect("an event").expect("a part");
                text += std::str::from_utf8(&part).expect("text");
            }
            assert!(text.ends_with(&end), "{text}");
            assert_eq!(text.contains("spread"), !spread.is_empty(), "{text}");
        }
    }
}
