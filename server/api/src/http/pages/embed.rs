//! What other sites may put into their pages: the row of a holder. It runs no script.

use askama::Template;

use super::head::leaderboard_path;
use crate::board::person::Person;
use crate::http::error::Error;
use board_log::{tiers, units};

/// The policy of the only page that other sites may frame. It loads only its style sheet and our font.
pub(super) const POLICY: &str = "default-src 'none'; style-src 'self'; font-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors *";

#[derive(Template)]
#[template(path = "embed.html")]
struct Page<'a> {
    asked: &'a str,
    address: String,
    person: Option<&'a Person>,
}

/// The amount that is shown of a holder, and its trailing zeros; none when nothing is proven.
fn amount(person: &Person) -> Option<(String, String)> {
    let mut digits = person.amount()?;
    let shown = match person.is_range {
        true => digits.len(),
        false => digits.trim_end_matches('0').trim_end_matches('.').len(),
    };
    let zeros = digits.split_off(shown);
    Some((digits, zeros))
}

/// The page of one row, or that no one has the name.
pub(super) fn row(origin: &str, asked: &str, person: Option<&Person>) -> Result<String, Error> {
    let path = person.map_or_else(|| "/leaderboard".to_owned(), leaderboard_path);
    let page = Page {
        asked,
        address: format!("{origin}{path}"),
        person,
    };
    page.render().map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: &str) -> Person {
        let mut person = Person::sample(name);
        person.rank = Some(1_234);
        person.sats = Some(2_141_300_017_000);
        person
    }

    #[test]
    fn a_row_says_what_is_proven() {
        let page = row("https://a.example", "satoshi", Some(&person("satoshi"))).unwrap();
        for part in [
            "@satoshi",
            "#1,234",
            "21,413.00017<",
            ">000<",
            "Whale",
            "Verified Sep 21, 2026",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
    }

    #[test]
    fn without_a_name_the_page_says_how_to_give_one() {
        let page = row("https://a.example", "", None).unwrap();
        assert!(page.contains("Add a holder’s name"), "{page}");
        assert!(
            row("https://a.example", "nobody", None)
                .unwrap()
                .contains("There’s no")
        );
    }

    #[test]
    fn a_name_is_text_and_nothing_else() {
        let hostile = "</title></text><script>alert(1)</script>\" onload=\"x' <!--";
        for text in [
            row("https://a.example", hostile, None).unwrap(),
            row("https://a.example", hostile, Some(&person(hostile))).unwrap(),
        ] {
            assert!(
                !text.contains("<script") && !text.contains("<!--") && !text.contains("\" onload"),
                "{text}"
            );
        }
    }
}
