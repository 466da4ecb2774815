//! Templates that the build of the web app makes from its components (`web/src/ui/places.tsx`).
//!
//! `{{name}}` is the place of a word, `{{name=value}}…{{/}}` stands only where the name has that value, and `{{each}}…{{/}}` stands
//! once for each row. A row knows its own words and those of the page.

use std::collections::HashMap;

/// The words of a page or of a row, by the names of their places.
pub(super) type Words = HashMap<&'static str, String>;

/// A template that was read once.
#[derive(Debug, Default)]
pub(super) struct Template(Vec<Piece>);

#[derive(Debug)]
enum Piece {
    Text(&'static str),
    Place(&'static str),
    Case {
        name: &'static str,
        value: &'static str,
        inside: Template,
    },
    Each(Template),
}

impl Template {
    /// Reads a template; none where its blocks do not match.
    pub(super) fn parse(source: &'static str) -> Option<Self> {
        let mut rest = source;
        let template = Self::block(&mut rest, false)?;
        rest.is_empty().then_some(template)
    }

    /// Reads up to the end of a block, or of the template.
    fn block(rest: &mut &'static str, ends: bool) -> Option<Self> {
        let mut pieces = Vec::new();
        while let Some((text, after)) = rest.split_once("{{") {
            let (place, after) = after.split_once("}}")?;
            pieces.push(Piece::Text(text));
            *rest = after;
            pieces.push(match (place, place.split_once('=')) {
                ("/", _) => return ends.then_some(Self(pieces)),
                ("each", _) => Piece::Each(Self::block(rest, true)?),
                (_, Some((name, value))) => Piece::Case {
                    name,
                    value,
                    inside: Self::block(rest, true)?,
                },
                (name, None) => Piece::Place(name),
            });
        }
        pieces.push(Piece::Text(std::mem::take(rest)));
        (!ends).then_some(Self(pieces))
    }

    /// The template with its places filled. A word that is not known stays out.
    pub(super) fn filled(&self, page: &Words, rows: &[Words]) -> String {
        let mut html = String::new();
        self.write(&mut html, &[page], rows);
        html
    }

    /// Writes with these words, of which the first that knows a name counts.
    fn write(&self, html: &mut String, words: &[&Words], rows: &[Words]) {
        let word = |name| words.iter().find_map(|words| words.get(name));
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => html.push_str(text),
                Piece::Place(name) => push_escaped(html, word(name).map_or("", String::as_str)),
                Piece::Case {
                    name,
                    value,
                    inside,
                } => {
                    if word(name).is_some_and(|word| word == value) {
                        inside.write(html, words, rows);
                    }
                }
                Piece::Each(inside) => {
                    for row in rows {
                        let words: Vec<&Words> =
                            std::iter::once(row).chain(words.iter().copied()).collect();
                        inside.write(html, &words, &[]);
                    }
                }
            }
        }
    }
}

/// Text in HTML, also between double quotes; with the same references as React writes.
fn push_escaped(html: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#x27;"),
            other => html.push(other),
        }
    }
}

#[cfg(test)]
impl Template {
    /// The names of all places outside of rows, or in them, each with the values that it is compared with.
    pub(super) fn names(
        &self,
        in_rows: bool,
    ) -> std::collections::BTreeMap<&str, std::collections::BTreeSet<&str>> {
        let mut names = std::collections::BTreeMap::new();
        self.collect(&mut names, in_rows, false);
        names
    }

    fn collect<'a>(
        &'a self,
        names: &mut std::collections::BTreeMap<&'a str, std::collections::BTreeSet<&'a str>>,
        in_rows: bool,
        row: bool,
    ) {
        for piece in &self.0 {
            match piece {
                Piece::Text(_) => {}
                Piece::Place(name) => {
                    if row == in_rows {
                        names.entry(name).or_default();
                    }
                }
                Piece::Case {
                    name,
                    value,
                    inside,
                } => {
                    if row == in_rows {
                        names.entry(name).or_default().insert(value);
                    }
                    inside.collect(names, in_rows, row);
                }
                Piece::Each(inside) => inside.collect(names, in_rows, true),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[(&'static str, &str)]) -> Words {
        words
            .iter()
            .map(|(name, word)| (*name, (*word).to_owned()))
            .collect()
    }

    #[test]
    fn places_cases_and_rows_are_filled() {
        let source = "<a>{{n}}</a>{{each}}<b title=\"{{w}}\">{{k=x}}X{{k=y}}never{{/}}{{/}}{{k=y}}{{n}}{{/}}</b>{{/}}!";
        let template = Template::parse(source).unwrap();
        let rows = [words(&[("w", "1"), ("k", "x")]), words(&[("k", "y")])];
        assert_eq!(
            template.filled(&words(&[("n", "N")]), &rows),
            "<a>N</a><b title=\"1\">X</b><b title=\"\">N</b>!"
        );
        assert_eq!(template.filled(&Words::new(), &[]), "<a></a>!");
    }

    #[test]
    fn a_word_is_text_whatever_it_says() {
        let template = Template::parse("{{a}}{{b}}").unwrap();
        let hostile = words(&[("a", "{{b}}{{/}}{{each}}"), ("b", "<i title=\"'&amp;\">")]);
        assert_eq!(
            template.filled(&hostile, &[]),
            "{{b}}{{/}}{{each}}&lt;i title=&quot;&#x27;&amp;amp;&quot;&gt;"
        );
    }

    #[test]
    fn blocks_that_do_not_match_are_no_template() {
        for source in [
            "{{/}}",
            "{{each}}",
            "{{a=b}}{{/}}{{/}}",
            "{{a",
            "{{each}}{{a=b}}{{/}}",
        ] {
            assert!(Template::parse(source).is_none(), "{source}");
        }
    }
}
