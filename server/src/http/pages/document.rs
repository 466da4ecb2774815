//! The web app's own HTML, with the places that the server fills in.

use std::collections::BTreeMap;

use super::template::Template;

/// As built, or the page that stands in for it.
const SOURCE: &str = include_str!(env!("INDEX_HTML"));

/// What comes before and after each place. Without the places the page is sent as it is.
#[derive(Debug)]
pub(super) struct Document {
    parts: Option<[&'static str; 5]>,
    /// What each page loads, as links of HTML, by the first part of its path.
    pages: BTreeMap<&'static str, &'static str>,
    /// The leaderboard, drawn when the web app was built.
    board: Template,
}

impl Document {
    /// The embedded one.
    pub(super) fn embedded() -> Self {
        Self::split(SOURCE)
    }

    fn split(source: &'static str) -> Self {
        let split = || {
            let (before, rest) = source.split_once("<!--head-->")?;
            let (_, rest) = rest.split_once("<!--/head-->")?;
            let (head_to_pages, rest) = rest.split_once("<!--pages-->")?;
            let (pages, rest) = rest.split_once("<!--/pages-->")?;
            let (pages_to_board, rest) = rest.split_once("<!--board-->")?;
            let (board, rest) = rest.split_once("<!--/board-->")?;
            let (board_to_data, after) = rest.split_once("<!--data-->")?;
            let parts = [before, head_to_pages, pages_to_board, board_to_data, after];
            let pages = pages
                .split("<!--page ")
                .filter_map(|page| page.split_once("-->"));
            Some((parts, pages.collect(), Template::parse(board)?))
        };
        match split() {
            Some((parts, pages, board)) => Self {
                parts: Some(parts),
                pages,
                board,
            },
            None => Self {
                parts: None,
                pages: BTreeMap::new(),
                board: Template::default(),
            },
        }
    }

    /// What the page at this path loads, so that browsers fetch all of it at once; nothing for addresses without a page.
    pub(super) fn links(&self, path: &str) -> &'static str {
        let page = path.split('/').nth(1).unwrap_or_default();
        self.pages.get(page).copied().unwrap_or_default()
    }

    /// The template of the leaderboard.
    pub(super) fn board(&self) -> &Template {
        &self.board
    }

    /// The page with its places filled.
    pub(super) fn filled(&self, head: &str, links: &str, board: &str, data: &str) -> String {
        match self.parts {
            Some([before, head_to_pages, pages_to_board, board_to_data, after]) => [
                before,
                head,
                head_to_pages,
                links,
                pages_to_board,
                board,
                board_to_data,
                data,
                after,
            ]
            .concat(),
            None => SOURCE.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::board::memory::Row;
    use crate::http::pages::words::{page_words, row_words};

    #[test]
    fn places_are_filled_once_whatever_they_are_filled_with() {
        let page = Document::split(
            "<a><!--head-->old<!--/head--><p><!--pages--><!--/pages--><b><!--board-->{{n}}<!--/board--><c><!--data--><d>",
        );
        assert_eq!(
            page.filled("<!--board-->", "<!--pages-->", "<!--data-->", "<!--head-->"),
            "<a><!--board--><p><!--pages--><b><!--data--><c><!--head--><d>"
        );
    }

    #[test]
    fn a_page_is_sent_with_what_it_loads_and_no_other() {
        let page = Document::split(
            "<!--head--><!--/head--><!--pages--><!--page profile--><link p><!--page upload--><link u><link v><!--/pages--><!--board--><!--/board--><!--data-->",
        );
        for (path, links) in [
            ("/upload", "<link u><link v>"),
            ("/upload/", "<link u><link v>"),
            ("/profile/1/upload", "<link p>"),
            ("/nowhere", ""),
            ("/", ""),
            ("", ""),
        ] {
            assert_eq!(page.links(path), links, "{path}");
        }
    }

    #[test]
    fn a_page_without_places_is_sent_as_it_is() {
        for source in [
            "<a><!--head--><b>",
            "<!--head--><!--/head--><!--board-->{{/}}<!--/board--><!--data-->",
        ] {
            let page = Document::split(source);
            assert_eq!(
                page.filled("head", "links", "board", "data"),
                SOURCE,
                "{source}"
            );
        }
    }

    /// The alternatives of words that are one of a few.
    fn alternatives(name: &str) -> BTreeSet<&'static str> {
        let values: &[_] = match name {
            "board" => &["empty", "filled"],
            "price" => &["known", "unknown"],
            "face" => &["initial", "picture"],
            "link" => &["none", "x"],
            "stand" => &["behind", "first", "second", "third", "unranked"],
            "status" => &["unverified", "verified"],
            "tier" => &["Crab", "Dolphin", "Fish", "Plankton", "Shark", "Whale"],
            "wrap" => &["long", "short"],
            _ => &[],
        };
        values.iter().copied().collect()
    }

    #[test]
    fn the_page_has_a_place_for_every_word_and_no_other() {
        let row = Row {
            id: uuid::Uuid::nil(),
            provider: "".into(),
            username: String::new(),
            picture: None,
            holdings_sats: None,
            rank: None,
            last_verified: None,
            updated_at: 0,
        };
        let page = Document::embedded();
        for (in_rows, words) in [
            (false, page_words(0, None, 2026)),
            (true, row_words(0, &row, None)),
        ] {
            let expected: BTreeMap<_, _> = words
                .keys()
                .map(|name| (*name, alternatives(name)))
                .collect();
            assert_eq!(page.board().names(in_rows), expected);
        }
    }
}
