//! What the first page says, word for word as the web app says it (`web/src/features/leaderboard/row-words.ts`). Where the two
//! differ, the app would have to draw the page anew.

use time::OffsetDateTime;

use super::numbers::{SATS_PER_BTC, amount, count, dollars, grouped, plural, short};
use super::template::Words;
use crate::board::memory::Row;
use crate::board::person;
use crate::board::totals::{TIERS, Totals};
use crate::pictures::public_path;
use chain::clock::{DAY, UnixTime};
use store::shown_as::ShownAs;

/// Stands for a number that does not exist.
const NOT_AVAILABLE: &str = "N/A";

/// Longer names break anywhere rather than push the layout; in UTF-16 units, as the app counts.
const LONG_NAME: usize = 15;

/// The start of every picture's address, which the template has already.
const PICTURES: &str = "/api/storage/";

/// What the words of a page depend on, beside its rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) totals: Totals,
    /// The newest block whose spendings are known.
    pub(super) block: Option<i64>,
    pub(super) price: Option<f64>,
    /// Whether that price is made up.
    pub(super) stand_in: bool,
    pub(super) today: Day,
}

/// A day, counted from the first of 1970, in UTC.
pub(super) type Day = i64;

/// The words around the rows.
pub(super) fn page_words(facts: &Facts) -> Words {
    let Facts { totals, price, .. } = facts;
    let (whole, fraction, zeros) = amount(totals.sats);
    let most = totals.tiers.iter().copied().max().unwrap_or(0).max(1);
    let mut words = Words::from([
        ("board", one_of(totals.people == 0, "empty", "filled")),
        ("shown", count(totals.people)),
        ("total", count(totals.people)),
        ("rowcount", (totals.people + 1).to_string()),
        ("price", one_of(price.is_some(), "known", "unknown")),
        ("dollars", price.map_or_else(String::new, dollars)),
        ("origin", one_of(facts.stand_in, "standin", "market")),
        ("year", year(facts.today).to_string()),
        ("sum", whole),
        ("fraction", fraction),
        ("zeros", zeros),
        ("holders", plural(totals.holders, "holder")),
        ("block", one_of(facts.block.is_some(), "known", "unknown")),
        (
            "height",
            facts
                .block
                .map_or_else(String::new, |height| grouped(&height.to_string())),
        ),
    ]);
    for ((tier, _), holders) in TIERS.iter().zip(totals.tiers) {
        let (name, bar) = tier_places(tier);
        words.insert(name, count(holders));
        words.insert(bar, tier_bar(holders, most).to_string());
    }
    words
}

/// The places of a tier's number and of its bar.
fn tier_places(tier: &str) -> (&'static str, &'static str) {
    match tier {
        "Whale" => ("countWhale", "barWhale"),
        "Shark" => ("countShark", "barShark"),
        "Dolphin" => ("countDolphin", "barDolphin"),
        "Fish" => ("countFish", "barFish"),
        "Crab" => ("countCrab", "barCrab"),
        _ => ("countPlankton", "barPlankton"),
    }
}

/// The height of a tier's bar, out of 40. Nobody has none, and somebody is seen.
fn tier_bar(holders: usize, most: usize) -> usize {
    if holders == 0 {
        0
    } else {
        (holders * 40 / most).max(2)
    }
}

/// The words of the row at this place, from 0.
pub(super) fn row_words(index: usize, row: &Row, price: Option<f64>, today: Day) -> Words {
    let name = row.username.as_str();
    let (shown, page) = (person::shown_name(row), person::page(row));
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
    let (amount, zeros) = match row.shown_as {
        ShownAs::Exact => bitcoin(row.holdings_sats),
        ShownAs::Range => range(row.holdings_sats),
    };
    let (usd, exact) = value(row, price);
    Words::from([
        ("index", index.to_string()),
        // The row of the column heads is the first.
        ("rowindex", (index + 2).to_string()),
        ("id", row.id.to_string()),
        ("username", row.username.clone()),
        ("name", shown.clone()),
        (
            "before",
            shown.strip_suffix(name).unwrap_or_default().to_owned(),
        ),
        (
            "script",
            one_of(name.chars().any(is_from_the_right), "rtl", "ltr"),
        ),
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
        ("amount", amount),
        ("zeros", zeros),
        ("bar", bar(row.holdings_sats).to_string()),
        ("worth", one_of(exact.is_empty(), "unknown", "known")),
        ("usd", usd),
        ("exact", exact),
        (
            "status",
            one_of(row.holdings_sats.is_some(), "verified", "unverified"),
        ),
        (
            "published",
            one_of(row.published_sats.is_some(), "some", "none"),
        ),
        ("part", row.published_sats.map_or_else(String::new, whole)),
        ("age", age(row.last_verified, today)),
        ("since", since(row.last_verified)),
    ])
}

/// How long ago somebody was verified: so many days, counted from midnight to midnight in UTC.
fn age(verified: Option<UnixTime>, today: Day) -> String {
    match verified.map(|time| today - day_of(time)) {
        None => String::new(),
        Some(..=0) => "today".to_owned(),
        Some(days) => format!("{}d", grouped(&days.to_string())),
    }
}

