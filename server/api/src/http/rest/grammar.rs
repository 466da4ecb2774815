//! The small part of PostgREST's query grammar that the product uses. Strict: what it does not know is a 400, never ignored.

use std::fmt::Display;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT;
use bitcoin::{Amount, Denomination};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::http::error::Error;

/// The most rows of one response, and how many there are without a `limit`.
pub const MAX_ROWS: usize = 1_000;

/// A parsed query string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestQuery {
    /// The columns wanted; none means all.
    pub select: Option<Vec<String>>,
    /// `order`, as written.
    pub order: Option<String>,
    /// The most rows wanted.
    pub limit: usize,
    /// How many rows to skip.
    pub offset: usize,
    /// Columns, and the condition on each, as written.
    conditions: Vec<(String, String)>,
}

impl RestQuery {
    /// Parses a query string against the columns of the rows.
    pub fn parse<T: ToSchema>(query: Option<&str>) -> Result<Self, Error> {
        let columns = columns::<T>();
        let mut parsed = Self {
            limit: MAX_ROWS,
            ..Self::default()
        };
        let query = query.unwrap_or_default();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            match name.as_ref() {
                "select" => parsed.select = select(&value, &columns)?,
                "order" => parsed.order = Some(value.into_owned()),
                "limit" => parsed.limit = count(&value)?.min(MAX_ROWS),
                "offset" => parsed.offset = count(&value)?,
                // The primary key, which an upsert means also without it, as in PostgREST.
                "on_conflict" if value == "id" => {}
                column if columns.iter().any(|it| it == column) => {
                    let condition = (column.to_owned(), value.into_owned());
                    parsed.conditions.push(condition);
                }
                other => return Err(invalid(format!("'{other}' is not known here"))),
            }
        }
        Ok(parsed)
    }

    /// Takes the condition on a column. [`Self::finish`] refuses those that are left.
    fn take(&mut self, column: &str) -> Option<String> {
        let mut columns = self.conditions.iter();
        let position = columns.position(|(name, _)| name == column)?;
        Some(self.conditions.remove(position).1)
    }

    /// Takes an `eq` condition on a column.
    ///
    /// # Errors
    /// 400 for another condition.
    pub fn take_eq(&mut self, column: &str) -> Result<Option<String>, Error> {
        let Some(condition) = self.take(column) else {
            return Ok(None);
        };
        match condition.strip_prefix("eq.") {
            Some(value) => Ok(Some(value.to_owned())),
            None => Err(invalid(format!("'{column}' can only be compared with eq"))),
        }
    }

    /// Takes the condition on a column of text, as a pattern of SQL's `like`.
    ///
    /// # Errors
    /// 400 for another condition than `eq` and `ilike`.
    pub fn take_pattern(&mut self, column: &str) -> Result<Option<String>, Error> {
        let Some(condition) = self.take(column) else {
            return Ok(None);
        };
        match condition.split_once('.') {
            Some(("eq", text)) => Ok(Some(escape_like(text))),
            Some(("ilike", pattern)) => like(pattern).map(Some),
            _ => Err(invalid(format!("'{column}' is compared with eq and ilike"))),
        }
    }

    /// Takes the conditions on a column of amounts in BTC, as a range of sats without its end.
    ///
    /// # Errors
    /// 400 for another condition, and for a value that is no amount.
    pub fn take_sats(&mut self, column: &str) -> Result<Option<(u64, u64)>, Error> {
        let mut range = None;
        while let Some(condition) = self.take(column) {
            // A missing amount matches no condition, so the least is 1.
            let (least, below) = range.unwrap_or((1, u64::MAX));
            range = Some(match condition.split_once('.') {
                Some(("gte", btc)) => (least.max(amount(btc)?), below),
                Some(("lt", btc)) => (least, below.min(amount(btc)?)),
                _ => return Err(invalid(format!("'{column}' is compared with gte and lt"))),
            });
        }
        Ok(range)
    }

    /// Takes an `eq` or `is` condition on a boolean column.
    ///
    /// # Errors
    /// 400 for another condition, and for a value that is no boolean.
    pub fn take_bool(&mut self, column: &str) -> Result<Option<bool>, Error> {
        let condition = self.take(column);
        let parsed = condition.map(|it| match it.split_once('.') {
            Some(("eq" | "is", value)) => value.parse().ok(),
            _ => None,
        });
        match parsed {
            Some(None) => Err(invalid(format!(
                "'{column}' is compared with eq or is, and true or false"
            ))),
            parsed => Ok(parsed.flatten()),
        }
    }

    /// Ends the parsing: every condition must have been taken.
    ///
    /// # Errors
    /// 400 when a condition is left, or the order is not one of `orders`.
    pub fn finish(&self, orders: &[&str]) -> Result<(), Error> {
        if let Some((column, _)) = self.conditions.first() {
            return Err(invalid(format!("'{column}' cannot be filtered like that")));
        }
        match &self.order {
            Some(order) if !orders.contains(&order.as_str()) => {
                let orders = orders.join(" or ");
                Err(invalid(format!("the rows can only be ordered by {orders}")))
            }
            _ => Ok(()),
        }
    }
}

/// Whether one object is wanted in place of a list.
pub fn wants_single(headers: &HeaderMap) -> bool {
    let single = "application/vnd.pgrst.object+json";
    header_has(headers, ACCEPT.as_str(), single)
}

