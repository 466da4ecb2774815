//! Rows on the wire: the columns that were asked for, amounts with exactly 8 decimals.

use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::grammar::{RestQuery, wants_single};
use crate::clock::UnixTime;
use crate::error::Error;

/// One row: names and values in the table's own order.
#[derive(Clone, Debug)]
pub struct Row(Vec<(&'static str, Box<RawValue>)>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Row {
    /// Keeps the columns that were asked for.
    #[must_use]
    pub fn select(mut self, query: &RestQuery) -> Self {
        if let Some(columns) = &query.select {
            self.0
                .retain(|(name, _)| columns.iter().any(|column| column == name));
        }
        self
    }

    /// Builds a row.
    #[must_use]
    pub fn new(columns: Vec<(&'static str, Box<RawValue>)>) -> Self {
        Self(columns)
    }
}

/// Any value as it stands in JSON.
pub fn value(value: impl Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(&value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Sats as a JSON number in BTC, with exactly 8 decimals and without ever being a float.
#[must_use]
pub fn btc(sats: i64) -> Box<RawValue> {
    RawValue::from_string(btc_text(sats)).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Sats as text in BTC, with exactly 8 decimals.
#[must_use]
pub fn btc_text(sats: i64) -> String {
    const SATS_PER_BTC: u64 = 100_000_000;
    let sign = if sats < 0 { "-" } else { "" };
    let sats = sats.unsigned_abs();
    format!("{sign}{}.{:08}", sats / SATS_PER_BTC, sats % SATS_PER_BTC)
}

/// A time as RFC 3339 text in UTC.
#[must_use]
pub fn iso(time: UnixTime) -> String {
    OffsetDateTime::from_unix_timestamp(time)
        .ok()
        .and_then(|time| time.format(&Rfc3339).ok())
        .unwrap_or_default()
}

/// The rows as PostgREST answers them: a list with its range, or the single object asked for.
///
/// # Errors
/// 406 when a single object was asked for and there is not exactly one.
pub fn answer(
    mut rows: Vec<Row>,
    headers: &HeaderMap,
    offset: i64,
    total: Option<i64>,
) -> Result<Response, Error> {
    if wants_single(headers) {
        let row = rows
            .pop()
            .filter(|_| rows.is_empty())
            .ok_or(Error::NotSingular)?;
        let kind = [(header::CONTENT_TYPE, "application/vnd.pgrst.object+json")];
        return Ok((kind, Json(row)).into_response());
    }
    let shown = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let range = if shown == 0 {
        "*".to_owned()
    } else {
        format!("{offset}-{}", offset + shown - 1)
    };
    let of = total.map_or_else(|| "*".to_owned(), |total| total.to_string());
    // PostgREST answers 206 when there are more rows than shown; clients treat both alike.
    let status = match total {
        Some(total) if total > offset + shown => StatusCode::PARTIAL_CONTENT,
        _ => StatusCode::OK,
    };
    let range = [(header::CONTENT_RANGE, format!("{range}/{of}"))];
    Ok((status, range, Json(rows)).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitcoin_amounts_have_eight_decimals() {
        assert_eq!(btc_text(0), "0.00000000");
        assert_eq!(btc_text(1), "0.00000001");
        assert_eq!(btc_text(125_000_000), "1.25000000");
        assert_eq!(btc_text(2_100_000_000_000_000), "21000000.00000000");
    }

    #[test]
    fn times_are_rfc_3339_in_utc() {
        assert_eq!(iso(1_700_000_000), "2023-11-14T22:13:20Z");
    }
}