fn since(verified: Option<UnixTime>) -> String {
    let on = verified.and_then(person::day);
    on.map_or_else(|| "Verified".to_owned(), |day| format!("Verified {day}"))
}

/// The day of a moment.
pub(super) fn day_of(time: UnixTime) -> Day {
    time.div_euclid(DAY)
}

pub(super) fn year(day: Day) -> i32 {
    let date = OffsetDateTime::from_unix_timestamp(day * DAY);
    date.map_or(1970, OffsetDateTime::year)
}

/// What is shown of holdings, and the zeros behind it.
pub(super) fn bitcoin(sats: Option<i64>) -> (String, String) {
    match sats {
        None => (NOT_AVAILABLE.to_owned(), String::new()),
        Some(sats) => {
            let (whole, fraction, zeros) = amount(sats.unsigned_abs());
            (whole + &fraction, zeros)
        }
    }
}

/// An amount with all its decimals.
fn whole(sats: i64) -> String {
    let (whole, fraction, zeros) = amount(sats.unsigned_abs());
    whole + &fraction + &zeros
}

/// What is shown of a tier. It is no number, and has its unit beside it.
fn range(sats: Option<i64>) -> (String, String) {
    let unit = if sats.is_some() { " BTC" } else { "" };
    let words = person::amount_words(sats, ShownAs::Range);
    (format!("{words}{unit}"), String::new())
}

/// How long the bar of holdings is, in hundredths: on a log scale from 0.001 to 100,000 BTC.
fn bar(sats: Option<i64>) -> i64 {
    let Some(sats) = sats else { return 0 };
    let length = ((sats as f64).log10() - 5.0) / 8.0 * 100.0;
    #[allow(clippy::cast_possible_truncation, reason = "from 1 to 100")]
    let hundredths = length.round().clamp(1.0, 100.0) as i64;
    hundredths
}

fn one_of(is: bool, yes: &str, no: &str) -> String {
    if is { yes } else { no }.to_owned()
}

fn is_long(name: &str) -> bool {
    name.encode_utf16().count() > LONG_NAME
}

/// Hebrew, Arabic and their neighbours.
fn is_from_the_right(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

fn initial(name: &str) -> String {
    let first = name.chars().find(|character| !character.is_whitespace());
    first.unwrap_or('?').to_uppercase().to_string()
}

/// The value of holdings, in short and exactly, when it is known: what is missing is N/A, what waits for the price is loading
/// (specification, section 4). Of a range it is that of where the tier begins, or of where the lowest one ends.
fn value(row: &Row, price: Option<f64>) -> (String, String) {
    let Some(sats) = row.holdings_sats else {
        return (NOT_AVAILABLE.to_owned(), String::new());
    };
    let Some(price) = price else {
        return ("Loading...".to_owned(), String::new());
    };
    let worth = |sats: i64| sats as f64 / SATS_PER_BTC as f64 * price;
    match (row.shown_as, person::bound(sats)) {
        (ShownAs::Exact, _) => (short(worth(sats)), dollars(worth(sats))),
        (ShownAs::Range, (from, false)) => (
            format!("{}+", short(worth(from))),
            format!("{}+", dollars(worth(from))),
        ),
        (ShownAs::Range, (end, true)) => (
            format!("under {}", short(worth(end))),
            format!("under {}", dollars(worth(end))),
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use time::format_description::well_known::Rfc3339;
    use uuid::Uuid;

    use super::*;
    use crate::pictures::version;

    /// What the web app is tested with as well.
    const EXAMPLES: &str =
        include_str!("../../../../../web/src/features/leaderboard/row-words.json");

    /// Jan 1, 2027.
    const TODAY: Day = 20_819;

    fn board_row(example: &Value) -> Row {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let row = &example["row"];
        let bitcoin = row["bitcoin_holdings"].as_f64();
        Row {
            id: Uuid::nil(),
            provider: row["provider"].as_str().unwrap().into(),
            username: text(&row["username"]).unwrap(),
            picture: version(example["source"].as_str()),
            shown_as: row["shown_as"].as_str().unwrap().parse().unwrap(),
            holdings_sats: bitcoin
                .map(|bitcoin| format!("{:.0}", bitcoin * 100_000_000.0).parse().unwrap()),
            published_sats: row["published_sats"].as_i64(),
            rank: row["rank"].as_i64(),
            last_verified: text(&row["last_verified"]).map(|time| {
                OffsetDateTime::parse(&time, &Rfc3339)
                    .unwrap()
                    .unix_timestamp()
            }),
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
            expected["bar"] = expected["bar"].to_string().into();
            if let Some(picture) = expected["picture"].as_str() {
                expected["picture"] = picture.replace("an-id", &row.id.to_string()).into();
            }
            let words = row_words(7, &row, example["price"].as_f64(), TODAY);
            assert_eq!(serde_json::to_value(words).unwrap(), expected);
        }
    }
}
