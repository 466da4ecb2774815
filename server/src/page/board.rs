//! The leaderboard's first rows: as HTML for whoever reads it, and as data for the web app to begin with.

use askama::Template;
use futures_util::FutureExt;
use serde::Serialize;
use time::OffsetDateTime;

use crate::error::Error;
use crate::images::public_path;
use crate::person;
use crate::proof::settle_expired;
use crate::routes::rest::profiles::public_row;
use crate::routes::rest::row::Row;
use crate::state::AppState;
use crate::store::board::{BoardFilter, BoardRow};

/// How many rows the web app asks for at a time; the data saves it the first time.
const DATA_ROWS: i64 = 100;

/// How many of them are written as HTML too.
const HTML_ROWS: usize = 50;

/// The first rows in both forms.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// What stands in the app's place.
    pub(super) html: String,
    /// A data block, which no browser runs.
    pub(super) data: String,
    /// Tells one state of the board from another.
    pub(super) tag: String,
}

#[derive(Serialize)]
struct Snapshot {
    rows: Vec<Row>,
    total: i64,
}

#[derive(Template)]
#[template(path = "leaderboard.html")]
struct BoardTemplate {
    rows: Vec<HtmlRow>,
    total: i64,
    year: i32,
}

/// One row, in words.
struct HtmlRow {
    id: String,
    rank: String,
    name: String,
    username: String,
    x_page: Option<String>,
    picture: Option<String>,
    initial: String,
    tier: &'static str,
    bitcoin: String,
    usd: String,
    verified: bool,
}

impl Board {
    /// Reads the rows and writes them.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn read(state: &AppState) -> Result<Self, Error> {
        settle_expired(state).await?;
        let everybody = BoardFilter::default();
        let rows = state.store.board(&everybody, DATA_ROWS, 0).await?;
        let total = state.store.board_count(&everybody).await?;
        // Nobody waits for a source here: what is not known yet is in the next page.
        let price = state.price.usd().now_or_never().flatten();
        let first = rows.iter().take(HTML_ROWS);
        let year = OffsetDateTime::from_unix_timestamp(state.clock.now());
        let page = BoardTemplate {
            rows: first.map(|row| html_row(row, price)).collect(),
            total,
            year: year.map_or(1970, OffsetDateTime::year),
        };
        let html = page.render().map_err(internal)?;
        let rows = rows.into_iter().map(public_row).collect();
        let data = data_block(&Snapshot { rows, total })?;
        let tag = crate::etag::of(format!("{html}{data}").as_bytes(), "");
        Ok(Self { html, data, tag })
    }
}

fn internal(error: impl std::fmt::Display) -> Error {
    Error::Internal(error.to_string())
}

/// JSON inside HTML: without a `<` nothing in it can end the element or begin another (HTML, section 4.12.1.3).
fn data_block(snapshot: &Snapshot) -> Result<String, Error> {
    let json = serde_json::to_string(snapshot).map_err(internal)?;
    let json = json.replace('<', "\\u003c");
    Ok(format!(
        "<script type=\"application/json\" id=\"board-snapshot\">{json}</script>"
    ))
}

fn html_row(row: &BoardRow, price: Option<f64>) -> HtmlRow {
    let not_available = || "N/A".to_owned();
    HtmlRow {
        id: row.id.clone(),
        rank: row.rank.map_or_else(not_available, |rank| rank.to_string()),
        name: person::display_name(&row.provider, &row.username),
        username: row.username.clone(),
        x_page: (row.provider == "twitter").then(|| x_page(&row.username)),
        picture: public_path(&row.id, row.avatar_url.as_deref()),
        initial: initial(&row.username),
        tier: person::holder_tier(row.holdings_sats),
        bitcoin: person::bitcoin(row.holdings_sats),
        usd: dollars(row.holdings_sats, price),
        verified: row.holdings_sats.is_some(),
    }
}

fn x_page(username: &str) -> String {
    let name: String = url::form_urlencoded::byte_serialize(username.as_bytes()).collect();
    format!("https://x.com/{}", name.replace('+', "%20"))
}

fn initial(username: &str) -> String {
    let first = username.trim().chars().next().unwrap_or('?');
    first.to_uppercase().to_string()
}

/// The value of holdings, in the specification's words: what is missing is N/A, what waits for the price is loading.
fn dollars(sats: Option<i64>, price: Option<f64>) -> String {
    const SATS_PER_BTC: f64 = 100_000_000.0;
    let Some(sats) = sats else {
        return "N/A".to_owned();
    };
    let Some(price) = price else {
        return "Loading...".to_owned();
    };
    let value = format!("{:.2}", sats as f64 / SATS_PER_BTC * price);
    let (whole, cents) = value.split_once('.').unwrap_or((&value, "00"));
    let mut text = String::from("$");
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if cents != "00" {
        text.push('.');
        text.push_str(cents);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_have_two_decimals_or_none() {
        let btc = Some(150_000_000);
        assert_eq!(dollars(btc, Some(100_000.0)), "$150,000");
        assert_eq!(dollars(btc, Some(99_999.99)), "$149,999.99");
        assert_eq!(dollars(btc, Some(823.0)), "$1,234.50");
        assert_eq!(
            dollars(Some(2_100_000_000_000_000), Some(1.0)),
            "$21,000,000"
        );
        assert_eq!(dollars(Some(2), Some(100_000.0)), "$0");
        assert_eq!(dollars(btc, None), "Loading...");
        assert_eq!(dollars(None, Some(1.0)), "N/A");
    }
}
