//! A user as the public sees them.

use std::cmp::Reverse;

use super::shared_row::SharedRow;
use crate::board::memory::{Memory, Row};
use crate::providers;

/// The profile of a shared link.
#[derive(Clone, Debug)]
pub struct Person {
    /// The name in addresses: an X name bare, others after their provider.
    pub handle: String,
    /// What embedded rows and shared links say.
    pub row: SharedRow,
}

/// See [`super::Board::person`]. Names of several providers can be equal: X names come first, then holders who prove most.
pub(super) fn find(board: &Memory, handle: &str) -> Option<Person> {
    let (provider, name) = providers::parse_name(handle);
    let named = board.named(name).into_iter();
    let there = named.filter(|row| provider.is_none_or(|provider| *row.provider == *provider));
    let row = there.min_by_key(|row| {
        let bare = *row.provider == *providers::handles();
        (!bare, Reverse(row.holdings_sats), row.id)
    })?;
    Some(Person {
        handle: providers::address_name(&row.provider, &row.username),
        row: SharedRow {
            name: shown_name(&row),
            rank: row.rank,
            sats: row.holdings_sats,
            is_range: row.shown_as.is_range(),
            last_verified: row.last_verified,
        },
    })
}

/// A row's name as shown.
pub fn shown_name(row: &Row) -> String {
    providers::shown_name(&row.provider, &row.username, row.is_named())
}