/// Whether a preference of RFC 7240 is among those sent.
pub fn prefers(headers: &HeaderMap, preference: &str) -> bool {
    header_has(headers, "prefer", preference)
}

fn header_has(headers: &HeaderMap, name: &str, wanted: &str) -> bool {
    let values = headers.get_all(name).iter();
    let mut parts = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split([',', ';']));
    parts.any(|part| part.trim() == wanted)
}

/// The names of a row's columns.
pub fn columns<T: ToSchema>() -> Vec<String> {
    match T::schema() {
        RefOr::T(Schema::Object(row)) => row.properties.into_keys().collect(),
        _ => Vec::new(),
    }
}

fn select(value: &str, columns: &[String]) -> Result<Option<Vec<String>>, Error> {
    if value.trim() == "*" || value.is_empty() {
        return Ok(None);
    }
    let selected = value.split(',').map(|column| match column.trim() {
        known if columns.iter().any(|it| it == known) => Ok(known.to_owned()),
        unknown => Err(invalid(format!("there is no column '{unknown}'"))),
    });
    selected.collect::<Result<_, _>>().map(Some)
}

/// A pattern that matches only this text.
fn escape_like(text: &str) -> String {
    let escaped = text.replace('\\', r"\\");
    escaped.replace('%', r"\%").replace('_', r"\_")
}

/// PostgREST accepts `*` for `%`, because `%` must be encoded in a URL. A pattern must not end in the middle of an escape.
fn like(pattern: &str) -> Result<String, Error> {
    let escapes = pattern.chars().rev().take_while(|it| *it == '\\').count();
    if escapes % 2 == 1 {
        return Err(invalid("a pattern ends in a single \\"));
    }
    Ok(pattern.replace('*', "%"))
}

/// An amount in BTC, in sats. The crate also reads `.5` and `.`.
fn amount(btc: &str) -> Result<u64, Error> {
    let amount = Amount::from_str_in(btc, Denomination::Bitcoin).map(Amount::to_sat);
    let amount = amount.ok().filter(|_| !btc.starts_with('.'));
    amount.ok_or_else(|| invalid(format!("'{btc}' is no amount")))
}

/// A number that SQL can count to.
fn count(value: &str) -> Result<usize, Error> {
    let count = value.parse::<i64>().ok();
    let count = count.and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| invalid(format!("'{value}' is no count")))
}

fn invalid(reason: impl Display) -> Error {
    let message = format!("The query cannot be read: {reason}.");
    Error::bad_request("invalid-query", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(ToSchema)]
    #[allow(dead_code, reason = "only its columns are needed")]
    struct Row {
        id: String,
        username: String,
        verified: bool,
    }

    fn parse(query: &str) -> Result<RestQuery, Error> {
        RestQuery::parse::<Row>(Some(query))
    }

    #[test]
    fn the_leaderboards_own_query_is_read() {
        let mut query = parse(
            "select=*&username=ilike.*sato*&verified=eq.true&order=a.desc&limit=50&offset=100",
        )
        .unwrap();
        assert_eq!(
            query.take_pattern("username").unwrap().as_deref(),
            Some("%sato%")
        );
        assert_eq!(query.take_bool("verified").unwrap(), Some(true));
        assert_eq!(query.take_bool("verified").unwrap(), None);
        assert_eq!(
            (query.limit, query.offset, query.select.clone()),
            (50, 100, None)
        );
        assert!(query.finish(&["a.desc"]).is_ok());
    }

    #[test]
    fn amounts_are_exact() {
        let sats = |query: &str| parse(query).and_then(|mut query| query.take_sats("id"));
        for (query, range) in [
            ("", None),
            ("id=gte.0.1&id=lt.1", Some((10_000_000, 100_000_000))),
            ("id=lt.0.00000002", Some((1, 2))),
            ("id=gte.0", Some((1, u64::MAX))),
            ("id=gte.21000000.", Some((2_100_000_000_000_000, u64::MAX))),
        ] {
            assert_eq!(sats(query).unwrap(), range, "{query}");
        }
        for query in [
            "id=lt.",
            "id=gte.1e3",
            "id=gte.0.000000001",
            "id=lt.-1",
            "id=eq.1",
            "id=lt.99999999999999",
            "id=lt..",
        ] {
            assert!(sats(query).is_err(), "{query}");
        }
    }

    #[test]
    fn unknown_query_parameters_are_refused() {
        for query in [
            "select=password",
            "select=id,(select 1)",
            "secret=eq.1",
            "limit=-1",
            "limit=lots",
            "or=(id.eq.1)",
        ] {
            assert!(parse(query).is_err(), "{query}");
        }
        let like = |query: &str| parse(query).and_then(|mut query| query.take_pattern("username"));
        for condition in ["gt.5", "5", "ilike.*%5C", "ilike.%5C%5C%5C"] {
            assert!(
                like(&format!("username={condition}")).is_err(),
                "{condition}"
            );
        }
        assert!(like("username=ilike.*%5C%5C").is_ok());
        for condition in ["true", "eq.1", "is.null", "is.", "not.is.true"] {
            let query = parse(&format!("verified={condition}"));
            assert!(query.unwrap().take_bool("verified").is_err(), "{condition}");
        }
        assert!(
            parse("id=eq.1").unwrap().finish(&[]).is_err(),
            "a filter nobody took"
        );
        assert!(parse("order=id.asc").unwrap().finish(&["id.desc"]).is_err());
    }
}
