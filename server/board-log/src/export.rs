//! The download of a board, made from a snapshot: the same snapshot gives the same bytes.

use std::cmp::Reverse;

use super::snapshot::Row;
use super::units::btc_text;

/// Characters that a spreadsheet takes for the start of a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

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
