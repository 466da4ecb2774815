//! What a look-up leaves in memory.

use super::form::Drawn;
use chain::clock::UnixTime;

/// The cached result of a look-up.
#[derive(Debug)]
pub(super) struct Cached {
    pub(super) fresh_until: UnixTime,
    /// None when there is no picture, or it could not be fetched.
    pub(super) drawn: Option<Drawn>,
}

impl Cached {
    /// Its size in memory. Entries without a picture have a weight too, so that their number is limited.
    pub(super) fn weight(&self) -> u32 {
        let bytes = self.drawn.as_ref().map_or(0, Drawn::size) + 2048;
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}
