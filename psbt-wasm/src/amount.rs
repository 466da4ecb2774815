//! Sums of satoshis that can be.

use crate::Error;

/// 21 million BTC.
pub(crate) const MAX_MONEY: u64 = 2_100_000_000_000_000;

pub(crate) fn add(total: u64, value: u64) -> Result<u64, Error> {
    total
        .checked_add(value)
        .filter(|total| *total <= MAX_MONEY)
        .ok_or(Error::AmountOutOfRange { input: None })
}
