//! How long requests take, and the line of a request in the server log.

pub mod scrape;

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tracing::field::Empty;
use tracing::{Instrument, Span, error_span};

use crate::http::error::CAUSE;
use crate::http::request_id::REQUEST_ID;

const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];

/// A layer that measures and reports a request. Metrics name the route as the URL map has it, so that clients cannot add time series.
pub async fn measure(request: Request, next: Next) -> Response {
    let route = route(request.extensions().get::<MatchedPath>());
    let method = method(request.method());
    let span = span(&request);
    let begin = Instant::now();
    let response = next.run(request).instrument(span.clone()).await;
    let (status, took) = (response.status(), begin.elapsed());
    let reads = ["GET", "HEAD"].contains(&method);
    let only_read = reads && (status.is_success() || status == StatusCode::NOT_MODIFIED);
    let is_quiet = only_read || !route.starts_with("/api");
    span.in_scope(|| report(status, took, is_quiet));
    let status = status.as_u16().to_string();
    metrics::histogram!("http_request_duration_seconds", "method" => method, "route" => route, "status" => status)
        .record(took);
    response
}

/// A span with the path and no query, which can hold a sign-in code. It exists at every level, so that a failure always names its
/// request.
fn span(request: &Request) -> Span {
    let id = request.headers().get(REQUEST_ID);
    let id = id.and_then(|id| id.to_str().ok()).unwrap_or_default();
    // Method and path have no white space or control characters, so they are safe in a line of the server log.
    let (method, path) = (request.method(), request.uri().path());
    error_span!("request", %method, %path, %id, { CAUSE } = Empty)
}

/// Reports the rest, which is not in the span. A quiet request is interesting only for debugging: readers of a public board must not fill an
/// operator's disk.
fn report(status: StatusCode, took: Duration, is_quiet: bool) {
    // As a number, so that collectors can compare it.
    let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let status = status.as_u16();
    match status {
        503 => tracing::warn!(status, milliseconds, "unavailable"),
        500.. => tracing::error!(status, milliseconds, "failed"),
        _ if is_quiet => tracing::debug!(status, milliseconds, "answered"),
        _ => tracing::info!(status, milliseconds, "answered"),
    }
}

/// Files of the web app are one route: their names change with every release.
fn route(matched: Option<&MatchedPath>) -> String {
    match matched.map(MatchedPath::as_str) {
        Some(path) if path.starts_with("/api") || path == "/healthz" || path == "/readyz" => {
            path.to_owned()
        }
        _ => "page".to_owned(),
    }
}

/// A client can invent methods, so unknown ones share a name.
fn method(method: &Method) -> &'static str {
    let known = METHODS.into_iter().find(|known| method.as_str() == *known);
    known.unwrap_or("other")
}
