//! What a person should check before signing or sending. Warnings do not make a file invalid.

use alloc::{format, string::String, vec::Vec};

use crate::address::Network;
use crate::read::LOCK_TIME_THRESHOLD;
use crate::read::input::SIGHASH_ALL;
use crate::report::Report;
use crate::{InputReport, Signatures, statement};

/// Something to check before signing or sending.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Its kind.
    pub code: WarningCode,
    /// A sentence for the person who chose the file.
    pub message: String,
    /// The inputs that it is about; empty when it is about the whole transaction.
    pub inputs: Vec<usize>,
}

/// The kinds of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum WarningCode {
    /// More than 5 % of the inputs, and more than 10,000 sats.
    HighFee,
    /// The transaction cannot be mined yet. Heights are estimated, and only for mainnet.
    LockTime,
    /// An input without any signature.
    UnsignedInput,
    /// A signature hash type that leaves parts of the transaction open.
    SighashNotAll,
    /// The file does not state what is spent.
    UnknownValue,
    /// A field has a type that is cut short or not written in the shortest way.
    FieldType,
}

crate::facts::names!(WarningCode: name);

/// A fee is high above this part of the inputs, and above this amount.
const HIGH_FEE_PART: u64 = 20;
const HIGH_FEE_SATS: u64 = 10_000;

/// The only sequence number that turns the lock time off.
const FINAL_SEQUENCE: u32 = u32::MAX;

/// The height and the time of a block of mainnet, from which the height of today is estimated.
const KNOWN_BLOCK: (u32, u32) = (840_000, 1_713_571_767);
const SECONDS_PER_BLOCK: u32 = 600;
/// Blocks come a little faster than planned, so the estimate is low.
const TOLERANCE_BLOCKS: u32 = 4_000;

impl Report<'_> {
    /// What a person should check before signing or sending. `now` is the Unix time.
    pub fn warnings(&self, now: u32) -> Vec<Warning> {
        let mut warnings = Vec::new();
        self.warn_of_fee(&mut warnings);
        self.warn_of_lock_time(now, &mut warnings);
        for code in [
            WarningCode::UnsignedInput,
            WarningCode::SighashNotAll,
            WarningCode::UnknownValue,
        ] {
            self.warn_of_inputs(code, &mut warnings);
        }
        if self.has_unreadable_type {
            let message = "Bitcoin Core refuses this file: the type of a field is written wrongly.";
            warnings.push(Warning::new(WarningCode::FieldType, message.into()));
        }
        warnings
    }

    fn warn_of_fee(&self, warnings: &mut Vec<Warning>) {
        let (Some(fee), Some(total)) = (self.fee_sats, self.total_input_sats) else {
            return;
        };
        // Amounts have been checked, so the product is below 2^64.
        if fee > HIGH_FEE_SATS && fee * HIGH_FEE_PART > total {
            warnings.push(Warning::new(WarningCode::HighFee, high_fee(fee)));
        }
    }

    fn warn_of_lock_time(&self, now: u32, warnings: &mut Vec<Warning>) {
        // A still transaction is meant to stay locked.
        if self.lock_time == statement::LOCK_TIME {
            return;
        }
        let lock = self.lock_time;
        let moment = if lock >= LOCK_TIME_THRESHOLD {
            (lock > now).then_some(lock)
        } else {
            let (height, time) = KNOWN_BLOCK;
            let height = height + now.saturating_sub(time) / SECONDS_PER_BLOCK + TOLERANCE_BLOCKS;
            // The heights of other networks cannot be estimated.
            (self.network == Network::Mainnet && lock > height).then_some(lock)
        };
        let is_final = |input: &InputReport<'_>| input.sequence == FINAL_SEQUENCE;
        let is_used = !self.inputs.iter().all(is_final);
        if let Some(moment) = moment.filter(|_| is_used) {
            let message = until(moment);
            warnings.push(Warning::new(WarningCode::LockTime, message));
        }
    }

    fn warn_of_inputs(&self, code: WarningCode, warnings: &mut Vec<Warning>) {
        let mut inputs = Vec::new();
        for (index, input) in self.inputs.iter().enumerate() {
            let is_about = match code {
                WarningCode::UnsignedInput => input.signatures == Signatures::None,
                WarningCode::SighashNotAll => input.sighash.unwrap_or_default() > SIGHASH_ALL,
                _ => input.value_sats.is_none() && self.psbt_version.is_some(),
            };
            if is_about {
                inputs.push(index);
            }
        }
        if inputs.is_empty() {
            return;
        }
        let start = match code {
            WarningCode::UnsignedInput => "Not signed: ",
            WarningCode::SighashNotAll => "Signatures that leave parts of the transaction open: ",
            _ => "The file does not state the value of ",
        };
        let mut message = String::with_capacity(96);
        message.push_str(start);
        push_number(inputs.len(), &mut message);
        message.push_str(" of ");
        push_number(self.inputs.len(), &mut message);
        message.push_str(" inputs.");
        warnings.push(Warning {
            inputs,
            ..Warning::new(code, message)
        });
    }
}

#[inline(never)]
fn high_fee(fee: u64) -> String {
    format!("The fee of {fee} sats is more than 5 % of what is spent.")
}

/// Of a lock time that is not over.
#[inline(never)]
fn until(lock: u32) -> String {
    let moment = if lock >= LOCK_TIME_THRESHOLD {
        utc(lock)
    } else {
        format!("block {lock}")
    };
    format!("The transaction cannot be mined before {moment}.")
}

impl Warning {
    fn new(code: WarningCode, message: String) -> Self {
        Self {
            code,
            message,
            inputs: Vec::new(),
        }
    }
}

/// Appends a number. `format!` takes a tenth of the time of a small file, and most small files are not signed.
fn push_number(number: usize, text: &mut String) {
    if number > 9 {
        push_number(number / 10, text);
    }
    text.push(char::from(b"0123456789"[number % 10]));
}

/// A Unix time as people and machines read it (RFC 3339), in UTC.
fn utc(time: u32) -> String {
    let (year, month, day) = date(time / 86_400);
    let (hour, minute, second) = (time / 3_600 % 24, time / 60 % 60, time % 60);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a number of days since the start of 1970. Years begin in March here, so that a leap day is a year's last.
fn date(days: u32) -> (u32, u32, u32) {
    // Since March 1 of the year 0: 400 years have 146,097 days, a century 36,524, four years 1,461.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Five months from March on have 153 days, and so have those from August on.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (later, month) = if month > 9 {
        (1, month - 9)
    } else {
        (0, month + 3)
    };
    (400 * era + year + later, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(978_307_199), "2000-12-31T23:59:59Z");
        assert_eq!(utc(1_713_571_767), "2024-04-20T00:09:27Z");
        assert_eq!(utc(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(utc(u32::MAX), "2106-02-07T06:28:15Z");
    }
}
