//! What an embedded row, a shared link and its card say about a row.

use board_log::tiers::{amount_words, holder_tier};
use board_log::units::{btc_text, group_digits, short_day};

/// The name in all of these texts.
pub const BRAND: &str = "Proof of Reserves";

/// The public part of a row that these texts name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharedRow {
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
}

impl SharedRow {
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
