//! How long requests take, and the one line that each has in the log.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use crate::telemetry::names::REQUEST_SECONDS;

/// Measures a request. Its address is counted as the URL map spells it, without what callers fill in, so that
/// the number of time series is limited.
pub async fn measure(request: Request, next: Next) -> Response {
    let route = route(request.extensions().get::<MatchedPath>());
    let method = method(request.method());
    let begin = Instant::now();
    let response = next.run(request).await;
    let (status, took) = (response.status(), begin.elapsed());
    log(&route, status, took);
    let status = status.as_u16().to_string();
    metrics::histogram!(REQUEST_SECONDS, "method" => method, "route" => route, "status" => status)
        .record(took);
    response
}

/// Everything else about the request is in its span. Files of the web app and questions after the server's health are of
/// interest only to whoever looks for something.
fn log(route: &str, status: StatusCode, took: Duration) {
    // As a number: collectors compare it.
    let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let status = status.as_u16();
    match status {
        503 => tracing::warn!(status, milliseconds, "unavailable"),
        500.. => tracing::error!(status, milliseconds, "failed"),
        _ if route.starts_with("/api") => tracing::info!(status, milliseconds, "answered"),
        _ => tracing::debug!(status, milliseconds, "answered"),
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

/// Anybody can make up a method.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
