//! Rows on the wire: the columns that were asked for, amounts with exactly 8 decimals.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use super::grammar::RestQuery;
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

    /// Keeps these columns.
    #[must_use]
    pub fn of(mut self, columns: &[&str]) -> Self {
        self.0.retain(|(name, _)| columns.contains(name));
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

/// Rows as PostgREST answers them.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub content_type: &'static str,
    /// Which rows these are, of how many.
    pub content_range: Option<HeaderValue>,
    pub json: Vec<u8>,
}

impl Answer {
    /// A list with its range, or the single object asked for.
    ///
    /// # Errors
    /// 406 when a single object was asked for and there is not exactly one.
    pub fn of(
        rows: Vec<Row>,
        single: bool,
        offset: usize,
        total: Option<usize>,
    ) -> Result<Self, Error> {
        if single {
            let [row] =
                <[Row; 1]>::try_from(rows).map_err(|rows| Error::not_singular(rows.len()))?;
            return Ok(Self {
                status: StatusCode::OK,
                content_type: "application/vnd.pgrst.object+json",
                content_range: None,
                json: json(&row)?,
            });
        }
        let shown = rows.len();
        let range = if shown == 0 {
            "*".to_owned()
        } else {
            format!("{offset}-{}", offset + shown - 1)
        };
        let of = total.map_or_else(|| "*".to_owned(), |total| total.to_string());
        Ok(Self {
            // PostgREST answers 206 when there are more rows than shown; clients treat both alike.
            status: match total {
                Some(total) if total > offset + shown => StatusCode::PARTIAL_CONTENT,
                _ => StatusCode::OK,
            },
            content_type: "application/json",
            content_range: HeaderValue::try_from(format!("{range}/{of}")).ok(),
            json: json(&rows)?,
        })
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(Error::internal)
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let kind = [(header::CONTENT_TYPE, self.content_type)];
        let mut response = (self.status, kind, self.json).into_response();
        if let Some(range) = self.content_range {
            response.headers_mut().insert(header::CONTENT_RANGE, range);
        }
        response
    }
}
