//! Heights in the lists of a script's outputs and transactions.

use std::collections::HashMap;
use std::hash::Hash;

use crate::ChainError;
use crate::service::Service;

/// The size limit of a list, in bytes: about 60,000 unspent outputs or transactions of one script.
pub(super) const LIST_LIMIT: usize = 8 * 1024 * 1024;

/// The height of each entry; none while it is unconfirmed, which is 0 or -1 in the protocol. While a server
/// processes a block, it may list an entry twice: then the block counts.
pub(super) fn heights<K: Eq + Hash>(
    service: &Service,
    entries: impl IntoIterator<Item = (K, i64)>,
) -> Result<HashMap<K, Option<u32>>, ChainError> {
    let mut heights = HashMap::new();
    for (key, height) in entries {
        let height = match height {
            ..=0 => None,
            _ => Some(u32::try_from(height).map_err(|_| service.invalid("a height that is none"))?),
        };
        let known = heights.entry(key).or_default();
        *known = height.max(*known);
    }
    Ok(heights)
}
