//! Somebody as the public sees them: the name, the place on the board, and what both are called.

use std::cmp::Reverse;

use crate::board::memory::{Memory, Row};
use crate::providers;
use board_log::tiers;
pub use board_log::tiers::{bound, holder_tier};
pub use board_log::units::short_day;
use chain::clock::UnixTime;
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
    let (provider, name) = providers::parse_name(handle);
    let named = board.named(name).into_iter();
    let there = named.filter(|row| provider.is_none_or(|provider| *row.provider == *provider));
    let row = there.min_by_key(|row| {
        let bare = providers::handle_provider() == Some(&row.provider);
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
    named.then(|| providers::profile_url(&row.provider, &row.username))?
}

/// The amount that is shown of holdings, before its unit (decisions, D17).
#[must_use]
pub fn amount_words(sats: Option<i64>, shown_as: ShownAs) -> String {
    tiers::amount_words(sats, shown_as == ShownAs::Range)
}
