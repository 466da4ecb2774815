//! The web app's own HTML, with the places that the server fills in.

use std::collections::BTreeMap;

/// As built, or the page that stands in for it.
const SOURCE: &str = include_str!(env!("INDEX_HTML"));

/// A built document without session code, with this head: below `/prove` the document that makes proofs for one reader, elsewhere the document
/// that checks proofs.
pub(super) fn bare(path: &str, head: &str) -> String {
    let source = match page_of(path) {
        "prove" => include_str!(env!("PROVE_HTML")),
        _ => include_str!(env!("VERIFY_HTML")),
    };
    let (start, _, end) = cut(source, "<!--head-->", "<!--/head-->");
    [start, head, end].concat()
}

/// The text between the places.
#[derive(Debug)]
pub(super) struct Document {
    parts: [&'static str; 4],
    /// What each page loads, as links of HTML, by the first part of its path.
    links: BTreeMap<&'static str, &'static str>,
    /// Pages of prose, drawn when the web app was built (`web/build/prose.ts`), by their paths.
    prose: BTreeMap<&'static str, &'static str>,
}

impl Document {
    /// The page that was built into the program.
    pub(super) fn embedded() -> Self {
        Self::split(SOURCE)
    }

    fn split(source: &'static str) -> Self {
        let (start, _, rest) = cut(source, "<!--head-->", "<!--/head-->");
        let (head, links, rest) = cut(rest, "<!--pages-->", "<!--/pages-->");
        let (body, prose, end) = cut(rest, "<!--content-->", "<!--/content-->");
        Self {
            parts: [start, head, body, end],
            links: by_page(links),
            prose: by_page(prose),
        }
    }

    /// What the page at this path loads, so that browsers fetch all of it at once; nothing for addresses without a page.
    fn links(&self, path: &str) -> &'static str {
        self.links.get(page_of(path)).copied().unwrap_or_default()
    }

    /// The page of prose at this path.
    pub(super) fn prose(&self, path: &str) -> Option<&'static str> {
        self.prose.get(path.trim_matches('/')).copied()
    }

    /// The page at this path with its places filled.
    pub(super) fn page(&self, path: &str, head: &str, content: &str) -> String {
        let [start, to_links, to_content, end] = self.parts;
        let links = self.links(path);
        [start, head, to_links, links, to_content, content, end].concat()
    }
}

/// What is before, between and after two marks.
fn cut<'a>(text: &'a str, begin: &str, end: &str) -> (&'a str, &'a str, &'a str) {
    let cut = text.split_once(begin).and_then(|(before, rest)| {
        let (between, after) = rest.split_once(end)?;
        Some((before, between, after))
    });
    cut.expect("a document of the web app has its places")
}

/// The first part of a path.
fn page_of(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or_default()
}

/// What follows each `<!--page name-->`, by its name.
fn by_page(marked: &'static str) -> BTreeMap<&'static str, &'static str> {
    let pages = marked.split("<!--page ");
    pages.filter_map(|page| page.split_once("-->")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<a><!--head-->old<!--/head--><p><!--pages--><!--page profile--><link p><!--page upload--><link u><link v><!--/pages--><b><!--content--><!--page terms--><p>{{year}}</p><!--/content--><d>";

    #[test]
    fn placeholders_are_replaced_once() {
        let page = Document::split(PAGE);
        assert_eq!(
            page.page("/upload", "<!--content-->", "<!--head-->"),
            "<a><!--content--><p><link u><link v><b><!--head--><d>"
        );
    }

    #[test]
    fn a_page_is_sent_with_what_it_loads_and_no_other() {
        let page = Document::split(PAGE);
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
    fn the_embedded_page_has_all_places() {
        Document::embedded();
        for path in ["/verify", "/prove/ask"] {
            let page = bare(path, "<title>here</title>");
            assert!(page.contains("<title>here</title>"), "{path}");
        }
    }
}
