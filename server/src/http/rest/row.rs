//! Rows on the wire: the columns that were asked for, amounts with exactly 8 decimals.

use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use super::grammar::{RestQuery, wants_single};
use crate::http::error::Error;

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

/// The rows as PostgREST answers them: a list with its range, or the single object asked for.
///
/// # Errors
/// 406 when a single object was asked for and there is not exactly one.
pub fn answer(
    rows: Vec<Row>,
    headers: &HeaderMap,
    offset: i64,
    total: Option<i64>,
) -> Result<Response, Error> {
    if wants_single(headers) {
        let [row] =
            <[Row; 1]>::try_from(rows).map_err(|rows| Error::NotSingular { rows: rows.len() })?;
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
