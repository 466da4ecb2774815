//! The whole board for whoever wants to work with it. It is written while it is sent, so that a million rows take no more memory
//! than some.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use futures_util::{StreamExt, stream};
use utoipa::ToSchema;

use crate::board::Board;
use crate::board::keeper::Seen;
use crate::board::memory::{BoardFilter, Found, Row};
use crate::http::client_address::ClientAddress;
use crate::http::error::Error;
use crate::http::rest::profile_row::{Shown, public_row};
use crate::limits::places::Place;
use board_log::units::{btc_text, iso};
use chain::Chain;

/// How many rows are written at a time.
const PORTION: usize = 1_000;

/// How long to wait when too many take the board, in seconds.
const RETRY: i64 = 10;

/// The columns of the JSON.
const COLUMNS: [&str; 9] = [
    "id",
    "provider",
    "username",
    "rank",
    "verified",
    "bitcoin_holdings",
    "shown_as",
    "last_verified",
    "named",
];

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
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the wire for the OpenAPI document")]
pub struct ExportedRow {
    id: String,
    /// The name of the provider that says who this is.
    provider: String,
    username: String,
    /// Competition rank; null when nothing is proven.
    #[schema(required)]
    rank: Option<i64>,
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

/// Writes some rows after one another.
trait Form: Copy + Send + 'static {
    fn begin(self, head: &str) -> String;
    fn row(self, text: &mut String, row: &Row, first: bool);
    fn end(self) -> &'static str;
}

/// The whole board as CSV (RFC 4180). Names that a spreadsheet would take for a formula stand behind an apostrophe.
#[utoipa::path(get, path = "/board.csv", tag = "functions",
    responses((status = 200, description = "All rows, in the board's order, below their names", content_type = "text/csv", body = String)))]
pub async fn csv(
    State(board): State<Arc<Board>>,
    ClientAddress(address): ClientAddress,
) -> Result<impl IntoResponse, Error> {
    let reader = Reader::of(&board, address)?;
    let seen = board.seen().await?;
    let about = about(
        "text/csv; charset=utf-8",
        "attachment; filename=\"board.csv\"",
    );
    Ok((about, written((board, seen), reader, Csv, "")))
}

/// The whole board as JSON.
#[utoipa::path(get, path = "/board.json", tag = "functions",
    responses((status = 200, description = "All rows, in the board's order", body = BoardExport)))]
pub async fn json(
    State(board): State<Arc<Board>>,
    State(chain): State<Arc<Chain>>,
    ClientAddress(address): ClientAddress,
) -> Result<impl IntoResponse, Error> {
    let reader = Reader::of(&board, address)?;
    let seen = board.seen().await?;
    let block = seen.followed(chain.network_name());
    let block = block.map_or_else(|| "null".to_owned(), |block| block.height.to_string());
    let at = iso(board.now());
    let head = format!("{{\"exported_at\":\"{at}\",\"block\":{block},\"rows\":[");
    let about = about("application/json", "attachment; filename=\"board.json\"");
    Ok((about, written((board, seen), reader, JsonForm, &head)))
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

/// Who takes the board, until all of it is sent or nobody takes it any more.
struct Reader(#[allow(dead_code, reason = "held until all is sent")] Place);

impl Reader {
    fn of(board: &Board, address: Option<IpAddr>) -> Result<Self, Error> {
        let place = board.download(address);
        let place = place.map_err(|too_many| Error::no_place(too_many, RETRY))?;
        Ok(Self(place))
    }
}

/// All rows of the board as it is now, whatever becomes of it while they are sent. Others have their turn between two portions.
fn written(
    (board, seen): (Arc<Board>, Arc<Seen>),
    reader: Reader,
    form: impl Form,
    head: &str,
) -> Body {
    let head = form.begin(head);
    let portions = stream::unfold((Some(0), reader), move |(offset, reader)| {
        let (board, seen, head) = (Arc::clone(&board), Arc::clone(&seen), head.clone());
        async move {
            let offset: usize = offset?;
            let writing = move || {
                let Found { rows, total } =
                    seen.board.find(&BoardFilter::EVERYBODY, PORTION, offset);
                let mut text = if offset == 0 { head } else { String::new() };
                for (index, row) in rows.iter().enumerate() {
                    form.row(&mut text, row, offset + index == 0);
                }
                let next = Some(offset + rows.len()).filter(|next| *next < total);
                if next.is_none() {
                    text.push_str(form.end());
                }
                (Bytes::from(text), next)
            };
            // A panic ends the answer short of its end, which whoever reads it notices.
            let written = board
                .when_it_is_its_turn(&BoardFilter::EVERYBODY, writing)
                .await;
            match written {
                Ok((text, next)) => Some((Ok(text), (next, reader))),
                Err(error) => Some((Err(error), (None, reader))),
            }
        }
    });
    // Whoever compresses it asks once more after its end.
    Body::from_stream(portions.fuse())
}

#[derive(Clone, Copy)]
struct Csv;

impl Form for Csv {
    fn begin(self, _: &str) -> String {
        "rank,provider,username,bitcoin,shown_as,verified,last_verified,id,named\r\n".to_owned()
    }

    fn row(self, text: &mut String, row: &Row, _: bool) {
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

    fn end(self) -> &'static str {
        ""
    }
}

/// A text between quotation marks.
fn quoted(text: &str) -> String {
    let apostrophe = if text.starts_with(FORMULA) { "'" } else { "" };
    format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))
}

#[derive(Clone, Copy)]
struct JsonForm;

impl Form for JsonForm {
    fn begin(self, head: &str) -> String {
        head.to_owned()
    }

    fn row(self, text: &mut String, row: &Row, first: bool) {
        if !first {
            text.push_str(",\n");
        }
        let row = public_row(row).of(&COLUMNS);
        // A row is nothing but text and numbers.
        text.push_str(&serde_json::to_string(&row).unwrap_or_default());
    }

    fn end(self) -> &'static str {
        "]}\n"
    }
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
