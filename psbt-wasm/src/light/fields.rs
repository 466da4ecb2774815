//! The fields of BIP-0174 and BIP-0371, one by one: what the `bitcoin` crate refuses is refused here.

use alloc::vec::Vec;

use super::duplicates::are_unique;
use super::hash::{hash160, ripemd160, sha256, sha256d};
use super::keys::{Keys, check_ecdsa, check_schnorr, compressed};
use super::transaction::{MAX_VEC_BYTES, Tx, TxOut, walk_witness};
use crate::Malformed;
use crate::cursor::{Cursor, Pair};

/// `PSBT_*_PROPRIETARY`.
pub(super) const PROPRIETARY: u8 = 0xfc;

const INVALID_KEY: Malformed = Malformed::InvalidField("field key");

/// What the `bitcoin` crate's buffers take of a single field.
#[inline]
pub(super) fn check_size(pair: &Pair<'_>) -> Result<(), Malformed> {
    // Almost always, and all that is needed to know that both parts are small.
    if pair.raw.len() <= MAX_VEC_BYTES {
        return Ok(());
    }
    let key_data = pair.key.len() - 1;
    let length_of_length = if pair.value.len() > 0xffff { 5 } else { 3 };
    if key_data > MAX_VEC_BYTES || pair.value.len() + length_of_length > MAX_VEC_BYTES {
        return Err(Malformed::Truncated);
    }
    Ok(())
}

/// For fields whose key is the type alone.
pub(super) fn bare(pair: &Pair<'_>) -> Result<(), Malformed> {
    require(pair.key.len() == 1, INVALID_KEY)
}

pub(super) fn require(holds: bool, error: Malformed) -> Result<(), Malformed> {
    if holds { Ok(()) } else { Err(error) }
}

/// A whole transaction.
pub(super) fn transaction<'a>(pair: &Pair<'a>) -> Result<Tx<'a>, Malformed> {
    bare(pair)?;
    Tx::read(pair.value)
}

/// An output.
pub(super) fn output<'a>(pair: &Pair<'a>) -> Result<TxOut<'a>, Malformed> {
    bare(pair)?;
    let mut cursor = Cursor::new(pair.value);
    let output = TxOut::read(&mut cursor)?;
    require(
        cursor.remaining() == 0,
        Malformed::InvalidField("field length"),
    )?;
    Ok(output)
}

/// A witness; how many elements it has.
pub(super) fn witness(pair: &Pair<'_>) -> Result<usize, Malformed> {
    bare(pair)?;
    let mut cursor = Cursor::new(pair.value);
    let elements = walk_witness(&mut cursor)?;
    require(
        cursor.remaining() == 0,
        Malformed::InvalidField("field length"),
    )?;
    Ok(elements)
}

/// A key and the signature made with it.
pub(super) fn partial_signature(pair: &Pair<'_>, keys: Keys) -> Result<(), Malformed> {
    keys.check_signer(pair.key_data())?;
    check_ecdsa(pair.value)
}

/// A fingerprint and a path; whether they say anything.
#[inline]
pub(super) fn origin(value: &[u8]) -> Result<bool, Malformed> {
    if value.len() < 4 || !value.len().is_multiple_of(4) {
        return Err(Malformed::Truncated);
    }
    Ok(value.len() > 4 || value != [0; 4])
}

/// A key and where it comes from; whether that says anything.
#[inline]
pub(super) fn derivation(pair: &Pair<'_>, keys: Keys) -> Result<bool, Malformed> {
    keys.check(pair.key_data())?;
    origin(pair.value)
}

/// The same for an x-only key, with the hashes of the leaves that it is in.
pub(super) fn tap_derivation(pair: &Pair<'_>, keys: Keys) -> Result<bool, Malformed> {
    keys.check_x(pair.key_data())?;
    let mut cursor = Cursor::new(pair.value);
    let leaves = cursor.compact_size()?;
    let bytes = usize::try_from(leaves)
        .ok()
        .and_then(|leaves| leaves.checked_mul(32))
        .ok_or(Malformed::Truncated)?;
    cursor.take(bytes)?;
    origin(cursor.rest())
}

/// A hash and what it is the hash of, for the four kinds 0x0a to 0x0d.
pub(super) fn preimage(pair: &Pair<'_>) -> Result<(), Malformed> {
    let (key, value) = (pair.key_data(), pair.value);
    let matches = match pair.field() {
        0x0a => key == ripemd160(value),
        0x0b => key == sha256(&[value]),
        0x0c => key == hash160(value),
        _ => key == sha256d(&[value]),
    };
    require(matches, Malformed::InvalidField("hash or preimage"))
}

pub(super) fn tap_key_signature(pair: &Pair<'_>) -> Result<(), Malformed> {
    bare(pair)?;
    check_schnorr(pair.value)
}

