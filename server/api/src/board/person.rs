//! Somebody as the public sees them: the name, the place on the board, and what both are called.

use std::cmp::Reverse;

use time::OffsetDateTime;

use chain::clock::UnixTime;
use crate::board::memory::{Memory, Row};
use board_log::units::btc_text;
use crate::providers;
use store::shown_as::ShownAs;

/// A profile that a shared link names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Person {
    /// The name that addresses use: an X name bare, others behind their provider.
    pub handle: String,
    /// The name that is shown (decisions, D7).
    pub name: String,
    /// Competition rank; none when nothing is proven.
    pub rank: Option<i64>,
    /// Whether what is shown is the whole total or where its tier begins (decisions, D17).
    pub shown_as: ShownAs,
    /// What is shown as proven, in sats.
    pub holdings_sats: Option<i64>,
    /// When a proof was last accepted, unix seconds; none of a range.
    pub last_verified: Option<UnixTime>,
}

/// See [`super::Board::person`]. Names of several providers can be alike: those that may stand bare come first, and of those
/// alike whoever proves most.
pub(super) fn find(board: &Memory, handle: &str) -> Option<Person> {
    let (provider, name) = providers::taken_apart(handle);
    let named = board.named(name).into_iter();
    let there = named.filter(|row| provider.is_none_or(|provider| *row.provider == *provider));
    let row = there.min_by_key(|row| {
        let bare = providers::of_bare_names() == Some(&row.provider);
        (!bare, Reverse(row.holdings_sats), row.id)
    })?;
    Some(Person {
        handle: providers::address_name(&row.provider, &row.username),
        name: shown_name(&row),
        rank: row.rank,
        shown_as: row.shown_as,
        holdings_sats: row.holdings_sats,
        last_verified: row.last_verified,
    })
}

/// The name that is shown of a row.
#[must_use]
pub fn shown_name(row: &Row) -> String {
    providers::shown_name(&row.provider, &row.username, row.is_named())
}

/// The person's page at the provider, for names that are linked.
#[must_use]
pub fn page(row: &Row) -> Option<String> {
    let named = row.is_named();
    named.then(|| providers::page(&row.provider, &row.username))?
}

/// The holder tier of these holdings (specification, section 3).
#[must_use]
pub fn holder_tier(sats: Option<i64>) -> &'static str {
    tier_of(sats).0
}

/// Name of the lowest holder tier, and where the others begin: in sats, and in words.
const LOWEST: &str = "Plankton";
const TIERS: [(&str, i64, &str); 5] = [
    ("Whale", 10_000_000_000, "100"),
    ("Shark", 5_000_000_000, "50"),
    ("Dolphin", 1_000_000_000, "10"),
    ("Fish", 100_000_000, "1"),
    ("Crab", 10_000_000, "0.1"),
];

/// The tier of these holdings, and where it begins, in sats and in words; the lowest begins nowhere.
fn tier_of(sats: Option<i64>) -> (&'static str, Option<(i64, &'static str)>) {
    let found = TIERS.into_iter().find(|tier| sats.unwrap_or(0) >= tier.1);
    found.map_or((LOWEST, None), |(name, from, text)| {
        (name, Some((from, text)))
    })
}

/// The amount that is shown of holdings, before its unit: all of it with 8 decimals, or what is said of its tier (decisions, D17);
/// or that there is none.
#[must_use]
pub fn amount_words(sats: Option<i64>, shown_as: ShownAs) -> String {
    match (sats, shown_as) {
        (None, _) => "N/A".to_owned(),
        (Some(sats), ShownAs::Exact) => btc_text(sats),
        (sats, ShownAs::Range) => match tier_of(sats).1 {
            Some((_, from)) => format!("at least {from}"),
            None => format!("under {}", TIERS[TIERS.len() - 1].2),
        },
    }
}

/// Where the tier of holdings ends or begins of which a range is shown, and whether they are below that.
#[must_use]
pub fn bound(sats: i64) -> (i64, bool) {
    match tier_of(Some(sats)).1 {
        Some((from, _)) => (from, false),
        None => (TIERS[TIERS.len() - 1].1, true),
    }
}

/// A day such as `Nov 21, 2026`, in UTC.
#[must_use]
pub fn day(time: UnixTime) -> Option<String> {
    let day = OffsetDateTime::from_unix_timestamp(time).ok()?.date();
    let month = day.month().to_string();
    Some(format!("{} {}, {}", &month[..3], day.day(), day.year()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_begin_at_their_thresholds() {
        for (sats, tier) in [
            (None, "Plankton"),
            (Some(9_999_999), "Plankton"),
            (Some(10_000_000), "Crab"),
            (Some(99_999_999), "Crab"),
            (Some(100_000_000), "Fish"),
            (Some(1_000_000_000), "Dolphin"),
            (Some(5_000_000_000), "Shark"),
            (Some(9_999_999_999), "Shark"),
            (Some(10_000_000_000), "Whale"),
        ] {
            assert_eq!(holder_tier(sats), tier, "{sats:?}");
        }
    }

    #[test]
    fn a_range_says_its_tier_and_nothing_more() {
        for (sats, words) in [
            (None, "N/A"),
            (Some(1), "under 0.1"),
            (Some(9_999_999), "under 0.1"),
            (Some(10_000_000), "at least 0.1"),
            (Some(100_000_001), "at least 1"),
            (Some(4_999_999_999), "at least 10"),
            (Some(5_000_000_000), "at least 50"),
            (Some(2_100_000_000_000_000), "at least 100"),
        ] {
            assert_eq!(amount_words(sats, ShownAs::Range), words, "{sats:?}");
        }
        assert_eq!(amount_words(Some(1), ShownAs::Exact), "0.00000001");
        assert_eq!(bound(9_999_999), (10_000_000, true));
        assert_eq!(bound(123_456_789), (100_000_000, false));
    }

    #[test]
    fn days_are_in_utc() {
        assert_eq!(day(1_795_305_599).as_deref(), Some("Nov 21, 2026"));
        assert_eq!(day(1_795_305_600).as_deref(), Some("Nov 22, 2026"));
    }
}
