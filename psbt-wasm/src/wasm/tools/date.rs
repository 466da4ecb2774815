//! `readInstant`, `findDate` and `judgeDate`. Numbers come as `js/date.js` encodes them: 8 bytes each, little endian, negative where there is
//! none.

use alloc::{format, vec::Vec};

use super::json::{List, OrNull, text_or_null};
use crate::date::{
    BlockTimes, Bounds, CoinAtDate, CoinHistory, Control, DateReason, Spent, Step, find_bounds,
    judge_date, read_instant,
};
use crate::joined::ProofStatus;
use crate::read::cursor::Cursor;
use crate::{Error, Fault};

/// The coin's spender is at a height that the source does not say.
const UNKNOWN: i64 = -2;

fn number(cursor: &mut Cursor<'_>) -> Result<i64, Fault> {
    Ok(i64::from_le_bytes(*cursor.array()?))
}

/// A height; none for what is below or above all of them.
fn height(cursor: &mut Cursor<'_>) -> Result<Option<u32>, Fault> {
    Ok(u32::try_from(number(cursor)?).ok())
}

fn known_height(cursor: &mut Cursor<'_>) -> Result<u32, Fault> {
    height(cursor)?.ok_or(Fault::Invalid("height"))
}

pub(in crate::wasm) fn instant(text: &[u8]) -> Result<Vec<u8>, Error> {
    let text = core::str::from_utf8(text).unwrap_or_default();
    let time = read_instant(text)?;
    Ok(format!(r#"{{"time":{time}}}"#).into_bytes())
}

/// The instant, the newest height, and height, time and median time of each block.
pub(in crate::wasm) fn bounds(numbers: &[u8]) -> Result<Vec<u8>, Error> {
    let cursor = &mut Cursor::new(numbers);
    let (at, tip) = (number(cursor)?, known_height(cursor)?);
    let mut known = Vec::new();
    while cursor.remaining() > 0 {
        known.push(BlockTimes {
            height: known_height(cursor)?,
            time: number(cursor)?,
            median_time: number(cursor)?,
        });
    }
    let json = match find_bounds(at, tip, &known) {
        Step::Ask(height) => format!(r#"{{"ask":{height}}}"#),
        Step::Found(bounds) => format!(
            r#"{{"ask":null,"lower":{},"upper":{},"settled":{}}}"#,
            OrNull(bounds.lower),
            OrNull(bounds.upper),
            bounds.settled
        ),
    };
    Ok(json.into_bytes())
}

/// The bounds, the proof's block, the newest height, and value, funding and spending of each coin.
pub(in crate::wasm) fn judged(numbers: &[u8]) -> Result<Vec<u8>, Error> {
    let cursor = &mut Cursor::new(numbers);
    let bounds = Bounds {
        lower: height(cursor)?,
        upper: height(cursor)?,
        settled: number(cursor)? == 1,
    };
    let (signed_after, tip) = (height(cursor)?, known_height(cursor)?);
    let mut coins = Vec::new();
    while cursor.remaining() > 0 {
        coins.push(CoinHistory {
            value: u64::try_from(number(cursor)?).map_err(|_| Fault::Invalid("value"))?,
            funded: height(cursor)?,
            spent: match number(cursor)? {
                UNKNOWN => Spent::Unknown,
                spent => u32::try_from(spent).map_or(Spent::No, Spent::At),
            },
        });
    }
    let verdict = judge_date(&bounds, signed_after, tip, &coins);
    let status = match verdict.reason {
        None => ProofStatus::Right,
        Some(reason) if reason.is_false() => ProofStatus::False,
        Some(_) => ProofStatus::Unchecked,
    };
    let json = format!(
        r#"{{"status":"{}","reason":{},"control":{},"coins":{},"stoodSats":"{}","sinceSats":"{}"}}"#,
        status.code(),
        text_or_null(verdict.reason.map(DateReason::code)),
        text_or_null(verdict.control.map(Control::code)),
        List(&verdict.coins, |coin: &CoinAtDate, f| write!(
            f,
            r#""{}""#,
            coin.code()
        )),
        verdict.stood_sats,
        verdict.since_sats
    );
    Ok(json.into_bytes())
}
