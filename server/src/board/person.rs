//! Somebody as the public sees them: the name, the place on the board, and what both are called.

use std::cmp::Reverse;

use time::OffsetDateTime;

use crate::base::clock::UnixTime;
use crate::board::memory::Memory;
use crate::board::units::btc_text;
use crate::providers;

/// A profile that a shared link names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Person {
    /// The name that addresses use: an X name bare, others behind their provider.
    pub handle: String,
    /// The name that is shown (decisions, D7).
    pub name: String,
    /// Competition rank; none when nothing is proven.
    pub rank: Option<i64>,
    /// What is proven, in sats.
    pub holdings_sats: Option<i64>,
    /// When a proof was last accepted, unix seconds.
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
        name: providers::display_name(&row.provider, &row.username),
        rank: row.rank,
        holdings_sats: row.holdings_sats,
        last_verified: row.last_verified,
    })
}

/// The holder tier of these holdings (specification, section 3).
#[must_use]
pub fn holder_tier(sats: Option<i64>) -> &'static str {
    match sats.unwrap_or(0) {
        10_000_000_000.. => "Whale",
        5_000_000_000.. => "Shark",
        1_000_000_000.. => "Dolphin",
        100_000_000.. => "Fish",
        10_000_000.. => "Crab",
        _ => "Plankton",
    }
}

/// Holdings with 8 decimals, or that there are none.
#[must_use]
pub fn bitcoin(sats: Option<i64>) -> String {
    sats.map_or_else(|| "N/A".to_owned(), btc_text)
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
    fn days_are_in_utc() {
        assert_eq!(day(1_795_305_599).as_deref(), Some("Nov 21, 2026"));
        assert_eq!(day(1_795_305_600).as_deref(), Some("Nov 22, 2026"));
    }
}
