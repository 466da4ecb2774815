//! The leaderboard's first rows: as HTML for whoever reads it, and as data for the web app to begin with.

use serde::Serialize;

use super::body::Body;
use super::template::Template;
use super::words::{Day, Facts, day_of, page_words, row_words, year};
use crate::board;
use crate::board::keeper::{Followed, Seen};
use crate::board::memory::BoardFilter;
use crate::board::totals::Totals;
use crate::http::error::Error;
use crate::http::functions::board_summary::BoardSummary;
use crate::http::rest::profile_row::public_row;
use crate::http::rest::row::Row;

/// How many rows the web app asks for at a time; the data saves it the first time.
const DATA_ROWS: usize = 100;

/// How many of them are written as HTML too: as many as the app has in the page while its reader is at the top
/// (`use-window.ts`).
const HTML_ROWS: usize = 50;

/// What the app begins with (`web/src/api/first-page.ts`).
#[derive(Serialize)]
struct FirstPage {
    rows: Vec<Row>,
    summary: BoardSummary,
    price: Option<f64>,
    stand_in: bool,
    today: Day,
    year: i32,
}

/// All that the first rows depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The number of the last change.
    number: i64,
    block: Option<Followed>,
    /// Its bits.
    price: Option<u64>,
    stand_in: bool,
    today: Day,
}

impl State {
    pub(super) fn of(board: &board::Board, seen: &Seen, network: &str) -> Self {
        Self {
            number: seen.number,
            block: seen.followed(network),
            price: board.price_at_hand().map(f64::to_bits),
            stand_in: board.price_is_stand_in(),
            today: day_of(board.now()),
        }
    }
}

impl Body {
    /// Writes the first rows.
    pub(super) fn of_board(
        state: State,
        seen: &Seen,
        network: &str,
        template: &Template,
    ) -> Result<Self, Error> {
        let found = seen.board.find(&BoardFilter::EVERYBODY, DATA_ROWS, 0);
        let (price, today) = (state.price.map(f64::from_bits), state.today);
        let first = found.rows.iter().take(HTML_ROWS).enumerate();
        let first: Vec<_> = first
            .map(|(index, row)| row_words(index, row, price, today))
            .collect();
        let facts = Facts {
            totals: Totals::of(&seen.board),
            block: state.block.map(|block| block.height),
            price,
            stand_in: state.stand_in,
            today,
        };
        let html = template.filled(&page_words(&facts), &first);
        let data = FirstPage {
            rows: found.rows.iter().map(public_row).collect(),
            summary: BoardSummary::of(seen, network),
            price,
            stand_in: state.stand_in,
            today,
            year: year(today),
        };
        Self::new(html, "first-page", &data)
    }
}
