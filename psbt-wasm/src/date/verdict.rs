//! Which coins of a proof stood at a date, and what that shows.

use alloc::vec::Vec;

use super::{Bounds, DEPTH, OLD_AFTER_BLOCKS};

/// When a coin was spent, as a chain source says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    /// No block spends it.
    No,
    /// The block at this height does.
    At(u32),
    /// The source does not say when, or whether.
    Unknown,
}

/// What a chain source says of a coin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoinHistory {
    /// In sats.
    pub value: u64,
    /// Height of the block that funded it; none while it is unconfirmed.
    pub funded: Option<u32>,
    /// When it was spent.
    pub spent: Spent,
}

/// A coin at a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum CoinAtDate {
    /// It stood, and its key signed while it existed.
    Stood,
    /// It stood, and was spent above the proof's block: the signature may be later.
    SpentSince,
    /// It stood, and was spent at or below the proof's block: control was never shown while it existed.
    SpentBeforeSigning,
    /// It was funded above the upper bound.
    FundedLater,
    /// It was funded between the bounds.
    FundedBetween,
    /// It was spent at or below the lower bound.
    SpentBefore,
    /// It was spent between the bounds.
    SpentBetween,
    /// No block has it.
    Unconfirmed,
    /// The source does not say.
    Unknown,
}

/// When control of the coins was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Control {
    /// The proof's block is at or below the upper bound.
    ByTheDate,
    /// It is above: control was shown later than the date.
    Later,
}

/// Why a proof is not right at a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum DateReason {
    /// No coin of it stood at the date and was there when it was signed. The proof is false.
    NothingStood,
    /// The instant is in the future, or the upper bound has too few blocks above it.
    NotYet,
    /// The chain does not have the proof's block.
    NotDated,
    /// The proof's block has too few blocks above it.
    TooNew,
    /// Too many blocks are between the proof's block and the upper bound.
    Old,
    /// The source does not say when a coin was spent.
    CannotSay,
    /// All coins that stood were spent since.
    SpentSince,
}

crate::facts::names!(CoinAtDate: code, Control: code, DateReason: code);

impl DateReason {
    /// Whether it makes the proof false. Any other means that not everything could be checked.
    #[must_use]
    pub fn is_false(self) -> bool {
        self == Self::NothingStood
    }
}

/// A proof at a date.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DateVerdict {
    /// Why it is not right; none when it is.
    pub reason: Option<DateReason>,
    /// When control was shown; none when the proof is not dated, or the date is before the first block.
    pub control: Option<Control>,
    /// The coins, in order.
    pub coins: Vec<CoinAtDate>,
    /// The value of those that stood. "At least": coins that are not in the proof are not seen.
    pub stood_sats: u64,
    /// The value of those that were spent since.
    pub since_sats: u64,
}

/// Judges the coins of a proof that is right in itself. `signed_after` is the height of its block, if the chain has that block there, and `tip`
/// that of the newest block.
#[must_use]
pub fn judge_date(
    bounds: &Bounds,
    signed_after: Option<u32>,
    tip: u32,
    coins: &[CoinHistory],
) -> DateVerdict {
    let states = coins.iter().map(|coin| state(bounds, signed_after, coin));
    let states: Vec<CoinAtDate> = states.collect();
    let sum = |wanted: CoinAtDate| {
        let coins = coins.iter().zip(&states);
        let coins = coins.filter(|(_, state)| **state == wanted);
        coins.fold(0, |sum: u64, (coin, _)| sum.saturating_add(coin.value))
    };
    let has = |wanted: CoinAtDate| states.contains(&wanted);
    let control = match (signed_after, bounds.upper) {
        (Some(block), Some(upper)) if block <= upper => Some(Control::ByTheDate),
        (Some(_), Some(_)) => Some(Control::Later),
        _ => None,
    };
    let age = |block: u32| bounds.upper.map_or(0, |upper| upper.saturating_sub(block));
    let stands = [
        CoinAtDate::Stood,
        CoinAtDate::SpentSince,
        CoinAtDate::Unknown,
    ];
    let reason = if !bounds.settled {
        Some(DateReason::NotYet)
    } else if !stands.into_iter().any(has) {
        Some(DateReason::NothingStood)
    } else {
        match signed_after {
            None => Some(DateReason::NotDated),
            Some(block) if tip.saturating_sub(block) < DEPTH => Some(DateReason::TooNew),
            Some(block) if age(block) > OLD_AFTER_BLOCKS => Some(DateReason::Old),
            Some(_) if has(CoinAtDate::Unknown) => Some(DateReason::CannotSay),
            Some(_) if !has(CoinAtDate::Stood) => Some(DateReason::SpentSince),
            Some(_) => None,
        }
    };
    DateVerdict {
        reason,
        control,
        stood_sats: sum(CoinAtDate::Stood),
        since_sats: sum(CoinAtDate::SpentSince),
        coins: states,
    }
}

