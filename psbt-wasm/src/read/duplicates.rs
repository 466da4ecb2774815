//! Whether something is named twice, without comparing everything with everything.
//!
//! A table of our own, because the one of the standard library would make the module that browsers load first 0.9 kB larger
//! (Brotli).

use alloc::{vec, vec::Vec};

use crate::hash::sha256;

/// The position of the first item that an earlier item equals.
///
/// `first` is a number that equal items share, and that others should not.
pub(crate) fn first_duplicate<'a>(
    count: usize,
    first: &dyn Fn(usize) -> u64,
    bytes: &dyn Fn(usize) -> &'a [u8],
) -> Option<usize> {
    let mut duplicate = None;
    each_duplicate(count, first, bytes, &mut |at, _| {
        duplicate = Some(at);
        false
    });
    duplicate
}

/// Gives each item that an earlier one equals, and the first of those, to `found`, in order, until that returns false. It may be
/// given the same again, from the start.
pub(crate) fn each_duplicate<'a>(
    count: usize,
    first: &dyn Fn(usize) -> u64,
    bytes: &dyn Fn(usize) -> &'a [u8],
    found: &mut dyn FnMut(usize, usize) -> bool,
) {
    if count < 2 {
        return;
    }
    if look_up(count, first, bytes, 8 * count, found).is_none() {
        // Somebody chose items that share their numbers, to make this slow.
        let hashed = |at: usize| number(&sha256(&[bytes(at)]));
        look_up(count, &hashed, bytes, usize::MAX, found);
    }
}

/// A hash table with open addressing that is at most half full, and never grows. None when it took too many steps.
fn look_up<'a>(
    count: usize,
    first: &dyn Fn(usize) -> u64,
    bytes: &dyn Fn(usize) -> &'a [u8],
    mut steps: usize,
    found: &mut dyn FnMut(usize, usize) -> bool,
) -> Option<()> {
    /// 2^64 divided by the golden ratio: spreads numbers that differ little.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mask = (2 * count).next_power_of_two() - 1;
    // Positions, counted from 1.
    let mut table = vec![0_u32; mask + 1];
    'items: for at in 0..count {
        let spread = first(at).wrapping_mul(SPREAD) >> 32;
        let mut slot = usize::try_from(spread).unwrap_or_default() & mask;
        while let Some(earlier) = table[slot].checked_sub(1) {
            let earlier = usize::try_from(earlier).unwrap_or_default();
            if bytes(earlier) == bytes(at) {
                if found(at, earlier) {
                    continue 'items;
                }
                return Some(());
            }
            slot = (slot + 1) & mask;
            steps = steps.checked_sub(1)?;
        }
        table[slot] = u32::try_from(at + 1).unwrap_or_default();
    }
    Some(())
}

/// The first eight bytes as a number.
pub(crate) fn number(bytes: &[u8]) -> u64 {
    bytes
        .first_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The keys of one map.
#[derive(Debug, Default)]
pub(crate) struct Seen<'a> {
    keys: Vec<&'a [u8]>,
}

/// Up to this many keys are compared one by one as they come.
const FEW: usize = 16;

impl<'a> Seen<'a> {
    /// Notes a key; false when it is certain that it has been there before.
    #[inline]
    pub(crate) fn insert(&mut self, key: &'a [u8]) -> bool {
        let few = self.keys.len() < FEW;
        if few && self.keys.iter().any(|seen| same(seen, key)) {
            return false;
        }
        self.keys.push(key);
        true
    }

    /// Forgets the keys; returns one that was there twice.
    #[inline]
    pub(crate) fn end_of_map(&mut self) -> Option<&'a [u8]> {
        let twice = (self.keys.len() > FEW).then(|| twice(&self.keys)).flatten();
        self.keys.clear();
        twice
    }
}

/// An item that equals an earlier one.
pub(crate) fn twice<'a>(items: &[&'a [u8]]) -> Option<&'a [u8]> {
    let start = |at: usize| start(items[at]);
    first_duplicate(items.len(), &start, &|at| items[at]).map(|at| items[at])
}

/// A number that equal items share, of an item's length and first bytes.
pub(crate) fn start(item: &[u8]) -> u64 {
    let start = item.iter().take(12);
    start.fold(item.len() as u64, |number, byte| {
        number.rotate_left(5) ^ u64::from(*byte)
    })
}

#[inline]
fn same(one: &[u8], other: &[u8]) -> bool {
    // Comparing lengths and first bytes before calling anything else is most of the work saved.
    one.len() == other.len() && one[0] == other[0] && (one.len() == 1 || one == other)
}
