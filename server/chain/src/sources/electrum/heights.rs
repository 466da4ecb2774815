//! Lists of what concerns one script, with heights as the protocol tells them.

use std::collections::HashMap;
use std::hash::Hash;

use crate::ChainError;
use crate::service::Service;

/// The largest list that is read, in bytes: about 60,000 unspent outputs or transactions of one
/// script.
pub(super) const LIST_LIMIT: usize = 8 * 1024 * 1024;

/// The height of each; none while it is only in the mempool, which the protocol tells as 0 or -1. While a server
/// takes in a block, it may tell something twice: the block counts.
pub(super) fn heights<K: Eq + Hash>(
    service: &Service,
    told: impl IntoIterator<Item = (K, i64)>,
) -> Result<HashMap<K, Option<u32>>, ChainError> {
    let mut heights = HashMap::new();
    for (key, height) in told {
        let height = match height {
            ..=0 => None,
            _ => Some(u32::try_from(height).map_err(|_| service.invalid("a height that is none"))?),
        };
        let known = heights.entry(key).or_default();
        *known = height.max(*known);
    }
    Ok(heights)
}
