//! Responses that anybody may read and check.

use axum::Json;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Clients cache the response, and ask each time whether it has changed.
pub(super) fn public(body: impl Serialize) -> Response {
    ([(CACHE_CONTROL, "no-cache")], Json(body)).into_response()
}
