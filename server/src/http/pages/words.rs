//! What the first page says, word for word as the web app says it (`web/src/features/leaderboard/row-words.ts`). Where the two
//! differ, the app would have to draw the page anew.

use super::template::Words;
use crate::board::memory::Row;
use crate::board::person;
use crate::board::units::btc_text;
use crate::pictures::public_path;
use crate::providers;

/// Stands for a number that does not exist.
const NOT_AVAILABLE: &str = "N/A";

/// Longer names break anywhere rather than push the layout; in UTF-16 units, as the app counts.
const LONG_NAME: usize = 15;

/// The start of every picture's address, which the template has already.
const PICTURES: &str = "/api/storage/";

/// The words around the rows. `total` is how many rows there are in all.
pub(super) fn page_words(total: usize, price: Option<f64>, year: i32) -> Words {
    Words::from([
        ("board", one_of(total == 0, "empty", "filled")),
        ("shown", count(total)),
        ("total", count(total)),
        ("rowcount", (total + 1).to_string()),
        ("price", one_of(price.is_some(), "known", "unknown")),
        ("dollars", price.map_or_else(String::new, dollars)),
        ("year", year.to_string()),
    ])
}

/// The words of the row at this place, from 0.
pub(super) fn row_words(index: usize, row: &Row, price: Option<f64>) -> Words {
    let name = row.username.as_str();
    let page = providers::page(&row.provider, name);
    let picture = public_path(row.id, row.picture);
    let picture = picture.and_then(|path| path.strip_prefix(PICTURES).map(str::to_owned));
    let missing = || NOT_AVAILABLE.to_owned();
    let stand = match row.rank {
        None => "unranked",
        Some(1) => "first",
        Some(2) => "second",
        Some(3) => "third",
        Some(_) => "behind",
    };
    Words::from([
        ("index", index.to_string()),
        // The row of the column heads is the first.
        ("rowindex", (index + 2).to_string()),
        ("id", row.id.to_string()),
        ("username", row.username.clone()),
        ("name", providers::display_name(&row.provider, name)),
        ("wrap", one_of(is_long(name), "long", "short")),
        ("link", one_of(page.is_some(), "x", "none")),
        ("page", page.unwrap_or_default()),
        ("face", one_of(picture.is_some(), "picture", "initial")),
        ("picture", picture.unwrap_or_default()),
        ("initial", initial(name)),
        ("stand", stand.to_owned()),
        (
            "rank",
            row.rank
                .map_or_else(missing, |rank| grouped(&rank.to_string())),
        ),
        ("tier", person::holder_tier(row.holdings_sats).to_owned()),
        ("bitcoin", row.holdings_sats.map_or_else(missing, btc_text)),
        ("usd", value(row.holdings_sats, price)),
        (
            "status",
            one_of(row.holdings_sats.is_some(), "verified", "unverified"),
        ),
    ])
}

fn one_of(is: bool, yes: &str, no: &str) -> String {
    if is { yes } else { no }.to_owned()
}

fn is_long(name: &str) -> bool {
    name.encode_utf16().count() > LONG_NAME
}

fn initial(name: &str) -> String {
    let first = name.chars().find(|character| !character.is_whitespace());
    first.unwrap_or('?').to_uppercase().to_string()
}

/// A whole number with thousands separators.
fn count(number: usize) -> String {
    grouped(&number.to_string())
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The value of holdings: what is missing is N/A, what waits for the price is loading (specification, section 4).
fn value(sats: Option<i64>, price: Option<f64>) -> String {
    const SATS_PER_BTC: f64 = 100_000_000.0;
    match (sats, price) {
        (None, _) => NOT_AVAILABLE.to_owned(),
        (Some(_), None) => "Loading...".to_owned(),
        (Some(sats), Some(price)) => dollars(sats as f64 / SATS_PER_BTC * price),
    }
}

/// Dollars with two decimals, or none where they are zero; halves of a cent go up. `Intl.NumberFormat` rounds what is the
/// shortest decimal of the number, not the number itself (1.005 is 1.01), so this does as well.
fn dollars(amount: f64) -> String {
    let shortest = amount.to_string();
    let (whole, fraction) = shortest.split_once('.').unwrap_or((&shortest, ""));
    let digit = |at: usize| u64::from(fraction.as_bytes().get(at).map_or(0, |digit| digit - b'0'));
    let cents = digit(0) * 10 + digit(1) + u64::from(digit(2) >= 5);
    let whole = whole.parse::<u64>().unwrap_or(0) + cents / 100;
    let whole = grouped(&whole.to_string());
    match cents % 100 {
        0 => format!("${whole}"),
        cents => format!("${whole}.{cents:02}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use uuid::Uuid;

    use super::*;
    use crate::pictures::version;

    /// What the web app is tested with as well.
    const EXAMPLES: &str = include_str!("../../../../web/src/features/leaderboard/row-words.json");

    fn board_row(example: &Value) -> Row {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let row = &example["row"];
        let bitcoin = row["bitcoin_holdings"].as_f64();
        Row {
            id: Uuid::nil(),
            provider: row["provider"].as_str().unwrap().into(),
            username: text(&row["username"]).unwrap(),
            picture: version(example["source"].as_str()),
            holdings_sats: bitcoin
                .map(|bitcoin| format!("{:.0}", bitcoin * 100_000_000.0).parse().unwrap()),
            rank: row["rank"].as_i64(),
            last_verified: None,
            updated_at: 0,
        }
    }

    #[test]
    fn rows_say_what_the_app_says() {
        let examples: Vec<Value> = serde_json::from_str(EXAMPLES).unwrap();
        assert!(!examples.is_empty());
        for example in examples {
            let row = board_row(&example);
            let mut expected = example["words"].clone();
            for (name, word) in [
                ("index", "7"),
                ("rowindex", "9"),
                ("id", "00000000-0000-0000-0000-000000000000"),
                ("username", &row.username),
            ] {
                expected[name] = word.into();
            }
            if let Some(picture) = expected["picture"].as_str() {
                expected["picture"] = picture.replace("an-id", &row.id.to_string()).into();
            }
            let words = row_words(7, &row, example["price"].as_f64());
            assert_eq!(serde_json::to_value(words).unwrap(), expected);
        }
    }

    #[test]
    fn dollars_have_two_decimals_or_none() {
        let btc = Some(150_000_000);
        for (sats, price, text) in [
            (btc, Some(100_000.0), "$150,000"),
            (btc, Some(99_999.99), "$149,999.99"),
            (btc, Some(823.0), "$1,234.50"),
            (Some(2_100_000_000_000_000), Some(1.0), "$21,000,000"),
            (Some(2), Some(100_000.0), "$0"),
            (Some(100_000_000), Some(0.995), "$1"),
            (Some(100_000_000), Some(1.005), "$1.01"),
            (btc, None, "Loading..."),
            (None, Some(1.0), "N/A"),
        ] {
            assert_eq!(value(sats, price), text);
        }
    }
}
