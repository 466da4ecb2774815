//! The append-only log as static files would be (C2SP tlog-tiles), for pages and programs of any origin. The first log of a board is
//! below `/log`, a later one below `/log/2` and so on: tiles are cached for a year, so no two logs may share an address.

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE,
    VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;

use crate::board::Board;
use crate::history::resource::Resource;
use crate::history::{History, HistoryError};
use crate::http::client_address::ClientAddress;
use crate::http::download::{self, RETRY};
use crate::http::error::Error;
use crate::http::extract::{Path, Query};
use crate::http::limits::limit;
use crate::limits::{LOG_RECEIPTS, LOG_SNAPSHOT};
use board_log::checkpoint::number;

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
    Arc<Board>: axum::extract::FromRef<S>,
{
    Router::new()
        .merge(addresses())
        .nest("/{log}", addresses())
        .fallback(nothing)
        .layer(map_response(for_everybody))
}

/// The addresses of one log.
fn addresses<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Arc<History>: axum::extract::FromRef<S>,
    Arc<Board>: axum::extract::FromRef<S>,
{
    let snapshot = get(snapshot).layer(from_fn_with_state(LOG_SNAPSHOT, limit));
    let receipts = get(receipts).layer(from_fn_with_state(LOG_RECEIPTS, limit));
    Router::new()
        .route("/snapshot/{entry}", snapshot)
        .route("/receipts", receipts)
        .route("/checkpoint", get(checkpoint))
        .route("/key", get(key))
        .route("/rotations", get(rotations))
        .route("/tile/{*path}", get(tile))
}

/// Which log of the board a request is about, and the path below `tile/` or the entry of a snapshot.
#[derive(Deserialize)]
struct Place {
    log: Option<String>,
    #[serde(default)]
    path: String,
    #[serde(default)]
    entry: String,
}

/// Whose receipts are wanted.
#[derive(Deserialize)]
struct Wanted {
    /// Ids, divided by commas.
    ids: String,
}

/// How many receipts come in one answer.
const RECEIPTS: usize = 20;

impl Place {
    /// Its number. The first log has none in its address.
    fn number(&self) -> Result<i64, Error> {
        let Some(text) = &self.log else {
            return Ok(1);
        };
        let number = number(text).and_then(|number| i64::try_from(number).ok());
        number.filter(|number| *number > 1).ok_or_else(missing)
    }
}

impl From<HistoryError> for Error {
    fn from(error: HistoryError) -> Self {
        match error {
            HistoryError::Database(error) => error.into(),
            other => Self::internal(other),
        }
    }
}

async fn checkpoint(
    State(history): State<Arc<History>>,
    Path(place): Path<Place>,
) -> Result<impl IntoResponse, Error> {
    let note = history.checkpoint(place.number()?).await?;
    let note = note.ok_or_else(missing)?;
    Ok(([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, NEWEST)], note))
}

/// The key in use. A reader who has seen another one follows the rotations from that to this.
async fn key(
    State(history): State<Arc<History>>,
    Path(place): Path<Place>,
) -> Result<impl IntoResponse, Error> {
    let key = history.verifier_key(place.number()?).await?;
    let key = key.ok_or_else(missing)? + "\n";
    Ok(([(CONTENT_TYPE, TEXT), (CACHE_CONTROL, NEWEST)], key))
}

async fn rotations(
    State(history): State<Arc<History>>,
    Path(place): Path<Place>,
) -> Result<impl IntoResponse, Error> {
    let notes = history.rotations(place.number()?).await?;
    let notes = notes.ok_or_else(missing)?;
    Ok(([(CACHE_CONTROL, NEWEST)], Json(notes)))
}

async fn tile(
    State(history): State<Arc<History>>,
    Path(place): Path<Place>,
) -> Result<impl IntoResponse, Error> {
    let resource = Resource::at(&place.path).ok_or_else(missing)?;
    let bytes = history.resource(place.number()?, resource).await?;
    let bytes = bytes.ok_or_else(missing)?;
    let kind = "application/octet-stream";
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, IMMUTABLE)];
    Ok((headers, bytes.to_vec()))
}

/// The newest snapshot. It is not stored anywhere: rows may be withdrawn from it.
async fn snapshot(
    State(history): State<Arc<History>>,
    State(board): State<Arc<Board>>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Path(place): Path<Place>,
) -> Result<Response, Error> {
    let permit = board.download(address);
    let permit = permit.map_err(|too_many| Error::no_permit(too_many, RETRY))?;
    let entry = number(&place.entry).ok_or_else(missing)?;
    let file = history.snapshot().await?.ok_or_else(missing)?;
    if !file.is_of(place.number()?, entry) {
        return Err(missing());
    }
    let encodings = headers.get_all(ACCEPT_ENCODING).iter();
    let mut encodings = encodings.filter_map(|it| it.to_str().ok());
    let about = [
        (CONTENT_TYPE, "application/x-ndjson"),
        (CACHE_CONTROL, "no-store"),
        (VARY, "accept-encoding"),
    ];
    if encodings.any(|it| it.contains("gzip") && !it.contains("gzip;q=0")) {
        let body = download::body(file.gzip().await?, permit);
        return Ok((about, [(CONTENT_ENCODING, "gzip")], body).into_response());
    }
    Ok((about, download::body(file.bytes.clone(), permit)).into_response())
}

/// Receipts for a few rows of the newest snapshot.
async fn receipts(
    State(history): State<Arc<History>>,
    Path(place): Path<Place>,
    Query(wanted): Query<Wanted>,
) -> Result<impl IntoResponse, Error> {
    if history.number().await? != place.number()? {
        return Err(missing());
    }
    let ids: Vec<&str> = wanted.ids.split(',').take(RECEIPTS).collect();
    let receipts = history.receipts(&ids).await?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(receipts)))
}

async fn nothing() -> Error {
    missing()
}

fn missing() -> Error {
    Error::not_found("The log has nothing at this address.")
}

async fn for_everybody(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let policy = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(policy, HeaderValue::from_static("cross-origin"));
    response
}
