//! What a process knows of a picture.

use super::form::Drawn;
use chain::clock::UnixTime;

/// What is known of the picture at an address.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) fresh_until: UnixTime,
    /// None when there is no picture, or it could not be had.
    pub(super) drawn: Option<Drawn>,
}

impl Known {
    /// What it takes in memory. Entries have a weight of their own, so that empty ones are bounded too.
    pub(super) fn weight(&self) -> u32 {
        let bytes = self.drawn.as_ref().map_or(0, Drawn::size) + 2048;
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}
