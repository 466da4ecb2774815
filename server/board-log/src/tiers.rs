//! Holder tiers, and holdings in words (decisions, D17).

use std::sync::LazyLock;

use crate::json::{canonical, object};
use crate::units::btc_text;

/// A holder tier.
#[derive(Debug)]
pub struct Tier {
    pub name: &'static str,
    /// The least holdings, in sats.
    pub sats: i64,
}

/// A line of the list.
struct Listed {
    name: String,
    sats: i64,
}

object!(Listed { name, sats });

/// The holder tiers, the largest first (specification, section 3). Holders of nothing are in the last one.
pub static TIERS: LazyLock<Vec<Tier>> = LazyLock::new(|| {
    let list = include_str!("../lists/tiers.json");
    let list: String = list.split_ascii_whitespace().collect();
    let list: Vec<Listed> = canonical(&list).expect("a list of names without spaces");
    let tiers = list.into_iter().map(|Listed { name, sats }| Tier {
        name: name.leak(),
        sats,
    });
    tiers.collect()
});

/// The name of the holder tier of these holdings.
pub fn holder_tier(sats: Option<i64>) -> &'static str {
    tier_of(sats).name
}

/// The least that holdings of this tier can be, in sats; `None` for an unknown tier.
pub fn start_of(tier: &str) -> Option<i64> {
    Some(TIERS.iter().find(|it| it.name == tier)?.sats)
}

fn tier_of(sats: Option<i64>) -> &'static Tier {
    let tier = TIERS.iter().find(|tier| sats.unwrap_or(0) >= tier.sats);
    tier.unwrap_or(&TIERS[TIERS.len() - 1])
}

/// What a range says of its tier: `at least 1`; of the lowest `under 0.1`.
fn range_words(tier: &Tier) -> String {
    let [.., above, lowest] = &TIERS[..] else {
        return "any amount".to_owned();
    };
    match tier.sats == lowest.sats {
        true => format!("under {}", short_btc(above.sats)),
        false => format!("at least {}", short_btc(tier.sats)),
    }
}

/// In BTC, without zeros at the end.
fn short_btc(sats: i64) -> String {
    let text = btc_text(sats);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The amount shown for holdings, without its unit: the exact one with 8 decimals, or the words for its tier (decisions, D17);
/// or that there is none.
pub fn amount_words(sats: Option<i64>, is_range: bool) -> String {
    match (sats, is_range) {
        (None, _) => "N/A".to_owned(),
        (Some(sats), false) => btc_text(sats),
        (sats, true) => range_words(tier_of(sats)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_begin_at_their_thresholds() {
        assert!(TIERS.is_sorted_by(|above, below| above.sats > below.sats));
        for pair in TIERS.windows(2) {
            assert_eq!(holder_tier(Some(pair[0].sats)), pair[0].name);
            assert_eq!(holder_tier(Some(pair[0].sats - 1)), pair[1].name);
        }
        let lowest = TIERS.last().map(|it| (it.name, it.sats));
        assert_eq!(lowest, Some((holder_tier(None), 1)));
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
