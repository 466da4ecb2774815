//! Parses rows of the board.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::finding::Finding;
use super::responses::sats;
use board_log::names::{address_name, shown_name};
use board_log::tiers::amount_words;

/// A row as the board sends it.
#[derive(Clone, Debug, Deserialize)]
struct Sent {
    id: String,
    username: String,
    provider: String,
    #[serde(default)]
    verified: bool,
    last_verified: Option<String>,
    bitcoin_holdings: Option<Box<RawValue>>,
    rank: Option<i64>,
    published_sats: Option<i64>,
    /// `range` when no more than the holder tier is shown.
    shown_as: Option<String>,
    named: bool,
}

/// A parsed row.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(from = "Sent")]
pub(super) struct Row {
    pub(super) id: String,
    /// The name as the board shows it.
    pub(super) name: String,
    /// The provider's name for the user.
    pub(super) username: String,
    /// The name as addresses of the board have it.
    pub(super) handle: String,
    pub(super) verified: bool,
    pub(super) last_verified: Option<String>,
    pub(super) rank: Option<i64>,
    /// The amount shown, in sats; for a range, the start of its tier.
    pub(super) holdings: Option<i64>,
    /// The part of it backed by published proofs, in sats.
    pub(super) published: i64,
    /// Whether only the holder tier is shown (decisions, D17).
    pub(super) range: bool,
}

impl From<Sent> for Row {
    fn from(row: Sent) -> Self {
        Self {
            name: shown_name(&row.provider, &row.username, row.named),
            handle: address_name(&row.provider, &row.username),
            verified: row.verified,
            rank: row.rank,
            holdings: row.bitcoin_holdings.as_deref().and_then(sats),
            published: row.published_sats.unwrap_or(0),
            range: row.shown_as.as_deref() == Some("range"),
            last_verified: row.last_verified,
            username: row.username,
            id: row.id,
        }
    }
}

impl Row {
    /// A false claim about it.
    pub(super) fn finding(&self, code: &'static str, sentence: String) -> Finding {
        Finding::for_row(code, (&self.id, &self.name), sentence)
    }

    /// The shown holdings, in the board's words.
    pub(super) fn amount(&self) -> String {
        let words = amount_words(self.holdings, self.range);
        match self.holdings {
            None => words,
            Some(_) => format!("{words} BTC"),
        }
    }

    /// When it was last verified, in words.
    pub(super) fn when(&self) -> &str {
        self.last_verified.as_deref().unwrap_or("never")
    }

    /// The rank in words.
    pub(super) fn rank_in_words(&self) -> String {
        let rank = self.rank.map(|rank| rank.to_string());
        format!("rank {}", rank.unwrap_or_else(|| "N/A".to_owned()))
    }
}

/// Rows from one moment.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) offset: usize,
    /// The number of the board's newest change in them.
    pub(super) number: Option<i64>,
    pub(super) rows: Vec<Row>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_as_one() {
        let row = r#"{"id": "a", "username": "hal", "provider": "twitter", "named": true, "bitcoin_holdings": 1.00000000, "shown_as": "range"}"#;
        let row: Row = serde_json::from_str(row).unwrap();
        assert!(row.range);
        assert_eq!(
            (row.holdings, row.amount().as_str()),
            (Some(100_000_000), "at least 1 BTC")
        );
    }
}
