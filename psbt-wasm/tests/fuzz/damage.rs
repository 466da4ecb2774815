//! Ways to damage a file.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// One change of a file.
#[derive(Debug, Clone)]
pub(crate) enum Damage {
    Flip {
        at: Index,
        bit: u8,
    },
    Set {
        at: Index,
        value: u8,
    },
    Insert {
        at: Index,
        bytes: Vec<u8>,
    },
    Remove {
        at: Index,
        length: usize,
    },
    Repeat {
        from: Index,
        length: usize,
        to: Index,
    },
    Cut {
        at: Index,
    },
    Splice {
        at: Index,
        from: Index,
    },
}

/// Bytes that mean something: lengths, counts, key types and their neighbors.
fn telling() -> impl Strategy<Value = u8> {
    prop_oneof![
        prop::sample::select(&[
            0u8, 1, 2, 3, 4, 0x20, 0x21, 0x40, 0x41, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff
        ]),
        any::<u8>(),
    ]
}

pub(crate) fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>;
    prop_oneof![
        3 => (index(), 0..8u8).prop_map(|(at, bit)| Damage::Flip { at, bit }),
        3 => (index(), telling()).prop_map(|(at, value)| Damage::Set { at, value }),
        1 => (index(), vec(telling(), 1..40)).prop_map(|(at, bytes)| Damage::Insert { at, bytes }),
        1 => (index(), 1..40usize).prop_map(|(at, length)| Damage::Remove { at, length }),
        1 => (index(), 1..120usize, index())
            .prop_map(|(from, length, to)| Damage::Repeat { from, length, to }),
        1 => index().prop_map(|at| Damage::Cut { at }),
        1 => (index(), index()).prop_map(|(at, from)| Damage::Splice { at, from }),
    ]
}

/// Applies a change; `other` is a second file, for a splice.
pub(crate) fn apply(damage: &Damage, file: &mut Vec<u8>, other: &[u8]) {
    // The last place is the end of the file, where bytes can be inserted.
    let place = |at: &Index, length: usize| at.index(length + 1);
    let length = file.len();
    match damage {
        Damage::Flip { at, bit } => {
            if let Some(byte) = file.get_mut(place(at, length)) {
                *byte ^= 1 << bit;
            }
        }
        Damage::Set { at, value } => {
            if let Some(byte) = file.get_mut(place(at, length)) {
                *byte = *value;
            }
        }
        Damage::Insert { at, bytes } => {
            let at = place(at, length);
            file.splice(at..at, bytes.iter().copied());
        }
        Damage::Remove { at, length: many } => {
            let at = place(at, length);
            file.drain(at..length.min(at + many));
        }
        Damage::Repeat {
            from,
            length: many,
            to,
        } => {
            let (from, to) = (place(from, length), place(to, length));
            let copy = file[from..length.min(from + many)].to_vec();
            file.splice(to..to, copy);
        }
        Damage::Cut { at } => file.truncate(place(at, length)),
        Damage::Splice { at, from } => {
            file.truncate(place(at, length));
            file.extend_from_slice(&other[place(from, other.len())..]);
        }
    }
}
