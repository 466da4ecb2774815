//! JSON rows, with only the columns that a client asks for.

use std::marker::PhantomData;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::grammar::{RestQuery, columns, prefers, wants_single};
use crate::http::encoding::ContentRange;
use crate::http::error::Error;

/// The row as JSON, with only these columns. The text of each value stays as it is.
fn select(row: &impl Serialize, columns: Option<&[String]>) -> serde_json::Result<Box<RawValue>> {
    let row = to_raw_value(row)?;
    let Some(columns) = columns else {
        return Ok(row);
    };
    let mut values: IndexMap<String, &RawValue> = serde_json::from_str(row.get())?;
    values.retain(|name, _| columns.contains(name));
    to_raw_value(&values)
}

/// In the OpenAPI document, the parameter `select` for rows of type `T`.
#[derive(Debug)]
pub struct Columns<T>(PhantomData<T>);

impl<T: ToSchema> PartialSchema for Columns<T> {
    fn schema() -> RefOr<Schema> {
        let names = columns::<T>().join("|");
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(format!(r"^(\*|({names})(,({names}))*)?$")))
            .into()
    }
}

impl<T: ToSchema> ToSchema for Columns<T> {}

/// The rows of a table from `offset` on, as PostgREST sends them, with their range: a list, or the single object that was asked for.
///
/// # Errors
/// 406 when a single object was asked for and there is not exactly one.
pub fn rows_response<T: Serialize>(
    rows: &[T],
    query: &RestQuery,
    total: usize,
    headers: &HeaderMap,
) -> Result<Response, Error> {
    let select = |row| select(row, query.select.as_deref()).map_err(Error::internal);
    let (offset, end) = (query.offset, query.offset + rows.len());
    let range = match rows {
        [] => "*".to_owned(),
        _ => format!("{offset}-{}", end - 1),
    };
    let (status, total) = match prefers(headers, "count=exact") {
        // PostgREST answers 206 when there are more rows; clients treat both alike.
        true if total > end => (StatusCode::PARTIAL_CONTENT, total.to_string()),
        true => (StatusCode::OK, total.to_string()),
        false => (StatusCode::OK, "*".to_owned()),
    };
    let range = HeaderValue::try_from(format!("{range}/{total}")).map_err(Error::internal)?;
    let mut response = if wants_single(headers) {
        let [row] = rows else {
            return Err(Error::not_singular(rows.len()));
        };
        let kind = [(header::CONTENT_TYPE, "application/vnd.pgrst.object+json")];
        (kind, select(row)?.get().to_owned()).into_response()
    } else {
        let rows: Vec<Box<RawValue>> = rows.iter().map(select).collect::<Result<_, _>>()?;
        (status, axum::Json(rows)).into_response()
    };
    response.extensions_mut().insert(ContentRange(range));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::values::Btc;

    #[derive(Serialize, ToSchema)]
    struct Coin {
        name: &'static str,
        amount: Btc,
    }

    #[test]
    fn amounts_have_eight_decimals_whichever_columns_are_asked_for() {
        let coin = Coin {
            name: "a",
            amount: Btc(10_000_000),
        };
        let asked = ["amount".to_owned()];
        for (columns, json) in [
            (None, r#"{"name":"a","amount":0.10000000}"#),
            (Some(&asked[..]), r#"{"amount":0.10000000}"#),
            (Some(&[]), "{}"),
        ] {
            assert_eq!(select(&coin, columns).expect("JSON").get(), json);
        }
        let mut names = columns::<Coin>();
        names.sort();
        assert_eq!(names, ["amount", "name"]);
    }
}
