//! Parses rows of the board.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::finding::Finding;
use super::responses::sats;
use board_log::names::shown_name;
use board_log::tiers::amount_words;

/// A row as the board sends it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) id: String,
    /// The provider's name for the user.
    pub(super) username: String,
    pub(super) provider: String,
    pub(super) named: bool,
    #[serde(default)]
    pub(super) verified: bool,
    pub(super) last_verified: Option<String>,
    pub(super) rank: Option<i64>,
    /// The amount shown, in sats; for a range, the start of its tier.
    #[serde(rename = "bitcoin_holdings", default, deserialize_with = "btc")]
    pub(super) holdings: Option<i64>,
    /// The part of it backed by published proofs, in sats.
    pub(super) published_sats: Option<i64>,
    /// `range` when no more than the holder tier is shown (decisions, D17).
    pub(super) shown_as: Option<String>,
}

fn btc<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let btc: Option<Box<RawValue>> = Deserialize::deserialize(deserializer)?;
    Ok(btc.as_deref().and_then(sats))
}

impl Row {
    /// The name as the board shows it.
    pub(super) fn name(&self) -> String {
        shown_name(&self.provider, &self.username, self.named)
    }

    pub(super) fn is_range(&self) -> bool {
        self.shown_as.as_deref() == Some("range")
    }

    /// A false claim about it.
    pub(super) fn finding(&self, code: &'static str, sentence: String) -> Finding {
        Finding::for_row(code, (&self.id, &self.name()), sentence)
    }

    /// The shown holdings, in the board's words.
    pub(super) fn amount(&self) -> String {
        let words = amount_words(self.holdings, self.is_range());
        match self.holdings {
            None => words,
            Some(_) => format!("{words} BTC"),
        }
    }

    /// When it was last verified, in words.
    pub(super) fn when(&self) -> &str {
        self.last_verified.as_deref().unwrap_or("never")
    }

    /// What is shown of it, in words.
    pub(super) fn words(&self) -> String {
        let (name, amount, when) = (self.name(), self.amount(), self.when());
        format!("{name} with {amount}, verified {when}")
    }

    /// The rank as reports print it.
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
        assert!(row.is_range());
        assert_eq!(
            (row.holdings, row.amount().as_str()),
            (Some(100_000_000), "at least 1 BTC")
        );
    }
}
