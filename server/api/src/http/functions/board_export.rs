//! The whole board as a file, made from the newest snapshot of the log: written once for each, and cached while readers come.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use moka::future::Cache;
use utoipa::ToSchema;

use crate::board::Board;
use crate::history::History;
use crate::history::snapshot::SnapshotFile;
use crate::http::client_address::ClientAddress;
use crate::http::download::{self, RETRY};
use crate::http::error::Error;
use crate::http::rest::profile_row::Shown;
use crate::limits::blocking::WorkError;
use crate::limits::single_flight::get_or_compute;
use board_log::export;
use board_log::snapshot::Row;
use board_log::units::iso;

/// How long a file stays that no reader asks for.
const CACHED_FOR: Duration = Duration::from_secs(60);

/// The whole board as of a block.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the wire for the OpenAPI document")]
pub struct BoardExport {
    /// When the log got its newest entry about the board, RFC 3339.
    exported_at: String,
    /// The block of that entry; null before the first.
    #[schema(required)]
    block: Option<u64>,
    /// In the board's order.
    rows: Vec<ExportedRow>,
}

/// A row of the whole board.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the wire for the OpenAPI document")]
pub struct ExportedRow {
    id: String,
    /// The name of the provider that says who this is.
    provider: String,
    username: String,
    /// Competition rank; null when nothing is proven.
    #[schema(required)]
    rank: Option<usize>,
    verified: bool,
    /// BTC with 8 decimals.
    #[schema(required)]
    bitcoin_holdings: Option<f64>,
    /// Whether that is the exact total, or where its holder tier begins.
    shown_as: Shown,
    /// RFC 3339.
    #[schema(required)]
    last_verified: Option<String>,
    /// Whether the provider told the name, and it is not one that stands in for it.
    named: bool,
}

/// The forms of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Csv,
    Json,
}

/// Cached files, by what is in them: log, entry and how many of its rows are there.
#[derive(Clone, Debug)]
pub struct Exports(Cache<(Form, String), Bytes>);

impl Default for Exports {
    fn default() -> Self {
        let files = Cache::builder().max_capacity(2);
        Self(files.time_to_idle(CACHED_FOR).build())
    }
}

/// The whole board as of a block, as CSV (RFC 4180); the file's name has the block. Names that a spreadsheet would take for a formula stand
/// behind an apostrophe.
#[utoipa::path(get, path = "/board.csv", tag = "functions",
    responses((status = 200, description = "All rows, in the board's order, below their names", content_type = "text/csv", body = String)))]
pub async fn get_board_csv(
    State(board): State<Arc<Board>>,
    State(history): State<Arc<History>>,
    State(exports): State<Exports>,
    ClientAddress(address): ClientAddress,
) -> Result<Response, Error> {
    exports.answer((board, history), address, Form::Csv).await
}

/// The whole board as of a block, as JSON.
#[utoipa::path(get, path = "/board.json", tag = "functions",
    responses((status = 200, description = "All rows, in the board's order", body = BoardExport)))]
pub async fn get_board_json(
    State(board): State<Arc<Board>>,
    State(history): State<Arc<History>>,
    State(exports): State<Exports>,
    ClientAddress(address): ClientAddress,
) -> Result<Response, Error> {
    exports.answer((board, history), address, Form::Json).await
}

impl Form {
    fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/json",
        }
    }

    fn file_name(self, block: Option<u64>) -> String {
        let block = block.map_or_else(String::new, |height| format!("-block-{height}"));
        match self {
            Self::Csv => format!("board{block}.csv"),
            Self::Json => format!("board{block}.json"),
        }
    }
}

impl Exports {
    /// The file as of the newest snapshot. Its reader has a place until all of it is sent.
    async fn answer(
        &self,
        (board, history): (Arc<Board>, Arc<History>),
        address: Option<IpAddr>,
        form: Form,
    ) -> Result<Response, Error> {
        let place = board.download(address);
        let place = place.map_err(|too_many| Error::no_place(too_many, RETRY))?;
        let snapshot = history.snapshot().await?;
        let writing = async || {
            let (snapshot, now) = (snapshot.clone(), iso(board.now()));
            let write = move || match form {
                Form::Csv => export::csv(rows(snapshot.as_deref())),
                Form::Json => {
                    let header = snapshot.as_deref().map(|it| &it.header);
                    export::json(header, &now, rows(snapshot.as_deref()))
                }
            };
            Ok::<_, WorkError>(Bytes::from(board.work(write).await?))
        };
        let header = snapshot.as_ref().map(|it| &it.header);
        let file = match &snapshot {
            Some(snapshot) => {
                let header = &snapshot.header;
                let rows = snapshot.rows_left();
                let key = (form, format!("{}/{}/{rows}", header.site, header.entry));
                get_or_compute(&self.0, &key, writing).await?
            }
            None => writing().await?,
        };
        let name = form.file_name(header.map(|it| it.height));
        let disposition = format!("attachment; filename=\"{name}\"");
        let about = [
            (header::CONTENT_TYPE, form.content_type().to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
            (header::CACHE_CONTROL, "no-cache".to_owned()),
            // Made to be used elsewhere.
            (
                HeaderName::from_static("cross-origin-resource-policy"),
                "cross-origin".to_owned(),
            ),
        ];
        let body: Body = download::body(file, place);
        Ok((about, body).into_response())
    }
}

fn rows(snapshot: Option<&SnapshotFile>) -> Vec<Row> {
    snapshot.into_iter().flat_map(SnapshotFile::rows).collect()
}
