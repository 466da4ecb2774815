//! The transaction's lock time, which version 2 leaves to the inputs (BIP-0370, "Determining Lock Time").

use crate::Fault;

/// What all inputs together require.
#[derive(Debug, Default)]
pub(super) struct LockTimes {
    /// The largest of each kind.
    time: u32,
    height: u32,
    /// Whether there is an input that requires only the other kind.
    no_time: bool,
    no_height: bool,
}

impl LockTimes {
    /// Adds what one input requires.
    pub(super) fn add(&mut self, time: Option<u32>, height: Option<u32>) {
        if time.is_none() && height.is_none() {
            return;
        }
        self.no_time |= time.is_none();
        self.no_height |= height.is_none();
        self.time = self.time.max(time.unwrap_or_default());
        self.height = self.height.max(height.unwrap_or_default());
    }

    /// A height if every input that requires anything can live with one, else a time; of the chosen kind the
    /// largest.
    pub(super) fn determine(&self, fallback: u32) -> Result<u32, Fault> {
        match self {
            // No input requires 0.
            Self {
                time: 0, height: 0, ..
            } => Ok(fallback),
            Self {
                no_height: false, ..
            } => Ok(self.height),
            Self { no_time: false, .. } => Ok(self.time),
            _ => Err(Fault::LockTimeConflict),
        }
    }
}
