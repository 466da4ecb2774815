//! What other sites may put into their pages: the row of a holder, and a badge. Neither runs a script.

use askama::Template;

use super::head::leaderboard_path;
use crate::board::person::Person;
use crate::board::shared_row::{BRAND, SharedRow};
use crate::http::error::Error;
use board_log::{tiers, units};

/// The policy of the only page that other sites may frame. It loads only its style sheet and our font.
pub(super) const POLICY: &str = "default-src 'none'; style-src 'self'; font-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors *";

/// About how wide a badge's letters are: ASCII, and others. Browsers fit the text into that.
const WIDTHS: (f32, f32) = (6.4, 11.0);

/// The margin around both texts of a badge.
const MARGIN: f32 = 8.0;

#[derive(Template)]
#[template(path = "embed.html")]
struct Page<'a> {
    asked: &'a str,
    address: String,
    row: Option<&'a SharedRow>,
}

/// The amount that is shown of a holder, and its trailing zeros; none when nothing is proven.
fn amount(row: &SharedRow) -> Option<(String, String)> {
    let mut digits = row.amount()?;
    let shown = match row.is_range {
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
        row: person.map(|person| &person.row),
    };
    page.render().map_err(Error::internal)
}

#[derive(Template)]
#[template(path = "badge.svg")]
struct Badge {
    brand: &'static str,
    text: String,
    title: String,
    brand_width: f32,
    text_width: f32,
    margin: f32,
    /// How wide the left half is, and the whole badge.
    left: f32,
    whole: f32,
}

/// The badge of a holder.
pub(super) fn badge(row: &SharedRow) -> Result<String, Error> {
    let text = row.badge();
    let (brand_width, text_width) = (width(BRAND), width(&text));
    let left = brand_width + 2.0 * MARGIN;
    let badge = Badge {
        brand: BRAND,
        title: row.badge_title(),
        text,
        brand_width,
        text_width,
        margin: MARGIN,
        left,
        whole: left + text_width + 2.0 * MARGIN,
    };
    badge.render().map_err(Error::internal)
}

fn width(text: &str) -> f32 {
    let (narrow, wide) = WIDTHS;
    let widths = text
        .chars()
        .map(|it| if it.is_ascii() { narrow } else { wide });
    widths.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: &str) -> Person {
        Person {
            handle: name.to_owned(),
            row: SharedRow {
                name: format!("@{name}"),
                rank: Some(1_234),
                sats: Some(2_141_300_017_000),
                is_range: false,
                last_verified: Some(1_790_000_000),
            },
        }
    }

    #[test]
    fn a_row_and_a_badge_say_what_is_proven() {
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
        let badge = badge(&person("satoshi").row).unwrap();
        assert!(badge.contains("21,413.00017000 BTC · Whale") && badge.contains("@satoshi"));
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
    fn a_badge_is_as_wide_as_what_is_proven_whatever_the_name_is() {
        let mut drawn = Vec::new();
        for name in [
            "a",
            &"W".repeat(200),
            "שלום \u{202e}עולם\u{202c}",
            "👩‍👩‍👧‍👦🚀",
            " ",
        ] {
            let badge = badge(&person(name).row).unwrap();
            // The name is in the title, for those who cannot see the badge, and is not drawn.
            let (_, shown) = badge.split_once("</title>").expect("a title");
            let width = badge.split('"').nth(3).expect("a width");
            drawn.push((width.to_owned(), shown.to_owned()));
        }
        assert!(drawn[0].0.parse::<f32>().unwrap() < 400.0, "{}", drawn[0].0);
        drawn.dedup();
        assert_eq!(drawn.len(), 1, "{drawn:?}");
    }

    #[test]
    fn a_name_is_text_and_nothing_else() {
        let hostile = "</title></text><script>alert(1)</script>\" onload=\"x' <!--";
        for text in [
            row("https://a.example", hostile, None).unwrap(),
            row("https://a.example", hostile, Some(&person(hostile))).unwrap(),
            badge(&person(hostile).row).unwrap(),
        ] {
            assert!(
                !text.contains("<script") && !text.contains("<!--") && !text.contains("\" onload"),
                "{text}"
            );
        }
    }
}
