//! The downloads of a board, made from a snapshot: the same snapshot gives the same bytes.

use std::cmp::Reverse;

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::snapshot::{Header, Row};
use super::units::{btc, btc_text};

/// Characters that a spreadsheet takes for the start of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The whole board as of a block.
#[derive(Debug, Serialize, ToSchema)]
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
#[derive(Debug, Serialize, ToSchema)]
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
    /// `exact` for the exact total, `range` for where its holder tier begins.
    #[schema(pattern = "^(exact|range)$")]
    shown_as: String,
    /// RFC 3339.
    #[schema(required)]
    last_verified: Option<String>,
    /// Whether the name comes from the provider; else the board has made it up.
    named: bool,
}

/// The rows in the board's order, with their ranks (decisions, D7): most sats first, then the earliest verified, then by id.
fn rank(mut rows: Vec<Row>) -> Vec<(Option<usize>, Row)> {
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

/// The rows as CSV (RFC 4180). An apostrophe comes before names that a spreadsheet would take for a formula.
pub fn csv(rows: Vec<Row>) -> String {
    let mut text =
        "rank,provider,username,bitcoin,shown_as,verified,last_verified,id,named\r\n".to_owned();
    for (rank, row) in rank(rows) {
        let sats = row.shown_sats();
        let fields = [
            rank.map(|rank| rank.to_string()).unwrap_or_default(),
            row.provider,
            quote(&row.name),
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

/// The rows as JSON. `header` is `None` before the first snapshot.
pub fn json(header: Option<&Header>, now: &str, rows: Vec<Row>) -> String {
    let rows = rank(rows).into_iter().map(|(rank, row)| ExportedRow {
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
        exported_at: header.map_or(now, |it| &it.time).to_owned(),
        block: header.map(|it| it.height),
        rows: rows.collect(),
    };
    // Serialization of text and numbers cannot fail.
    serde_json::to_string(&export).unwrap_or_default() + "\n"
}

/// A text between quotation marks.
fn quote(text: &str) -> String {
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
            assert_eq!(quote(name), field);
        }
    }
}
