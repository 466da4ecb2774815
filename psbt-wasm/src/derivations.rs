//! Where the keys of a file are from, as the file says.

use alloc::vec::Vec;

use crate::error::Map;
use crate::read::cursor::{Cursor, Pair};
use crate::read::fields::Check;
use crate::{Error, Keys, decode};

/// The most that are listed.
const MAX_DERIVATIONS: usize = 100_000;

/// The depth of an extended key is one byte (BIP-0032).
const MAX_STEPS: usize = 255;

/// A key and where it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Derivation {
    /// The key: 33 or 65 bytes, 32 in taproot, 78 bytes of an extended key.
    pub key: Vec<u8>,
    /// The fingerprint of the master key.
    pub fingerprint: [u8; 4],
    /// The path from the master key; hardened steps have the highest bit.
    pub path: Vec<u32>,
    /// The hashes of the leaves that the key is in (BIP-0371).
    pub leaf_hashes: Vec<[u8; 32]>,
}

/// All derivations of a file. Nothing of it is checked: a file can name any fingerprint and any path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyDerivations {
    /// The extended public keys.
    pub accounts: Vec<Derivation>,
    /// The derivations of each input.
    pub inputs: Vec<Vec<Derivation>>,
    /// The derivations of each output.
    pub outputs: Vec<Vec<Derivation>>,
    /// Whether there are more than 100,000; others are not listed.
    pub is_cut: bool,
}

/// Lists where the keys of a file are from. Paths of more than 255 steps, which no key has, are left out.
///
/// # Errors
///
/// Those of [`decode`] and of [`Binary::read_in_progress`](crate::Binary::read_in_progress).
pub fn derivations(bytes: &[u8]) -> Result<KeyDerivations, Error> {
    let binary = decode(bytes)?;
    let file = binary.read_in_progress(Keys::Form)?;
    let tx = file.transaction()?;
    let mut walk = Walk {
        cursor: Cursor::new(file.psbt.as_ref().map_or(&[], |psbt| psbt.maps)),
        left: MAX_DERIVATIONS,
        is_cut: false,
    };
    Ok(KeyDerivations {
        accounts: walk.map(Map::Global),
        inputs: (0..tx.input_count)
            .map(|index| walk.map(Map::Input(index)))
            .collect(),
        outputs: (0..tx.output_count)
            .map(|index| walk.map(Map::Output(index)))
            .collect(),
        is_cut: walk.is_cut,
    })
}

struct Walk<'a> {
    cursor: Cursor<'a>,
    left: usize,
    is_cut: bool,
}

impl Walk<'_> {
    /// Those of the next map. The maps have been walked over, so no error ends the loop early.
    fn map(&mut self, map: Map) -> Vec<Derivation> {
        let mut found = Vec::new();
        while let Ok(Some(pair)) = self.cursor.next_pair() {
            if let Some(derivation) = derivation(map.fields().lookup(&pair).check, &pair) {
                self.is_cut |= self.left == 0;
                if self.left > 0 {
                    self.left -= 1;
                    found.push(derivation);
                }
            }
        }
        found
    }
}

fn derivation(check: Check, pair: &Pair<'_>) -> Option<Derivation> {
    let mut cursor = Cursor::new(pair.value);
    let mut leaf_hashes = Vec::new();
    match check {
        Check::Derivation | Check::ExtendedKey => {}
        Check::TapDerivation => {
            for _ in 0..cursor.compact_size().ok()? {
                leaf_hashes.push(*cursor.array().ok()?);
            }
        }
        _ => return None,
    }
    let fingerprint = *cursor.array().ok()?;
    let steps = cursor.rest().chunks_exact(4);
    if steps.len() > MAX_STEPS {
        return None;
    }
    let step = |bytes: &[u8]| Some(u32::from_le_bytes(*bytes.first_chunk()?));
    Some(Derivation {
        key: pair.key_data().to_vec(),
        fingerprint,
        path: steps.filter_map(step).collect(),
        leaf_hashes,
    })
}
