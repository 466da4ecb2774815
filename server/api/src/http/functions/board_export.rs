//! The whole board as a file, written once for each snapshot of the log and cached while clients download it.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use moka::future::Cache;

use crate::board::Board;
use crate::board_log::BoardLog;
use crate::board_log::snapshot::SnapshotFile;
use crate::http::client_address::ClientAddress;
use crate::http::download;
use crate::http::error::Error;
use crate::http::headers::CROSS_ORIGIN;
use crate::limits::single_flight::get_or_compute;
use board_log::export;

/// How long the file stays cached while no client asks for it.
const CACHED_FOR: Duration = Duration::from_secs(60);

/// The file, cached by what is in it: log, entry and how many of its rows are there. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Exports {
    board: Arc<Board>,
    board_log: Arc<BoardLog>,
    files: Cache<String, Bytes>,
}

/// The whole board as of a block, as CSV (RFC 4180); the file's name has the block. Names that a spreadsheet would take for a formula have an
/// apostrophe before them.
#[utoipa::path(get, path = "/api/functions/v1/board.csv", tag = "functions",
    responses((status = 200, description = "All rows, in the board's order, below their names", content_type = "text/csv", body = String)))]
pub async fn get_board_csv(
    State(exports): State<Exports>,
    ClientAddress(address): ClientAddress,
) -> Result<Response, Error> {
    exports.respond(address).await
}

impl Exports {
    pub fn new(board: Arc<Board>, board_log: Arc<BoardLog>) -> Self {
        let files = Cache::builder().max_capacity(1);
        Self {
            board,
            board_log,
            files: files.time_to_idle(CACHED_FOR).build(),
        }
    }

    /// The file as of the newest snapshot. The reader has a permit until the whole file is sent.
    async fn respond(&self, address: Option<IpAddr>) -> Result<Response, Error> {
        let permit = self.board.downloads.acquire(address)?;
        let snapshot = self.board_log.snapshot().await?;
        let header = snapshot.as_ref().map(|it| &it.header);
        let write = async || {
            let snapshot = snapshot.clone();
            let write = move || {
                let snapshot = snapshot.as_deref();
                export::csv(snapshot.into_iter().flat_map(SnapshotFile::rows).collect())
            };
            Ok::<_, Error>(Bytes::from(self.board.work(write).await?))
        };
        let file = match &snapshot {
            Some(snapshot) => {
                let (header, rows) = (&snapshot.header, snapshot.rows_left());
                let key = format!("{}/{}/{rows}", header.site, header.entry);
                get_or_compute(&self.files, &key, write).await?
            }
            None => write().await?,
        };
        let block = header.map_or_else(String::new, |it| format!("-block-{}", it.height));
        let disposition = format!("attachment; filename=\"board{block}.csv\"");
        let headers = [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
            (header::CONTENT_DISPOSITION, &disposition),
            (header::CACHE_CONTROL, "no-cache"),
            CROSS_ORIGIN,
        ];
        Ok((headers, download::body(file, permit)).into_response())
    }
}
