//! The web app's own HTML, with the places that the server fills in.

/// As built, or the page that stands in for it.
const SOURCE: &str = include_str!(env!("INDEX_HTML"));

/// What comes before and after each place. Without the places the page is sent as it is.
#[derive(Debug)]
pub(super) struct Document {
    parts: Option<[&'static str; 4]>,
}

impl Document {
    /// The embedded one.
    pub(super) fn embedded() -> Self {
        Self::split(SOURCE)
    }

    fn split(source: &'static str) -> Self {
        let parts = || {
            let (before, rest) = source.split_once("<!--head-->")?;
            let (_, rest) = rest.split_once("<!--/head-->")?;
            let (head_to_rows, rest) = rest.split_once("<!--rows-->")?;
            let (rows_to_snapshot, after) = rest.split_once("<!--snapshot-->")?;
            Some([before, head_to_rows, rows_to_snapshot, after])
        };
        Self { parts: parts() }
    }

    /// The page with its places filled.
    pub(super) fn filled(&self, head: &str, rows: &str, snapshot: &str) -> String {
        match self.parts {
            Some([before, head_to_rows, rows_to_snapshot, after]) => [
                before,
                head,
                head_to_rows,
                rows,
                rows_to_snapshot,
                snapshot,
                after,
            ]
            .concat(),
            None => SOURCE.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_once_whatever_they_are_filled_with() {
        let page =
            Document::split("<a><!--head-->old<!--/head--><b><!--rows--><c><!--snapshot--><d>");
        assert_eq!(
            page.filled("<!--rows-->", "<!--snapshot-->", "<!--head-->"),
            "<a><!--rows--><b><!--snapshot--><c><!--head--><d>"
        );
    }

    #[test]
    fn a_page_without_places_is_sent_as_it_is() {
        let page = Document::split("<a><!--head--><b>");
        assert_eq!(page.filled("head", "rows", "snapshot"), SOURCE);
    }
}
