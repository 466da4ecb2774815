//! What a page brings besides the app: the data that the app begins with, and the same for readers without scripts.

use askama::Template;
use serde::Serialize;

use crate::board::memory::{self, BoardFilter};
use crate::board::person;
use crate::board::refresh::NumberedBoard;
use crate::config::LegalConfig;
use crate::http::error::Error;
use crate::http::functions::board_summary::BoardSummary;
use crate::http::rest::profile_row::ProfileRow;
use crate::price::ShownPrice;
use board_log::tiers;

/// What all pages of one server have in common.
#[derive(Debug, Serialize)]
pub(super) struct Site {
    pub(super) legal: LegalConfig,
}

/// How many rows the web app asks for at a time; the page saves it the first time.
const DATA_ROWS: usize = 100;

/// How many of them readers without scripts see.
const TABLE_ROWS: usize = 50;

/// What the leaderboard begins with (`web/src/api/first-page.ts`): rows and summary as the API answers them.
#[derive(Serialize)]
struct FirstPage {
    number: i64,
    rows: Vec<ProfileRow>,
    summary: BoardSummary,
    #[serde(flatten)]
    price: ShownPrice,
}

/// The first rows as a plain table.
#[derive(Template)]
#[template(path = "board.html")]
struct Table<'a> {
    rows: &'a [memory::Row],
}

/// The first rows of the leaderboard.
pub(super) fn board(
    board: &NumberedBoard,
    network: &str,
    price: ShownPrice,
) -> Result<String, Error> {
    let found = board.rows.find(&BoardFilter::default(), DATA_ROWS, 0);
    let data = FirstPage {
        number: board.number,
        rows: found.rows.iter().map(ProfileRow::public).collect(),
        summary: BoardSummary::new(board, network),
        price,
    };
    let rows = &found.rows[..found.rows.len().min(TABLE_ROWS)];
    let table = Table { rows }.render().map_err(Error::internal)?;
    Ok(data_block("first-page", &data)? + &table)
}

/// A page of prose. The build has drawn it with places for what only the server knows.
pub(super) fn prose(site: &Site, drawn: &str) -> Result<String, Error> {
    let mut html = drawn.to_owned();
    let legal = serde_json::to_value(&site.legal).map_err(Error::internal)?;
    for (place, word) in legal.as_object().into_iter().flatten() {
        let word = escape(word.as_str().unwrap_or_default())?;
        html = html.replace(&format!("{{{{{place}}}}}"), &word);
    }
    Ok(data_block("site", site)? + "<noscript>" + &html + "</noscript>")
}

fn escape(text: &str) -> Result<String, Error> {
    let text = askama::filters::escape(text, askama::filters::Html);
    let text = text.map_err(Error::internal)?;
    Ok(text.to_string())
}

/// JSON inside HTML: without a `<` nothing in it can end the element or begin another (HTML, section 4.12.1.3). The two separators end
/// lines in older JavaScript.
fn data_block(id: &str, data: &impl Serialize) -> Result<String, Error> {
    let json = serde_json::to_string(data).map_err(Error::internal)?;
    let json = json
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    Ok(format!(
        "<script type=\"application/json\" id=\"{id}\">{json}</script>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_data_block_ends_it() {
        let text = "</script><!--<script>\u{2028}\u{2029}&";
        let block = data_block("a", &text).unwrap();
        let (_, json) = block.split_once('>').unwrap();
        let json = json.strip_suffix("</script>").unwrap();
        assert!(!json.contains(['<', '\u{2028}', '\u{2029}']), "{json}");
        assert_eq!(serde_json::from_str::<String>(json).unwrap(), text);
    }
}