fn state(bounds: &Bounds, signed_after: Option<u32>, coin: &CoinHistory) -> CoinAtDate {
    let Some(funded) = coin.funded else {
        return CoinAtDate::Unconfirmed;
    };
    let is_below = |height: u32, bound: Option<u32>| bound.is_some_and(|bound| height <= bound);
    if !is_below(funded, bounds.upper) {
        return CoinAtDate::FundedLater;
    }
    if !is_below(funded, bounds.lower) {
        return CoinAtDate::FundedBetween;
    }
    let spent = match coin.spent {
        Spent::No => return CoinAtDate::Stood,
        Spent::Unknown => return CoinAtDate::Unknown,
        Spent::At(spent) => spent,
    };
    if is_below(spent, bounds.lower) {
        return CoinAtDate::SpentBefore;
    }
    if is_below(spent, bounds.upper) {
        return CoinAtDate::SpentBetween;
    }
    match signed_after {
        // Whether it was there when it was signed, nothing shows.
        None => CoinAtDate::Unknown,
        Some(block) if spent <= block => CoinAtDate::SpentBeforeSigning,
        Some(_) => CoinAtDate::SpentSince,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CoinAtDate::*;

    const BOUNDS: Bounds = Bounds {
        lower: Some(100),
        upper: Some(105),
        settled: true,
    };

    fn coin(funded: u32, spent: Spent) -> CoinHistory {
        CoinHistory {
            value: 1_000,
            funded: Some(funded),
            spent,
        }
    }

    fn of_coin(signed_after: u32, funded: u32, spent: Spent) -> CoinAtDate {
        let verdict = judge_date(&BOUNDS, Some(signed_after), 200, &[coin(funded, spent)]);
        verdict.coins[0]
    }

    #[test]
    fn a_coin_stands_from_the_lower_to_the_upper_bound() {
        for (funded, spent, expected) in [
            (99, Spent::No, Stood),
            (100, Spent::No, Stood),
            (101, Spent::No, FundedBetween),
            (105, Spent::No, FundedBetween),
            (106, Spent::No, FundedLater),
            (90, Spent::At(99), SpentBefore),
            (90, Spent::At(100), SpentBefore),
            (100, Spent::At(100), SpentBefore),
            (90, Spent::At(101), SpentBetween),
            (90, Spent::At(105), SpentBetween),
            (90, Spent::At(106), SpentSince),
            (101, Spent::At(106), FundedBetween),
            (90, Spent::Unknown, Unknown),
            (106, Spent::Unknown, FundedLater),
        ] {
            assert_eq!(of_coin(50, funded, spent), expected, "{funded} {spent:?}");
        }
        // A proof that is later than the date: the coin must outlive its block.
        for (spent, expected) in [
            (Spent::No, Stood),
            (Spent::At(119), SpentBeforeSigning),
            (Spent::At(120), SpentBeforeSigning),
            (Spent::At(121), SpentSince),
        ] {
            assert_eq!(of_coin(120, 90, spent), expected, "{spent:?}");
        }
        let unconfirmed = CoinHistory {
            funded: None,
            ..coin(0, Spent::No)
        };
        let verdict = judge_date(&BOUNDS, Some(50), 200, &[unconfirmed]);
        assert_eq!(verdict.coins, [Unconfirmed]);
        assert_eq!(verdict.reason, Some(DateReason::NothingStood));
    }

    #[test]
    fn only_coins_that_stood_are_in_the_sum() {
        let coins = [
            coin(90, Spent::No),
            coin(95, Spent::No),
            coin(90, Spent::At(110)),
            coin(101, Spent::No),
        ];
        let verdict = judge_date(&BOUNDS, Some(50), 200, &coins);
        assert_eq!(verdict.reason, None);
        assert_eq!(verdict.control, Some(Control::ByTheDate));
        assert_eq!((verdict.stood_sats, verdict.since_sats), (2_000, 1_000));
        let later = judge_date(&BOUNDS, Some(106), 200, &coins);
        assert_eq!((later.reason, later.control), (None, Some(Control::Later)));
    }

    #[test]
    fn what_is_not_known_is_never_right() {
        let there = coin(90, Spent::No);
        let reason = |bounds: Bounds, after: Option<u32>, tip, coins: &[CoinHistory]| {
            judge_date(&bounds, after, tip, coins).reason
        };
        let unsettled = Bounds {
            settled: false,
            ..BOUNDS
        };
        let early = Bounds {
            lower: None,
            upper: None,
            settled: true,
        };
        let late = Bounds {
            upper: Some(4_083),
            lower: Some(4_080),
            settled: true,
        };
        let older = Bounds {
            upper: Some(4_082),
            ..late
        };
        let unknown = coin(90, Spent::Unknown);
        let since = coin(90, Spent::At(110));
        for (given, expected) in [
            (reason(BOUNDS, Some(50), 200, &[there]), None),
            (
                reason(unsettled, Some(50), 200, &[there]),
                Some(DateReason::NotYet),
            ),
            (
                reason(early, Some(50), 200, &[there]),
                Some(DateReason::NothingStood),
            ),
            (
                reason(BOUNDS, None, 200, &[there]),
                Some(DateReason::NotDated),
            ),
            (
                reason(BOUNDS, None, 200, &[since]),
                Some(DateReason::NotDated),
            ),
            (
                reason(BOUNDS, Some(195), 200, &[there]),
                Some(DateReason::TooNew),
            ),
            (reason(BOUNDS, Some(194), 200, &[there]), None),
            (
                reason(late, Some(50), 9_000, &[there]),
                Some(DateReason::Old),
            ),
            (reason(older, Some(50), 9_000, &[there]), None),
            (reason(BOUNDS, Some(50), 9_000, &[there]), None),
            (
                reason(BOUNDS, Some(50), 200, &[there, unknown]),
                Some(DateReason::CannotSay),
            ),
            (
                reason(BOUNDS, Some(50), 200, &[since]),
                Some(DateReason::SpentSince),
            ),
            (reason(BOUNDS, Some(50), 200, &[since, there]), None),
            (
                reason(BOUNDS, Some(50), 200, &[]),
                Some(DateReason::NothingStood),
            ),
        ] {
            assert_eq!(given, expected);
        }
    }
}