pub(super) fn tap_script_signature(pair: &Pair<'_>, keys: Keys) -> Result<(), Malformed> {
    let (key, leaf) = pair
        .key_data()
        .split_at_checked(32)
        .ok_or(Malformed::Truncated)?;
    keys.check_x(key)?;
    require(
        leaf.len() == 32,
        Malformed::InvalidField("hash or preimage"),
    )?;
    check_schnorr(pair.value)
}

const TAPROOT: Malformed = Malformed::InvalidField("taproot field");

pub(super) fn tap_leaf_script(pair: &Pair<'_>, keys: Keys) -> Result<(), Malformed> {
    let [version, key_and_branch @ ..] = pair.key_data() else {
        return Err(TAPROOT);
    };
    let length = key_and_branch.len();
    // BIP-0341: the internal key, then at most 128 hashes.
    require(
        length >= 32 && length.is_multiple_of(32) && length <= 32 * 129,
        TAPROOT,
    )?;
    leaf_version(version & 0xfe)?;
    keys.check_x(&key_and_branch[..32])?;
    leaf_version(*pair.value.last().ok_or(Malformed::Truncated)?)
}

/// BIP-0341: even, and not the mark of an annex.
fn leaf_version(version: u8) -> Result<(), Malformed> {
    require(version & 1 == 0 && version != 0x50, TAPROOT)
}

pub(super) fn x_only_key(pair: &Pair<'_>, keys: Keys) -> Result<(), Malformed> {
    bare(pair)?;
    keys.check_x(pair.value)
}

pub(super) fn merkle_root(pair: &Pair<'_>) -> Result<(), Malformed> {
    bare(pair)?;
    require(
        pair.value.len() == 32,
        Malformed::InvalidField("hash or preimage"),
    )
}

/// BIP-0371, `PSBT_OUT_TAP_TREE`: leaves with their depths, in the order of a depth-first walk.
pub(super) fn tap_tree(pair: &Pair<'_>) -> Result<(), Malformed> {
    bare(pair)?;
    let mut cursor = Cursor::new(pair.value);
    // For each depth, whether a finished left half waits there for its right half; the deepest is last.
    let mut waiting: Vec<bool> = Vec::new();
    while cursor.remaining() > 0 {
        let [depth] = *cursor.array()?;
        let [version] = *cursor.array()?;
        cursor.bytes()?;
        leaf_version(version)?;
        let mut depth = usize::from(depth);
        require(depth <= 128 && depth + 1 >= waiting.len(), TAPROOT)?;
        // Two halves of one depth are a node one above.
        while waiting.len() == depth + 1 && waiting[depth] {
            waiting.pop();
            depth = depth.checked_sub(1).ok_or(TAPROOT)?;
        }
        waiting.resize(depth + 1, false);
        waiting[depth] = true;
    }
    require(waiting.len() == 1, TAPROOT)
}

/// A vendor's prefix, a subtype and at most 1,024 bytes.
pub(super) fn proprietary(pair: &Pair<'_>) -> Result<(), Malformed> {
    let mut cursor = Cursor::new(pair.key_data());
    cursor.bytes()?;
    cursor.take(1)?;
    require(cursor.remaining() <= 1024, INVALID_KEY)
}

/// An extended public key (BIP-0032) and where it comes from.
pub(super) fn extended_key(pair: &Pair<'_>, keys: Keys) -> Result<(), Malformed> {
    const INVALID: Malformed = Malformed::InvalidField("extended public key");
    const MAINNET: [u8; 4] = [0x04, 0x88, 0xb2, 0x1e];
    const TESTNETS: [u8; 4] = [0x04, 0x35, 0x87, 0xcf];
    let key = pair.key_data();
    let valid = key.len() == 78
        && (key.starts_with(&MAINNET) || key.starts_with(&TESTNETS))
        && matches!(key[45], 2 | 3)
        && !pair.value.is_empty()
        && pair.value.len().is_multiple_of(4);
    require(valid, INVALID)?;
    keys.check(&key[45..])
}

/// Keys of a map that name one point in two ways, which the exact comparison of keys does not see.
#[derive(Debug, Default)]
pub(super) struct Points {
    has_long: bool,
}

impl Points {
    /// Notes the key of a derivation. Nothing is kept of a map unless it has a key of 65 bytes.
    #[inline]
    pub(super) fn has_long_key(&mut self, pair: &Pair<'_>) {
        self.has_long |= pair.key_data().len() != 33;
    }

    /// Compares the keys of the derivations of a map again, if one of them was long.
    pub(super) fn end_of_map(&mut self, map: &[u8], derivation: u8) -> Result<(), Malformed> {
        if !core::mem::take(&mut self.has_long) {
            return Ok(());
        }
        let mut points = Vec::new();
        let mut cursor = Cursor::new(map);
        while let Some(pair) = cursor.next_pair()? {
            if pair.field() == derivation {
                points.push(compressed(pair.key_data()));
            }
        }
        let keys: Vec<&[u8]> = points.iter().map(|point| &point[..]).collect();
        require(are_unique(&keys), Malformed::DuplicateField)
    }
}
