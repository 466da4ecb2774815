//! What a person should look at twice before signing or sending. Nothing here makes a file invalid.

use alloc::{string::String, vec::Vec};

use crate::address::Network;
use crate::error::sentence::{digit, number, words};
use crate::read::LOCK_TIME_THRESHOLD;
use crate::read::input::SIGHASH_ALL;
use crate::report::Report;
use crate::{InputReport, Signatures, statement};

/// Something to look at twice.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Of which kind it is.
    pub code: WarningCode,
    /// A sentence for the person who chose the file.
    pub message: String,
    /// The inputs that it is about; none when it is about the whole transaction.
    pub inputs: Vec<usize>,
}

/// The kinds of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
}

impl WarningCode {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 5] = [
        Self::HighFee,
        Self::LockTime,
        Self::UnsignedInput,
        Self::SighashNotAll,
        Self::UnknownValue,
    ];

    /// The stable kebab-case name.
    pub fn name(self) -> &'static str {
        match self {
            Self::HighFee => "high-fee",
            Self::LockTime => "lock-time",
            Self::UnsignedInput => "unsigned-input",
            Self::SighashNotAll => "sighash-not-all",
            Self::UnknownValue => "unknown-value",
        }
    }
}

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
    /// What a person should look at twice. `now` is the Unix time.
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
        warnings
    }

    fn warn_of_fee(&self, warnings: &mut Vec<Warning>) {
        let (Some(fee), Some(total)) = (self.fee_sats, self.total_input_sats) else {
            return;
        };
        // Amounts have been checked, so the product is below 2^64.
        if fee > HIGH_FEE_SATS && fee * HIGH_FEE_PART > total {
            let mut message = String::new();
            words("The fee of ", &mut message);
            number(fee, &mut message);
            words(" sats is more than 5 % of what is spent.", &mut message);
            warnings.push(Warning::new(WarningCode::HighFee, message));
        }
    }

    fn warn_of_lock_time(&self, now: u32, warnings: &mut Vec<Warning>) {
        // That no node takes it is what a still transaction is for.
        if self.lock_time == statement::LOCK_TIME {
            return;
        }
        let mut message = String::new();
        words("The transaction cannot be mined before ", &mut message);
        let is_locked = if self.lock_time >= LOCK_TIME_THRESHOLD {
            append_time(self.lock_time, &mut message);
            self.lock_time > now
        } else {
            words("block ", &mut message);
            number(self.lock_time.into(), &mut message);
            let (height, time) = KNOWN_BLOCK;
            let height = height + now.saturating_sub(time) / SECONDS_PER_BLOCK + TOLERANCE_BLOCKS;
            // The heights of other networks cannot be estimated.
            self.network == Network::Mainnet && self.lock_time > height
        };
        words(".", &mut message);
        let is_final = |input: &InputReport<'_>| input.sequence == FINAL_SEQUENCE;
        if is_locked && !self.inputs.iter().all(is_final) {
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
        let mut message = String::new();
        words(start, &mut message);
        number(inputs.len() as u64, &mut message);
        words(" of ", &mut message);
        number(self.inputs.len() as u64, &mut message);
        words(" inputs.", &mut message);
        warnings.push(Warning {
            inputs,
            ..Warning::new(code, message)
        });
    }
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

/// Appends a Unix time as people and machines read it (RFC 3339), in UTC.
fn append_time(time: u32, text: &mut String) {
    let (year, month, day) = date(time / 86_400);
    let seconds = time % 86_400;
    let mut two = |number: u32, after| {
        digit(u64::from(number / 10), text);
        digit(u64::from(number % 10), text);
        words(after, text);
    };
    two(year / 100, "");
    two(year % 100, "-");
    two(month, "-");
    two(day, "T");
    two(seconds / 3_600, ":");
    two(seconds / 60 % 60, ":");
    two(seconds % 60, "Z");
}

/// Year, month and day of a number of days since the start of 1970.
fn date(mut days: u32) -> (u32, u32, u32) {
    let is_leap = |year: u32| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u32::from(is_leap(year)) {
        days -= 365 + u32::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u32::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        let of = |time| {
            let mut text = String::new();
            append_time(time, &mut text);
            text
        };
        assert_eq!(of(0), "1970-01-01T00:00:00Z");
        assert_eq!(of(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(of(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(of(978_307_199), "2000-12-31T23:59:59Z");
        assert_eq!(of(1_713_571_767), "2024-04-20T00:09:27Z");
        assert_eq!(of(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(of(u32::MAX), "2106-02-07T06:28:15Z");
    }
}
