//! How long requests take.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
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
    let status = response.status().as_u16().to_string();
    metrics::histogram!(REQUEST_SECONDS, "method" => method, "route" => route, "status" => status)
        .record(begin.elapsed());
    response
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
