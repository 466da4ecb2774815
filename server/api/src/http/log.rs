//! The append-only log as static files would be (C2SP tlog-tiles), for pages and programs of any origin.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};

use crate::history::resource::Resource;
use crate::history::{History, HistoryError};
use crate::http::error::Error;
use crate::http::extract::Path;

/// What may have changed in a few seconds.
const NEWEST: &str = "public, max-age=2";

/// What never changes.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

const TEXT: &str = "text/plain; charset=utf-8";

/// The addresses below `/log`.
pub fn router<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Arc<History>: axum::extract::FromRef<S>,
{
    Router::new()
        .route("/checkpoint", get(checkpoint))
        .route("/key", get(key))
        .route("/rotations", get(rotations))
        .route("/tile/{*path}", get(tile))
        .fallback(nothing)
        .layer(middleware::map_response(for_everybody))
}

impl From<HistoryError> for Error {
    fn from(error: HistoryError) -> Self {
        match error {
            HistoryError::Database(error) => error.into(),
            other => Self::Internal(other.to_string()),
        }
    }
}

async fn checkpoint(State(history): State<Arc<History>>) -> Result<impl IntoResponse, Error> {
    let note = history.checkpoint().await?;
    Ok(([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, NEWEST)], note))
}

/// The key in use. Whoever has seen another one follows the rotations from that to this.
async fn key(State(history): State<Arc<History>>) -> Result<impl IntoResponse, Error> {
    let key = history.verifier_key().await? + "\n";
    Ok(([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, NEWEST)], key))
}

async fn rotations(State(history): State<Arc<History>>) -> Result<impl IntoResponse, Error> {
    Ok(([(CACHE_CONTROL, NEWEST)], Json(history.rotations().await?)))
}

async fn tile(
    State(history): State<Arc<History>>,
    Path(path): Path<String>,
) -> Result<impl IntoResponse, Error> {
    let resource = Resource::at(&path).ok_or_else(missing)?;
    let bytes = history.resource(resource).await?.ok_or_else(missing)?;
    let kind = "application/octet-stream";
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, IMMUTABLE)];
    Ok((headers, bytes.to_vec()))
}

async fn nothing() -> Error {
    missing()
}

fn missing() -> Error {
    Error::NotFound("The log has nothing at this address.".to_owned())
}

async fn for_everybody(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let policy = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(policy, HeaderValue::from_static("cross-origin"));
    response
}
