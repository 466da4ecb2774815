//! The whole board as a file: written once for each change, and cached while readers come.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use futures_util::{StreamExt, stream};
use moka::future::Cache;
use serde::Serialize;
use utoipa::ToSchema;

use crate::board::Board;
use crate::board::keeper::Seen;
use crate::board::memory::{BoardFilter, Row};
use crate::http::client_address::ClientAddress;
use crate::http::error::Error;
use crate::http::rest::profile_row::Shown;
use crate::http::rest::row::Btc;
use crate::limits::blocking::WorkError;
use crate::limits::single_flight::get_or_compute;
use board_log::units::{btc_text, iso};
use chain::Chain;
use chain::clock::UnixTime;

/// How long a file stays that no reader asks for.
const CACHED_FOR: Duration = Duration::from_secs(60);

/// How much of a file is handed to the connection at a time, in bytes.
const PART: usize = 64 * 1024;

/// How long to wait when too many take the board, in seconds.
const RETRY: i64 = 10;

/// What a spreadsheet would take for the beginning of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The whole board.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the wire for the OpenAPI document")]
pub struct BoardExport {
    /// RFC 3339.
    exported_at: String,
    /// The block up to which coins have been seen to be unspent; null before the first.
    #[schema(required)]
    block: Option<i64>,
    /// In the board's order.
    rows: Vec<ExportedRow>,
}

/// A row of the whole board.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExportedRow {
    id: String,
    username: String,
    verified: bool,
    /// BTC with 8 decimals.
    #[schema(required)]
    bitcoin_holdings: Option<Btc>,
    /// Whether that is the exact total, or where its holder tier begins.
    #[schema(value_type = Shown)]
    shown_as: &'static str,
    /// RFC 3339.
    #[schema(required)]
    last_verified: Option<String>,
    /// Competition rank; null when nothing is proven.
    #[schema(required)]
    rank: Option<i64>,
    /// The name of the provider that says who this is.
    provider: String,
    /// Whether the provider told the name, and it is not one that stands in for it.
    named: bool,
}

impl From<&Row> for ExportedRow {
    fn from(row: &Row) -> Self {
        Self {
            id: row.id.to_string(),
            username: row.username.clone(),
            verified: row.holdings_sats.is_some(),
            bitcoin_holdings: row.holdings_sats.map(Btc),
            shown_as: row.shown_as.as_str(),
            last_verified: row.last_verified.map(iso),
            rank: row.rank,
            provider: row.provider.to_string(),
            named: row.is_named(),
        }
    }
}

/// The forms of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Csv,
    Json,
}

/// Cached files, by what is in them: the number of the board's newest change, and the block up to which the chain is followed.
#[derive(Clone, Debug)]
pub struct Exports(Cache<(Form, i64, Option<i64>), Bytes>);

impl Default for Exports {
    fn default() -> Self {
        let files = Cache::builder().max_capacity(2);
        Self(files.time_to_idle(CACHED_FOR).build())
    }
}

/// The whole board as CSV (RFC 4180). Names that a spreadsheet would take for a formula stand behind an apostrophe.
#[utoipa::path(get, path = "/board.csv", tag = "functions",
    responses((status = 200, description = "All rows, in the board's order, below their names", content_type = "text/csv", body = String)))]
pub async fn get_board_csv(
    State(board): State<Arc<Board>>,
    State(exports): State<Exports>,
    ClientAddress(address): ClientAddress,
) -> Result<impl IntoResponse, Error> {
    let about = about(
        "text/csv; charset=utf-8",
        "attachment; filename=\"board.csv\"",
    );
    let file = exports.file((&board, None), address, Form::Csv).await?;
    Ok((about, file))
}

/// The whole board as JSON.
#[utoipa::path(get, path = "/board.json", tag = "functions",
    responses((status = 200, description = "All rows, in the board's order", body = BoardExport)))]
pub async fn get_board_json(
    State(board): State<Arc<Board>>,
    State(chain): State<Arc<Chain>>,
    State(exports): State<Exports>,
    ClientAddress(address): ClientAddress,
) -> Result<impl IntoResponse, Error> {
    let about = about("application/json", "attachment; filename=\"board.json\"");
    let network = Some(chain.network_name());
    let file = exports.file((&board, network), address, Form::Json).await?;
    Ok((about, file))
}

fn about(kind: &'static str, name: &'static str) -> [(HeaderName, &'static str); 4] {
    [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "no-cache"),
        // Made to be used elsewhere.
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ]
}

impl Exports {
    /// The file as it is now. Its reader has a place until all of it is sent.
    async fn file(
        &self,
        (board, network): (&Arc<Board>, Option<&str>),
        address: Option<IpAddr>,
        form: Form,
    ) -> Result<Body, Error> {
        let place = board.download(address);
        let place = place.map_err(|too_many| Error::no_place(too_many, RETRY))?;
        let seen = board.seen().await?;
        let block = network.and_then(|network| seen.followed(network));
        let block = block.map(|block| block.height);
        let writing = async || {
            let (seen, now) = (Arc::clone(&seen), board.now());
            let write = move || match form {
                Form::Csv => csv_file(&seen),
                Form::Json => json_file(&seen, block, now),
            };
            Ok::<_, WorkError>(Bytes::from(board.work(write).await?))
        };
        let key = (form, seen.number, block);
        let file = get_or_compute(&self.0, &key, writing).await?;
        let parts = (0..file.len()).step_by(PART).map(move |start| {
            let _until_the_end = &place;
            Ok::<_, Infallible>(file.slice(start..file.len().min(start + PART)))
        });
        // Compression asks once more after the end.
        Ok(Body::from_stream(stream::iter(parts).fuse()))
    }
}

fn rows(seen: &Seen) -> Vec<Row> {
    let everybody = &BoardFilter::EVERYBODY;
    seen.board.find(everybody, usize::MAX, 0).rows
}

fn csv_file(seen: &Seen) -> String {
    let mut text =
        "rank,provider,username,bitcoin,shown_as,verified,last_verified,id,named\r\n".to_owned();
    for row in rows(seen) {
        let fields = [
            row.rank.map(|rank| rank.to_string()).unwrap_or_default(),
            row.provider.to_string(),
            quoted(&row.username),
            row.holdings_sats.map(btc_text).unwrap_or_default(),
            row.shown_as.as_str().to_owned(),
            row.holdings_sats.is_some().to_string(),
            row.last_verified.map(iso).unwrap_or_default(),
            row.id.to_string(),
            row.is_named().to_string(),
        ];
        text.push_str(&fields.join(","));
        text.push_str("\r\n");
    }
    text
}

fn json_file(seen: &Seen, block: Option<i64>, now: UnixTime) -> String {
    let block = block.map_or_else(|| "null".to_owned(), |height| height.to_string());
    let at = iso(now);
    let mut text = format!("{{\"exported_at\":\"{at}\",\"block\":{block},\"rows\":[");
    for (index, row) in rows(seen).iter().enumerate() {
        text.push_str(if index == 0 { "" } else { ",\n" });
        // A row is nothing but text and numbers.
        text.push_str(&serde_json::to_string(&ExportedRow::from(row)).unwrap_or_default());
    }
    text.push_str("]}\n");
    text
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
