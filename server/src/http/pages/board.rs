//! The leaderboard's first rows: as HTML for whoever reads it, and as data for the web app to begin with.

use serde::Serialize;

use super::template::Template;
use super::words::{page_words, row_words};
use crate::board::memory::{BoardFilter, Memory};
use crate::http::error::Error;
use crate::http::rest::profiles::public_row;
use crate::http::rest::row::Row;

/// How many rows the web app asks for at a time; the data saves it the first time.
const DATA_ROWS: usize = 100;

/// How many of them are written as HTML too: as many as the app has in the page while its reader is at the top
/// (`use-window.ts`).
const HTML_ROWS: usize = 50;

/// The first rows in both forms.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// What the app draws from this data, and takes over.
    pub(super) html: String,
    /// A data block, which no browser runs.
    pub(super) data: String,
    /// Tells one state of the board from another.
    pub(super) tag: String,
}

/// What the app begins with (`web/src/api/first-page.ts`).
#[derive(Serialize)]
struct FirstPage {
    rows: Vec<Row>,
    total: usize,
    price: Option<f64>,
    year: i32,
}

impl Board {
    /// Writes the first rows.
    pub(super) fn of(
        board: &Memory,
        price: Option<f64>,
        year: i32,
        template: &Template,
    ) -> Result<Self, Error> {
        let found = board.find(&BoardFilter::default(), DATA_ROWS, 0);
        let (rows, total) = (found.rows, found.total);
        let first = rows.iter().take(HTML_ROWS).enumerate();
        let first: Vec<_> = first
            .map(|(index, row)| row_words(index, row, price))
            .collect();
        let html = template.filled(&page_words(total, price, year), &first);
        let data = data_block(&FirstPage {
            rows: rows.iter().map(public_row).collect(),
            total,
            price,
            year,
        })?;
        let tag = crate::http::etag::of(format!("{html}{data}").as_bytes(), "");
        Ok(Self { html, data, tag })
    }
}

/// JSON inside HTML: without a `<` nothing in it can end the element or begin another (HTML, section 4.12.1.3).
fn data_block(page: &FirstPage) -> Result<String, Error> {
    let json = serde_json::to_string(page).map_err(|error| Error::Internal(error.to_string()))?;
    let json = json.replace('<', "\\u003c");
    Ok(format!(
        "<script type=\"application/json\" id=\"first-page\">{json}</script>"
    ))
}
