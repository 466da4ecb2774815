//! A user as the public sees them, and what an embedded row, a shared link and its card say about them.

use std::cmp::Reverse;

use uuid::Uuid;

use crate::board::memory::Row;
use crate::board::refresh::NumberedBoard;
use crate::providers;
use board_log::tiers::{amount_words, holder_tier};
use board_log::units::{btc_text, group_digits, short_day};

/// The board's name in these texts.
pub const BRAND: &str = "Proof of Reserves";

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
    /// The name as the board shows it.
    pub name: String,
    /// Competition rank; none when nothing is proven.
    pub rank: Option<i64>,
    /// The amount shown, in sats; of a range the start of its tier.
    pub sats: Option<i64>,
    /// Whether only the holder tier is shown (decisions, D17).
    pub is_range: bool,
    /// When a proof was last accepted, unix seconds; none for a range.
    pub last_verified: Option<i64>,
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
        name: shown_name(&row),
        rank: row.rank,
        sats: row.holdings_sats,
        is_range: row.shown_as.is_range(),
        last_verified: row.last_verified,
        username: row.username,
    })
}

impl Person {
    /// The amount in BTC without the unit, with separators of thousands; none when nothing is proven.
    pub fn amount(&self) -> Option<String> {
        self.sats.map(|sats| match self.is_range {
            true => amount_words(self.sats, true),
            false => group_digits(&btc_text(sats)),
        })
    }

    /// The same for the picture of a shared link (decisions, D17): two decimals, below 0.01 BTC the first two digits. What is left out is never rounded
    /// up to more than is proven.
    pub fn short_amount(&self) -> Option<String> {
        let amount = self.amount()?;
        if self.is_range {
            return Some(amount);
        }
        let point = amount.find('.').unwrap_or(amount.len());
        let small = self.sats < Some(1_000_000);
        let first = amount.find(|digit: char| ('1'..='9').contains(&digit));
        let end = if small {
            first.unwrap_or(point) + 2
        } else {
            point + 3
        };
        Some(amount.chars().take(end).collect())
    }

    /// The day on which a proof was last accepted: Dec 7, 2026.
    pub fn day(&self) -> Option<String> {
        self.last_verified.and_then(short_day)
    }

    /// Title and description of a shared link (decisions, D15).
    pub fn link(&self) -> (String, String) {
        let name = &self.name;
        let (Some(rank), Some(_)) = (self.rank, self.sats) else {
            return (
                format!("{name} · {BRAND}"),
                format!("{name} is on the Bitcoin Leaderboard of {BRAND}, without a proof so far."),
            );
        };
        let (tier, amount) = (
            holder_tier(self.sats),
            amount_words(self.sats, self.is_range),
        );
        (
            format!("#{rank} · {name} · {amount} BTC · {BRAND}"),
            format!(
                "{name} ({tier}) is ranked #{rank} on the Bitcoin Leaderboard with {amount} BTC, proven by signatures over unspent coins."
            ),
        )
    }
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
            name: format!("@{name}"),
            rank: Some(3),
            sats: Some(125_000_000),
            is_range: false,
            last_verified: Some(1_790_000_000),
            holders: 388,
            block: Some(977_462),
        }
    }
}
