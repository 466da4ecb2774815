//! A user as the public sees them.

use std::cmp::Reverse;

use uuid::Uuid;

use super::shared_row::SharedRow;
use crate::board::memory::Row;
use crate::board::refresh::NumberedBoard;
use crate::providers;

/// The profile of a shared link, and what its picture shows of the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Person {
    pub id: Uuid,
    /// The name without its provider.
    pub username: String,
    /// The name in addresses: an X name bare, others after their provider.
    pub handle: String,
    /// The version of the picture; none without a picture.
    pub picture: Option<[u8; 4]>,
    /// What embedded rows and shared links say.
    pub row: SharedRow,
    /// How many have a rank.
    pub holders: usize,
    /// The block up to which coins have been seen to be unspent; none before the first.
    pub block: Option<i64>,
}

/// See [`super::Board::person`]. Names of several providers can be equal: X names come first, then holders who prove most.
pub(super) fn find(numbered: &NumberedBoard, network: &str, handle: &str) -> Option<Person> {
    let board = &numbered.rows;
    let (provider, name) = providers::parse_name(handle);
    let named = board.named(name).into_iter();
    let there = named.filter(|row| provider.is_none_or(|provider| *row.provider == *provider));
    let row = there.min_by_key(|row| {
        let bare = *row.provider == *providers::handles();
        (!bare, Reverse(row.holdings_sats), row.id)
    })?;
    Some(Person {
        id: row.id,
        picture: row.picture,
        holders: board.with_at_least(1),
        block: numbered.followed(network).map(|block| block.height),
        handle: providers::address_name(&row.provider, &row.username),
        row: SharedRow {
            name: shown_name(&row),
            rank: row.rank,
            sats: row.holdings_sats,
            is_range: row.shown_as.is_range(),
            last_verified: row.last_verified,
        },
        username: row.username,
    })
}

/// A row's name as shown.
pub fn shown_name(row: &Row) -> String {
    providers::shown_name(&row.provider, &row.username, row.is_named())
}

#[cfg(test)]
impl Person {
    /// The third of 388 holders, with 1.25 BTC.
    pub(crate) fn sample(name: &str) -> Self {
        Self {
            id: Uuid::nil(),
            username: name.to_owned(),
            handle: name.to_owned(),
            picture: None,
            row: SharedRow {
                name: format!("@{name}"),
                rank: Some(3),
                sats: Some(125_000_000),
                is_range: false,
                last_verified: Some(1_790_000_000),
            },
            holders: 388,
            block: Some(977_462),
        }
    }
}
