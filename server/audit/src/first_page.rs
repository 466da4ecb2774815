//! The rows that the page of the leaderboard begins with.

use serde::Deserialize;

use super::html::{Html, without_spaces};
use super::responses::Summary;
use super::rows::Row;
use board_log::tiers::amount_words;

/// How many of the first rows the leaderboard page shows to readers without scripts.
const TABLE_ROWS: usize = 50;

/// What the page of the leaderboard begins with.
#[derive(Debug, Deserialize)]
pub(super) struct FirstPage {
    /// The number of the board's newest change in it.
    pub(super) number: i64,
    pub(super) rows: Vec<Row>,
    pub(super) summary: Summary,
    /// What readers without scripts see, HTML.
    #[serde(skip)]
    pub(super) table: String,
}

impl FirstPage {
    /// Reads the page. `None` when there is not exactly one block of rows in it.
    pub(super) fn read(page: &str) -> Option<Self> {
        let page = Html::parse(page);
        let [block] = &page.texts_with_id("first-page")[..] else {
            return None;
        };
        let without_scripts = page.texts("noscript").into_iter();
        Some(Self {
            table: without_scripts.filter(|it| it.contains("<h1")).collect(),
            ..serde_json::from_str(block).ok()?
        })
    }

    /// Whether these are its rows, for readers without scripts too.
    pub(super) fn shows(&self, rows: &[Row]) -> bool {
        let mut expected = "Bitcoin Leaderboard".to_owned();
        expected += match rows {
            [] => "Nobody is on the board yet.",
            _ => "Rank User Bitcoin",
        };
        for row in rows.iter().take(TABLE_ROWS) {
            let rank = row.rank.map(|rank| rank.to_string());
            expected += &rank.unwrap_or_else(|| "N/A".to_owned());
            expected += &row.name();
            expected += &amount_words(row.holdings, row.is_range());
        }
        self.rows == rows && Html::parse(&self.table).text() == without_spaces(&expected)
    }
}
