//! The coins of a file as the chain has them: now, or at a date.

use psbt_wasm::DocumentCoin;
use psbt_wasm::date::{
    CoinAtDate, CoinHistory as History, DEPTH, DateReason, OLD_AFTER_BLOCKS, Spent as SpentAt,
    judge_date,
};

use super::file::Checked;
use super::lookup::{Date, Found};
use super::report::{BlockReport, ChainReport, DateReport, FileReport};
use super::verdict::Wrong;
use crate::proof::outpoint;
use chain::{CoinHistory, Spent};

/// Judges a file that is right in itself, and shows in the report what was found.
pub(super) fn judge(
    checked: &Checked,
    found: &Found,
    at: Option<&(String, i64)>,
    report: &mut FileReport,
) -> Result<(), Wrong> {
    let (height, hash) = checked.block();
    let is_dated = found.dated.contains(&(height, hash));
    report.chain = Some(ChainReport {
        height: found.tip.height,
        signed_after: is_dated.then_some(height),
    });
    let coins = histories(checked, found)?;
    match (at, &found.date) {
        (Some((at, time)), Some(date)) => judge_then(
            &coins,
            found,
            is_dated.then_some(height),
            (at, *time, date),
            report,
        ),
        _ => judge_now(&coins, found, is_dated.then_some(height), report),
    }
}

/// What became of each coin, which is as the file states it. None for one that is spent or never was, as far as the sources know.
fn histories(checked: &Checked, found: &Found) -> Result<Vec<Option<History>>, Wrong> {
    let one = |coin: &DocumentCoin| {
        let outpoint = outpoint(coin);
        match found.coins.get(&outpoint).unwrap_or(&CoinHistory::Unknown) {
            CoinHistory::Known {
                output,
                funded,
                spent,
            } => {
                let is_as_stated = output.value.to_sat() == coin.value
                    && output.script_pubkey.as_bytes() == coin.script;
                if !is_as_stated {
                    let sentence = format!("The coin {outpoint} has another value or script.");
                    return Err(Wrong::False(sentence));
                }
                Ok(Some(History {
                    value: coin.value,
                    funded: *funded,
                    spent: match spent {
                        Spent::No => SpentAt::No,
                        Spent::At(height) => SpentAt::At(*height),
                        Spent::Sometime => SpentAt::Unknown,
                    },
                }))
            }
            CoinHistory::Missing => {
                let sentence = format!("The sources do not know the coin {outpoint}.");
                Err(Wrong::False(sentence))
            }
            CoinHistory::SpentOrMissing => Ok(None),
            CoinHistory::Unknown => {
                let sentence = format!("the sources say nothing about the coin {outpoint}.");
                Err(Wrong::Unchecked(sentence))
            }
        }
    };
    checked.coins().iter().map(one).collect()
}

fn judge_now(
    coins: &[Option<History>],
    found: &Found,
    signed_after: Option<u32>,
    report: &mut FileReport,
) -> Result<(), Wrong> {
    let is_spent = |coin: &Option<History>| coin.is_none_or(|it| it.spent != SpentAt::No);
    for (coin, shown) in coins.iter().zip(&mut report.coins) {
        shown.counts = !is_spent(coin);
    }
    if coins.iter().flatten().any(|coin| coin.funded.is_none()) {
        return Err(Wrong::Unchecked("a coin is in no block yet.".into()));
    }
    let spent = coins.iter().filter(|coin| is_spent(coin)).count();
    if spent > 0 {
        let sentence = format!(
            "{spent} of {} coins have been spent since, or never were, at block {}.",
            coins.len(),
            found.tip.height
        );
        return Err(Wrong::False(sentence));
    }
    let Some(block) = signed_after else {
        return Err(unchecked(DateReason::NotDated));
    };
    let blocks = found.tip.height.saturating_sub(block);
    if blocks > OLD_AFTER_BLOCKS {
        let sentence = format!("it is old: {blocks} blocks came since. Ask for a new proof.");
        return Err(Wrong::Unchecked(sentence));
    }
    match blocks < DEPTH {
        true => Err(unchecked(DateReason::TooNew)),
        false => Ok(()),
    }
}

fn judge_then(
    coins: &[Option<History>],
    found: &Found,
    signed_after: Option<u32>,
    (at, time, date): (&str, i64, &Date),
    report: &mut FileReport,
) -> Result<(), Wrong> {
    // Without history a source cannot say whether the coin ever was.
    let known = coins.iter().zip(&report.coins).map(|(coin, shown)| {
        coin.unwrap_or(History {
            value: shown.value_sats,
            funded: Some(0),
            spent: SpentAt::Unknown,
        })
    });
    let known: Vec<History> = known.collect();
    let verdict = judge_date(&date.bounds, signed_after, found.tip.height, &known);
    for ((coin, shown), state) in known.iter().zip(&mut report.coins).zip(&verdict.coins) {
        shown.counts = *state == CoinAtDate::Stood;
        shown.state = Some(state.code());
        shown.funded = coin.funded;
        shown.spent = match coin.spent {
            SpentAt::At(height) => Some(height),
            _ => None,
        };
    }
    report.date = Some(DateReport {
        at: at.to_owned(),
        time,
        lower: date.lower.map(BlockReport::from),
        upper: date.upper.map(BlockReport::from),
        settled: date.bounds.settled,
        control: verdict.control.map(psbt_wasm::date::Control::code),
        stood_sats: verdict.stood_sats.to_string(),
        since_sats: verdict.since_sats.to_string(),
    });
    match verdict.reason {
        None => Ok(()),
        Some(reason) if reason.is_false() => Err(Wrong::False(sentence(reason).into())),
        Some(reason) => Err(unchecked(reason)),
    }
}

fn unchecked(reason: DateReason) -> Wrong {
    Wrong::Unchecked(sentence(reason).into())
}

fn sentence(reason: DateReason) -> &'static str {
    match reason {
        DateReason::NothingStood => "No coin of it was there at the date and when it was signed.",
        DateReason::NotYet => {
            "the date is in the future, or has fewer than six blocks above it. Check again later."
        }
        DateReason::NotDated => "nothing shows when it was signed. Ask for a new proof.",
        DateReason::TooNew => {
            "it is too new: its block has fewer than six blocks above it. Check again later."
        }
        DateReason::Old => {
            "it is old at this date: more than 4,032 blocks are between its block and the date. Ask for a proof that was made nearer to it."
        }
        DateReason::CannotSay => {
            "the source cannot say when a coin was spent. A node needs -txindex and -txospenderindex for that."
        }
        DateReason::SpentSince => {
            "all coins that were there at the date were spent since, so the signature may be later."
        }
        _ => "it could not be checked at this date.",
    }
}
