//! Holder tiers, and holdings in words (decisions, D17).

use crate::units::btc_text;

/// The holder tiers, the largest first (specification, section 3): name, the least holdings in sats, and what a range says. Holders of
/// nothing are in the last one.
pub const TIERS: [(&str, i64, &str); 6] = [
    ("Whale", 10_000_000_000, "at least 100"),
    ("Shark", 5_000_000_000, "at least 50"),
    ("Dolphin", 1_000_000_000, "at least 10"),
    ("Fish", 100_000_000, "at least 1"),
    ("Crab", 10_000_000, "at least 0.1"),
    ("Plankton", 1, "under 0.1"),
];

/// The name of the holder tier of these holdings.
pub fn holder_tier(sats: Option<i64>) -> &'static str {
    tier_of(sats).0
}

/// The least that holdings of this tier can be, in sats; `None` for an unknown tier.
pub fn start_of(tier: &str) -> Option<i64> {
    Some(TIERS.iter().find(|(name, ..)| *name == tier)?.1)
}

fn tier_of(sats: Option<i64>) -> (&'static str, i64, &'static str) {
    let tier = TIERS.into_iter().find(|tier| sats.unwrap_or(0) >= tier.1);
    tier.unwrap_or(TIERS[TIERS.len() - 1])
}

/// The amount shown for holdings, without its unit: the exact one with 8 decimals, or the words for its tier (decisions, D17);
/// or that there is none.
pub fn amount_words(sats: Option<i64>, is_range: bool) -> String {
    match (sats, is_range) {
        (None, _) => "N/A".to_owned(),
        (Some(sats), false) => btc_text(sats),
        (sats, true) => tier_of(sats).2.to_owned(),
    }
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
            assert_eq!(amount_words(sats, true), words, "{sats:?}");
        }
        assert_eq!(amount_words(Some(1), false), "0.00000001");
    }
}
