//! A user as the public sees them: the name, the rank, and both in words.

use std::cmp::Reverse;

use crate::board::memory::{Memory, Row};
use crate::providers;
use board_log::shared::SharedRow;
use board_log::tiers;
pub use board_log::tiers::{bound, holder_tier};
use chain::clock::UnixTime;
use store::shown_as::ShownAs;

/// The profile of a shared link.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Person {
    /// The name in addresses: an X name bare, others after their provider.
    pub handle: String,
    /// The name as shown (decisions, D7).
    pub name: String,
    /// Competition rank; `None` when nothing is proven.
    pub rank: Option<i64>,
    /// Whether the amount is the exact total or the start of its tier (decisions, D17).
    pub shown_as: ShownAs,
    /// The amount shown, in sats.
    pub holdings_sats: Option<i64>,
    /// When a proof was last accepted, unix seconds; `None` for a range.
    pub last_verified: Option<UnixTime>,
}

impl Person {
    /// The part that badges, embedded rows and shared links name.
    pub fn shared(&self) -> SharedRow<'_> {
        SharedRow {
            name: &self.name,
            rank: self.rank,
            sats: self.holdings_sats,
            is_range: self.shown_as == ShownAs::Range,
            last_verified: self.last_verified,
        }
    }
}

/// See [`super::Board::person`]. Names of several providers can be equal: X names come first, then holders who prove most.
pub(super) fn find(board: &Memory, handle: &str) -> Option<Person> {
    let (provider, name) = providers::parse_name(handle);
    let named = board.named(name).into_iter();
    let there = named.filter(|row| provider.is_none_or(|provider| *row.provider == *provider));
    let row = there.min_by_key(|row| {
        let bare = *row.provider == *providers::HANDLES;
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

/// A row's name as shown.
pub fn shown_name(row: &Row) -> String {
    providers::shown_name(&row.provider, &row.username, row.is_named())
}

/// The amount shown for holdings, without its unit (decisions, D17).
pub fn amount_words(sats: Option<i64>, shown_as: ShownAs) -> String {
    tiers::amount_words(sats, shown_as == ShownAs::Range)
}
