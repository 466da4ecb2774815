//! The transaction's lock time, which version 2 leaves to the inputs.

use bitcoin::absolute::{LOCK_TIME_THRESHOLD, LockTime};

use super::maps::{Malformed, Pair};
use super::version2::{once, require};

/// The lock times that an input requires.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Required {
    time: Option<u32>,
    height: Option<u32>,
}

impl Required {
    /// Takes the field `PSBT_IN_REQUIRED_TIME_LOCKTIME`.
    pub(super) fn set_time(&mut self, pair: &Pair<'_>) -> Result<(), Malformed> {
        let time = pair.u32()?;
        // BIP-0370: "greater than or equal to 500000000".
        require(time >= LOCK_TIME_THRESHOLD)?;
        once(&mut self.time, time)
    }

    /// Takes the field `PSBT_IN_REQUIRED_HEIGHT_LOCKTIME`.
    pub(super) fn set_height(&mut self, pair: &Pair<'_>) -> Result<(), Malformed> {
        let height = pair.u32()?;
        // BIP-0370: "greater than 0 and less than 500000000".
        require(height > 0 && height < LOCK_TIME_THRESHOLD)?;
        once(&mut self.height, height)
    }

    fn is_any(&self) -> bool {
        self.time.is_some() || self.height.is_some()
    }
}

/// BIP-0370, "Determining Lock Time": a height if every input that requires anything can live with one,
/// else a time; of the chosen kind the largest.
pub(super) fn determine(inputs: &[Required], fallback: u32) -> Result<LockTime, Malformed> {
    if !inputs.iter().any(Required::is_any) {
        return Ok(LockTime::from_consensus(fallback));
    }
    let demanding = inputs.iter().filter(|input| input.is_any());
    let heights: Option<Vec<u32>> = demanding.clone().map(|input| input.height).collect();
    let times: Option<Vec<u32>> = demanding.map(|input| input.time).collect();
    let chosen = heights.or(times).ok_or(Malformed)?;
    Ok(LockTime::from_consensus(
        chosen.into_iter().max().unwrap_or(fallback),
    ))
}
