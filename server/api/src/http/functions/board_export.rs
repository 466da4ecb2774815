//! The whole board as a file, written once for each snapshot of the log and cached while clients download it.

use std::net::IpAddr;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::task::spawn_blocking;

use crate::board_log::snapshot::SnapshotFile;
use crate::http::client_address::ClientAddress;
use crate::http::download::{self, Downloads};
use crate::http::error::Error;
use crate::http::headers::CROSS_ORIGIN;
use crate::limits::queue::network_of;
use crate::limits::single_flight::get_or_compute;
use board_log::export;

/// The whole board as of a block, as CSV (RFC 4180); the file's name has the block. Names that a spreadsheet would take for a formula have an
/// apostrophe before them.
#[utoipa::path(get, path = "/api/functions/v1/board.csv", tag = "functions",
    responses((status = 200, description = "All rows, in the board's order, below their names", content_type = "text/csv", body = String)))]
pub async fn get_board_csv(
    State(downloads): State<Downloads>,
    ClientAddress(address): ClientAddress,
) -> Result<Response, Error> {
    downloads.board_csv(address).await
}

impl Downloads {
    /// The file as of the newest snapshot. The reader has a turn until the whole file is sent.
    async fn board_csv(&self, address: Option<IpAddr>) -> Result<Response, Error> {
        let turn = self.queue.turn_at_once(address.map(network_of))?;
        let snapshot = self.board_log.newest_snapshot().await?;
        let header = snapshot.as_ref().map(|it| &it.header);
        let write = async || {
            let snapshot = snapshot.clone();
            let write = move || {
                let snapshot = snapshot.as_deref();
                export::csv(snapshot.into_iter().flat_map(SnapshotFile::rows).collect())
            };
            let written = spawn_blocking(write).await.map_err(Error::internal)?;
            Ok::<_, Error>(Bytes::from(written))
        };
        let file = match &snapshot {
            Some(snapshot) => {
                let (header, rows) = (&snapshot.header, snapshot.rows_left());
                let key = format!("{}/{}/{rows}", header.site, header.entry);
                get_or_compute(&self.csv, &key, write).await?
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
        Ok((headers, download::body(file, turn)).into_response())
    }
}
