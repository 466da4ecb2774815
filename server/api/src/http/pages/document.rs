//! The web app's own HTML, with the places that the server fills in.

use std::collections::BTreeMap;

use super::template::Template;

/// As built, or the page that stands in for it.
const SOURCE: &str = include_str!(env!("INDEX_HTML"));

/// What comes before and after each place. Without the places the page is sent as it is.
#[derive(Debug, Default)]
pub(super) struct Document {
    parts: Option<[&'static str; 5]>,
    /// What each page loads, as links of HTML, by the first part of its path.
    pages: BTreeMap<&'static str, &'static str>,
    /// The leaderboard, drawn when the web app was built.
    board: Template,
    /// Pages of prose, drawn then as well, by the first part of their path.
    prose: BTreeMap<&'static str, Template>,
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
            let (_, rest) = rest.split_once("<!--prose-->")?;
            let (prose, rest) = rest.split_once("<!--/prose-->")?;
            let (board_to_data, after) = rest.split_once("<!--data-->")?;
            let prose = by_page(prose).map(|(page, html)| Some((page, Template::parse(html)?)));
            Some(Self {
                parts: Some([before, head_to_pages, pages_to_board, board_to_data, after]),
                pages: by_page(pages).collect(),
                board: Template::parse(board)?,
                prose: prose.collect::<Option<_>>()?,
            })
        };
        split().unwrap_or_default()
    }

    /// What the page at this path loads, so that browsers fetch all of it at once; nothing for addresses without a page.
    pub(super) fn links(&self, path: &str) -> &'static str {
        self.pages.get(page_of(path)).copied().unwrap_or_default()
    }

    /// The template of the page of prose at this path.
    pub(super) fn prose(&self, path: &str) -> Option<&Template> {
        self.prose.get(page_of(path))
    }

    /// The template of the leaderboard.
    pub(super) fn board(&self) -> &Template {
        &self.board
    }

    /// The page with its places filled.
    pub(super) fn filled(&self, head: &str, links: &str, body: &str, data: &str) -> String {
        match self.parts {
            Some([before, head_to_pages, pages_to_board, board_to_data, after]) => [
                before,
                head,
                head_to_pages,
                links,
                pages_to_board,
                body,
                board_to_data,
                data,
                after,
            ]
            .concat(),
            None => SOURCE.to_owned(),
        }
    }
}

/// The first part of a path.
fn page_of(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or_default()
}

/// What stands behind each mark of a page.
fn by_page(marked: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let pages = marked.split("<!--page ");
    pages.filter_map(|page| page.split_once("-->"))
}

/// The document that checks proofs, as built, or the page that stands in for it. Only its head has a place.
const VERIFY: &str = include_str!(env!("VERIFY_HTML"));

/// The document that checks proofs with its place filled.
pub(super) fn verify(head: &str) -> String {
    let split = || {
        let (before, rest) = VERIFY.split_once("<!--head-->")?;
        let (_, after) = rest.split_once("<!--/head-->")?;
        Some([before, head, after].concat())
    };
    split().unwrap_or_else(|| VERIFY.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::board::memory::Row;
    use crate::board::totals::Totals;
    use crate::http::pages::prose::words;
    use crate::http::pages::words::{Facts, page_words, row_words};
    use crate::http::site::{Legal, Site};
    use store::shown_as::ShownAs;

    #[test]
    fn places_are_filled_once_whatever_they_are_filled_with() {
        let page = Document::split(
            "<a><!--head-->old<!--/head--><p><!--pages--><!--/pages--><b><!--board-->{{n}}<!--/board--><!--prose--><!--/prose--><c><!--data--><d>",
        );
        assert_eq!(
            page.filled("<!--board-->", "<!--pages-->", "<!--data-->", "<!--head-->"),
            "<a><!--board--><p><!--pages--><b><!--data--><c><!--head--><d>"
        );
    }

    #[test]
    fn a_page_is_sent_with_what_it_loads_and_no_other() {
        let page = Document::split(
            "<!--head--><!--/head--><!--pages--><!--page profile--><link p><!--page upload--><link u><link v><!--/pages--><!--board--><!--/board--><!--prose--><!--page terms--><p>{{year}}</p><!--/prose--><!--data-->",
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
        assert!(page.prose("/terms").is_some() && page.prose("/upload").is_none());
    }

    #[test]
    fn a_page_without_places_is_sent_as_it_is() {
        for source in [
            "<a><!--head--><b>",
            "<!--head--><!--/head--><!--pages--><!--/pages--><!--board-->{{/}}<!--/board--><!--prose--><!--/prose--><!--data-->",
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
            "block" | "price" | "worth" => &["known", "unknown"],
            "origin" => &["market", "standin"],
            "face" => &["initial", "picture"],
            "link" => &["none", "x"],
            "published" => &["none", "some"],
            "script" => &["ltr", "rtl"],
            "stand" => &["behind", "first", "second", "third", "unranked"],
            "status" => &["unverified", "verified"],
            "tier" => &["Crab", "Dolphin", "Fish", "Plankton", "Shark", "Whale"],
            "wrap" => &["long", "short"],
            "network" => &["mainnet", "regtest", "signet", "testnet"],
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
            shown_as: ShownAs::Exact,
            holdings_sats: None,
            published_sats: None,
            rank: None,
            last_verified: None,
            updated_at: 0,
        };
        let facts = Facts {
            totals: Totals::default(),
            block: None,
            price: None,
            stand_in: false,
            today: 0,
        };
        let page = Document::embedded();
        for (in_rows, words) in [
            (false, page_words(&facts)),
            (true, row_words(0, &row, None, 0)),
        ] {
            let expected: BTreeMap<_, _> = words
                .keys()
                .map(|name| (*name, alternatives(name)))
                .collect();
            assert_eq!(page.board().names(in_rows), expected);
        }
    }

    #[test]
    fn prose_has_places_for_words_that_are_known_and_every_network() {
        let legal = Legal {
            company: String::new(),
            postal_address: String::new(),
            country: String::new(),
            privacy_email: String::new(),
            contact_email: String::new(),
            updated: String::new(),
        };
        let network = bitcoin::Network::Regtest.into();
        let known = words(&Site { network, legal }, 2026);
        let page = Document::embedded();
        for path in ["/how-it-works", "/privacy-policy", "/terms-of-service"] {
            let template = page.prose(path).expect(path);
            for (name, values) in template.names(false) {
                assert!(known.contains_key(name), "{name}");
                assert_eq!(values, alternatives(name), "{name}");
            }
        }
    }
}
