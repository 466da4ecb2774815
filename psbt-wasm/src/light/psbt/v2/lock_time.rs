//! The transaction's lock time, which version 2 leaves to the inputs (BIP-0370, "Determining Lock Time").

use super::once;
use crate::Malformed;
use crate::cursor::Pair;
use crate::light::fields::require;

/// Lock times below this are block heights, others Unix times.
const THRESHOLD: u32 = 500_000_000;

const INVALID: Malformed = Malformed::InvalidField("required lock time");

/// The lock times that an input requires.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Required {
    time: Option<u32>,
    height: Option<u32>,
}

impl Required {
    /// Takes the field `PSBT_IN_REQUIRED_TIME_LOCKTIME`.
    pub(super) fn set_time(&mut self, pair: &Pair<'_>) -> Result<(), Malformed> {
        let time = pair.u32("required lock time")?;
        // BIP-0370: "greater than or equal to 500000000".
        require(time >= THRESHOLD, INVALID)?;
        once(&mut self.time, time)
    }

    /// Takes the field `PSBT_IN_REQUIRED_HEIGHT_LOCKTIME`.
    pub(super) fn set_height(&mut self, pair: &Pair<'_>) -> Result<(), Malformed> {
        let height = pair.u32("required lock time")?;
        // BIP-0370: "greater than 0 and less than 500000000".
        require(height > 0 && height < THRESHOLD, INVALID)?;
        once(&mut self.height, height)
    }
}

/// What all inputs together require.
#[derive(Debug, Default)]
pub(super) struct LockTimes {
    /// The largest of each kind.
    time: u32,
    height: u32,
    /// Whether there is an input that requires only the other kind.
    no_time: bool,
    no_height: bool,
    any: bool,
}

impl LockTimes {
    pub(super) fn add(&mut self, required: Required) {
        if required.time.is_none() && required.height.is_none() {
            return;
        }
        self.any = true;
        self.no_time |= required.time.is_none();
        self.no_height |= required.height.is_none();
        self.time = self.time.max(required.time.unwrap_or_default());
        self.height = self.height.max(required.height.unwrap_or_default());
    }

    /// A height if every input that requires anything can live with one, else a time; of the chosen kind the
    /// largest.
    pub(super) fn determine(&self, fallback: u32) -> Result<u32, Malformed> {
        match self {
            Self { any: false, .. } => Ok(fallback),
            Self {
                no_height: false, ..
            } => Ok(self.height),
            Self { no_time: false, .. } => Ok(self.time),
            _ => Err(Malformed::LockTimeConflict),
        }
    }
}
