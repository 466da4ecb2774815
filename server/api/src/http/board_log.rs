//! The append-only log as static files would be (C2SP tlog-tiles), for pages and programs of any origin. The first log of a board is
//! below `/log`, a later one below `/log/2` and so on: tiles are cached for a year, so no two logs may share an address.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::board_log::snapshot::SnapshotFile;
use crate::board_log::{BoardLog, BoardLogError, resource};
use crate::http::client_address::ClientAddress;
use crate::http::download::{self, Downloads};
use crate::http::encoding;
use crate::http::error::Error;
use crate::http::extract::{Path, Query};
use crate::limits::queue::{Turn, network_of};
use board_log::checkpoint::number;
use store::board_log::LogHead;

/// What may have changed in a few seconds.
const NEWEST: &str = "public, max-age=2";

/// What never changes.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Which log of the board a request is about, and the path below `tile/` or the entry of a snapshot.
#[derive(Deserialize)]
pub struct LogPath {
    log: Option<String>,
    #[serde(default)]
    path: String,
    #[serde(default)]
    entry: String,
}

/// Whose receipts are wanted.
#[derive(Deserialize)]
pub struct ReceiptsQuery {
    /// Ids, divided by commas.
    ids: String,
}

/// How many seconds a client may wait while a restored log has no snapshot: a block comes about every ten minutes.
const RESTORED: i64 = 60;

const LOST: &str =
    "The board's database has lost its newest seconds, and its log waits until they are put back.";

const NOT_KEPT: &str =
    "The newest entries of the log are not stored safely yet. Try again in a minute.";

/// How many receipts come in one answer.
const RECEIPTS: usize = 20;

impl LogPath {
    /// Its number. The first log has none in its address.
    fn number(&self) -> Result<i64, Error> {
        let Some(text) = &self.log else {
            return Ok(1);
        };
        let number = number(text).and_then(|number| i64::try_from(number).ok());
        number.filter(|number| *number > 1).ok_or_else(missing)
    }
}

impl From<BoardLogError> for Error {
    fn from(error: BoardLogError) -> Self {
        match error {
            BoardLogError::Database(error) => error.into(),
            error @ BoardLogError::Restored => {
                Self::unavailable("log-restored", error.to_string()).retry_after(RESTORED)
            }
            error @ BoardLogError::Lost => Self::unavailable("log-restored", LOST)
                .cause(error)
                .retry_after(RESTORED),
            // No reader sees what could be lost with the database.
            error @ BoardLogError::Unwritable { .. } => {
                Self::unavailable("log-not-kept", NOT_KEPT).cause(error)
            }
            BoardLogError::Replaced => Self::new(
                StatusCode::GONE,
                "log-replaced",
                "The board has begun a new log. Of this one the last checkpoint and the keys are left.",
            ),
            other => Self::internal(other),
        }
    }
}

pub async fn get_checkpoint(
    State(board_log): State<Arc<BoardLog>>,
    Path(path): Path<LogPath>,
) -> Result<impl IntoResponse, Error> {
    let head = head_of(&board_log, &path).await?;
    Ok(([(CACHE_CONTROL, NEWEST)], head.checkpoint))
}

/// The key in use. A reader who has seen another one follows the rotations from that to this.
pub async fn get_key(
    State(board_log): State<Arc<BoardLog>>,
    Path(path): Path<LogPath>,
) -> Result<impl IntoResponse, Error> {
    let head = head_of(&board_log, &path).await?;
    Ok(([(CACHE_CONTROL, NEWEST)], head.verifier_key + "\n"))
}

/// The head of the log that the request is about.
async fn head_of(board_log: &BoardLog, path: &LogPath) -> Result<LogHead, Error> {
    let head = board_log.head(path.number()?).await?;
    head.ok_or_else(missing)
}

pub async fn list_rotations(
    State(board_log): State<Arc<BoardLog>>,
    Path(path): Path<LogPath>,
) -> Result<impl IntoResponse, Error> {
    let notes = board_log.rotations(path.number()?).await?;
    let notes = notes.ok_or_else(missing)?;
    Ok(([(CACHE_CONTROL, NEWEST)], Json(notes)))
}

pub async fn get_tile(
    State(board_log): State<Arc<BoardLog>>,
    Path(path): Path<LogPath>,
) -> Result<impl IntoResponse, Error> {
    let resource = resource::parse(&path.path).ok_or_else(missing)?;
    let bytes = board_log.resource(path.number()?, resource).await?;
    let bytes = bytes.ok_or_else(missing)?;
    Ok(([(CACHE_CONTROL, IMMUTABLE)], bytes))
}

/// The newest snapshot. It is not stored anywhere: rows may be withdrawn from it.
pub async fn get_snapshot(
    State(downloads): State<Downloads>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Path(path): Path<LogPath>,
) -> Result<Response, Error> {
    let entry = number(&path.entry).ok_or_else(missing)?;
    let file = downloads.snapshot(address, path.number()?, entry).await?;
    let (file, turn) = file.ok_or_else(missing)?;
    let about = [
        (CONTENT_TYPE, "application/x-ndjson"),
        (CACHE_CONTROL, "no-store"),
        (VARY, "accept-encoding"),
    ];
    if encoding::accepts(&headers, "gzip") {
        let body = download::body(file.gzip().await?, turn);
        return Ok((about, [(CONTENT_ENCODING, "gzip")], body).into_response());
    }
    Ok((about, download::body(file.bytes.clone(), turn)).into_response())
}

impl Downloads {
    /// The snapshot of this entry of a log, and a turn that its reader has until all of it is sent; none unless it is the newest snapshot.
    async fn snapshot(
        &self,
        address: Option<IpAddr>,
        log: i64,
        entry: u64,
    ) -> Result<Option<(Arc<SnapshotFile>, Turn)>, Error> {
        let turn = self.queue.turn_at_once(address.map(network_of))?;
        let file = self.board_log.snapshot(log, entry).await?;
        Ok(file.map(|file| (file, turn)))
    }
}

/// Receipts for a few rows of the newest snapshot.
pub async fn list_receipts(
    State(board_log): State<Arc<BoardLog>>,
    Path(path): Path<LogPath>,
    Query(query): Query<ReceiptsQuery>,
) -> Result<impl IntoResponse, Error> {
    let ids: Vec<&str> = query.ids.split(',').take(RECEIPTS).collect();
    let receipts = board_log.receipts(path.number()?, &ids).await?;
    let receipts = receipts.ok_or_else(missing)?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(receipts)))
}

pub fn missing() -> Error {
    Error::not_found("The log has nothing at this address.")
}
