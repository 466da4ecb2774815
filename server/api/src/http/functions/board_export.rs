//! The whole board as a file, made from the newest snapshot of the log: written once for each, and cached while readers come.

use std::cmp::Reverse;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use moka::future::Cache;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::board::{Board, WorkError};
use crate::history::History;
use crate::history::snapshot::SnapshotFile;
use crate::http::client_address::ClientAddress;
use crate::http::download::{self, RETRY};
use crate::http::error::Error;
use crate::http::rest::profile_row::Shown;
use crate::limits::single_flight::get_or_compute;
use board_log::snapshot::Row;
use board_log::units::{btc, btc_text, iso};

/// How long a file stays that no reader asks for.
const CACHED_FOR: Duration = Duration::from_secs(60);

/// What a spreadsheet would take for the beginning of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The whole board as of a block.
#[derive(Serialize, ToSchema)]
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
#[derive(Serialize, ToSchema)]
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
    #[schema(required, value_type = Option<f64>)]
    bitcoin_holdings: Option<Box<RawValue>>,
    /// Whether that is the exact total, or where its holder tier begins.
    #[schema(value_type = Shown)]
    shown_as: String,
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
pub async fn csv(
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
pub async fn json(
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
                Form::Csv => csv_file(snapshot.as_deref()),
                Form::Json => json_file(snapshot.as_deref(), now),
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

/// The rows in the board's order, with their ranks (decisions, D7): most sats first, then the earliest verified, then by id.
fn rows(snapshot: Option<&SnapshotFile>) -> Vec<(Option<usize>, Row)> {
    let mut rows: Vec<Row> = snapshot.into_iter().flat_map(SnapshotFile::rows).collect();
    rows.sort_by_cached_key(|row| {
        let verified = (row.last_verified.is_none(), row.last_verified.clone());
        (Reverse(row.shown_sats()), verified, row.id.clone())
    });
    let (mut rank, mut above) = (0, None);
    let ranked = rows.into_iter().zip(1..).map(|(row, place)| {
        let sats = row.shown_sats();
        if above != Some(sats) {
            (rank, above) = (place, Some(sats));
        }
        (sats.map(|_| rank), row)
    });
    ranked.collect()
}

fn csv_file(snapshot: Option<&SnapshotFile>) -> String {
    let mut text =
        "rank,provider,username,bitcoin,shown_as,verified,last_verified,id,named\r\n".to_owned();
    for (rank, row) in rows(snapshot) {
        let sats = row.shown_sats();
        let fields = [
            rank.map(|rank| rank.to_string()).unwrap_or_default(),
            row.provider,
            quoted(&row.name),
            sats.map(btc_text).unwrap_or_default(),
            row.shown_as,
            sats.is_some().to_string(),
            row.last_verified.unwrap_or_default(),
            row.id,
            row.named.to_string(),
        ];
        text.push_str(&fields.join(","));
        text.push_str("\r\n");
    }
    text
}

fn json_file(snapshot: Option<&SnapshotFile>, now: String) -> String {
    let header = snapshot.map(|it| &it.header);
    let rows = rows(snapshot).into_iter().map(|(rank, row)| ExportedRow {
        rank,
        verified: row.shown_sats().is_some(),
        bitcoin_holdings: row.shown_sats().map(btc),
        id: row.id,
        provider: row.provider,
        username: row.name,
        shown_as: row.shown_as,
        last_verified: row.last_verified,
        named: row.named,
    });
    let export = BoardExport {
        exported_at: header.map_or(now, |it| it.time.clone()),
        block: header.map(|it| it.height),
        rows: rows.collect(),
    };
    // A row is nothing but text and numbers.
    serde_json::to_string(&export).unwrap_or_default() + "\n"
}

/// A text between quotation marks.
fn quoted(text: &str) -> String {
    let apostrophe = if text.starts_with(FORMULA) { "'" } else { "" };
    format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_field_and_no_formula() {
        for (name, field) in [
            ("satoshi", "\"satoshi\""),
            ("a,\"b\"\r\nc", "\"a,\"\"b\"\"\r\nc\""),
            ("=HYPERLINK(1)", "\"'=HYPERLINK(1)\""),
            ("@SUM", "\"'@SUM\""),
        ] {
            assert_eq!(quoted(name), field);
        }
    }
}
