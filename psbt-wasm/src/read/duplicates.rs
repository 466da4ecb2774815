//! Whether something is named twice, without comparing everything with everything.
//!
//! A table of our own, because the one of the standard library would make the module that browsers load first 0.9 kB larger
//! (Brotli).

use alloc::{vec, vec::Vec};

use crate::hash::sha256;

/// The position of the first item that an earlier item equals.
///
/// `number` is one that equal items share, and that others should not.
pub(crate) fn first_duplicate(items: &[&[u8]], number: fn(&[u8]) -> u64) -> Option<usize> {
    if items.len() < 2 {
        return None;
    }
    let firsts = firsts(items, number);
    (0..items.len()).find(|at| firsts[*at] != *at)
}

/// For each item the first that it equals, itself or an earlier one.
#[inline(never)]
pub(crate) fn firsts(items: &[&[u8]], number: fn(&[u8]) -> u64) -> Vec<usize> {
    match look_up(items, number, 8 * items.len()) {
        Some(firsts) => firsts,
        // The file was built to be slow: its items share their numbers.
        None => look_up(items, hashed, usize::MAX).unwrap_or_default(),
    }
}

/// For each item its first position in a list.
#[cfg(feature = "tools")]
pub(crate) fn positions(items: &[&[u8]], list: &[&[u8]]) -> Vec<Option<usize>> {
    let firsts = firsts(&[list, items].concat(), start);
    let of_items = firsts.into_iter().skip(list.len());
    of_items
        .map(|first| (first < list.len()).then_some(first))
        .collect()
}

/// A hash table with open addressing that is at most half full, and never grows. None when it took too many steps.
#[inline(never)]
fn look_up(items: &[&[u8]], number: fn(&[u8]) -> u64, mut steps: usize) -> Option<Vec<usize>> {
    /// 2^64 divided by the golden ratio: spreads numbers that differ little.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mask = (2 * items.len()).next_power_of_two() - 1;
    // Positions, counted from 1.
    let mut table = vec![0_u32; mask + 1];
    let mut firsts = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let spread = number(item).wrapping_mul(SPREAD) >> 32;
        let mut slot = usize::try_from(spread).unwrap_or_default();
        let first = loop {
            slot &= mask;
            let Some(earlier) = table[slot].checked_sub(1) else {
                table[slot] = u32::try_from(at + 1).unwrap_or_default();
                break at;
            };
            let earlier = usize::try_from(earlier).unwrap_or_default();
            if items[earlier] == *item {
                break earlier;
            }
            slot += 1;
            // Comparing long items that differ at their ends is work as well.
            steps = steps.checked_sub(1 + item.len() / 64)?;
        };
        firsts.push(first);
    }
    Some(firsts)
}

fn hashed(item: &[u8]) -> u64 {
    number(&sha256(&[item]))
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
    first_duplicate(items, start).map(|at| items[at])
}

/// A hash of an item's length and first bytes (FNV-1a). Different items seldom share it, unless an attacker chose them.
pub(crate) fn start(item: &[u8]) -> u64 {
    const PRIME: u64 = 0x100_0000_01b3;
    let start = item.iter().take(12);
    start.fold(item.len() as u64, |number, byte| {
        (number ^ u64::from(*byte)).wrapping_mul(PRIME)
    })
}

#[inline]
fn same(one: &[u8], other: &[u8]) -> bool {
    // Comparing lengths and first bytes before calling anything else is most of the work saved.
    one.len() == other.len() && one[0] == other[0] && (one.len() == 1 || one == other)
}
