//! What the key and the value of a field must be: what the `bitcoin` crate refuses is refused here.

use alloc::vec::Vec;

use super::cursor::{Cursor, LENGTH, Pair};
use super::der::{check_ecdsa, check_schnorr};
use super::duplicates::twice;
use super::fields::{Check, Field, Fields};
use super::keys::{KeyCheck, compressed};
use super::transaction::{MAX_VEC_BYTES, Tx, TxOut, walk_witness};
use crate::Fault;
use crate::hash::{hash160, ripemd160, sha256, sha256d};

const KEY: Fault = Fault::Invalid("field key");
const HASH: Fault = Fault::Invalid("hash");
const TAPROOT: Fault = Fault::Invalid("taproot field");

/// Lock times below this are block heights, others Unix times.
pub(crate) const LOCK_TIME_THRESHOLD: u32 = 500_000_000;

/// What looking at a field has told about its value.
#[derive(Debug)]
pub(crate) enum Value<'a> {
    /// Nothing that is not in its bytes.
    Bytes,
    Transaction(Tx<'a>),
    Output(TxOut<'a>),
    /// A number of things.
    Count(usize),
    SighashType(u32),
    /// Where a key is from: a fingerprint and a path.
    Origin(&'a [u8]),
}

/// Looks at the key and the value of a field. What most fields of large files need comes first: an engine compiles a function as a
/// whole, and long ones take it longer than the first file.
#[inline(never)]
pub(crate) fn check<'a>(
    field: &Field,
    pair: &Pair<'a>,
    keys: KeyCheck,
) -> Result<Value<'a>, Fault> {
    require(field.check.has_key_data() || pair.key.len() == 1, KEY)?;
    let (key, value) = (pair.key_data(), pair.value);
    match field.check {
        Check::Anything | Check::Bytes => Ok(Value::Bytes),
        Check::Output => whole(value, TxOut::read).map(Value::Output),
        Check::Derivation => {
            keys.check(key)?;
            origin(value).map(Value::Origin)
        }
        _ => check_rare(field.check, pair, keys),
    }
}

#[inline(never)]
fn check_rare<'a>(check: Check, pair: &Pair<'a>, keys: KeyCheck) -> Result<Value<'a>, Fault> {
    let (key, value) = (pair.key_data(), pair.value);
    match check {
        Check::Anything | Check::Bytes | Check::Output | Check::Derivation => Ok(()),
        Check::UnsignedTransaction => return unsigned(value).map(Value::Transaction),
        Check::Transaction => return Tx::read(value).map(Value::Transaction),
        Check::Witness => return whole(value, walk_witness).map(Value::Count),
        Check::SighashType => return pair.u32().map(Value::SighashType),
        Check::Exactly(bytes) => require(value.len() == usize::from(bytes), LENGTH),
        Check::Count => return count(value).map(Value::Count),
        // BIP-0370: "greater than or equal to 500000000".
        Check::LockTime => require(pair.u32()? >= LOCK_TIME_THRESHOLD, Fault::Invalid("time")),
        // BIP-0370: "greater than 0 and less than 500000000".
        Check::LockHeight => require(
            (1..LOCK_TIME_THRESHOLD).contains(&pair.u32()?),
            Fault::Invalid("height"),
        ),
        Check::PartialSignature => keys
            .check_signer(key)
            .and_then(|()| check_ecdsa(pair.value)),
        Check::ExtendedKey => return extended_key(key, value, keys).map(Value::Origin),
        Check::Ripemd160 => require(key == ripemd160(value), HASH),
        Check::Sha256 => require(key == sha256(&[value]), HASH),
        Check::Hash160 => require(key == hash160(value), HASH),
        Check::Hash256 => require(key == sha256d(&[value]), HASH),
        Check::TapKeySignature => check_schnorr(value),
        Check::TapScriptSignature => tap_script_signature(key, value, keys),
        Check::TapLeafScript => tap_leaf_script(key, value, keys),
        Check::TapDerivation => {
            keys.check_x(key)?;
            return tap_origin(value).map(Value::Origin);
        }
        Check::XOnlyKey => keys.check_x(value),
        Check::TapTree => tap_tree(value),
        Check::Proprietary => proprietary(key),
    }?;
    Ok(Value::Bytes)
}

pub(crate) fn require(holds: bool, fault: Fault) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(fault) }
}

/// What the `bitcoin` crate's buffers take of a single field.
#[inline]
pub(crate) fn check_size(pair: &Pair<'_>) -> Result<(), Fault> {
    // Almost always, and all that is needed to know that both parts are small.
    if pair.raw.len() <= MAX_VEC_BYTES {
        return Ok(());
    }
    let key_data = pair.key.len() - 1;
    let length_of_length = if pair.value.len() > 0xffff { 5 } else { 3 };
    if key_data > MAX_VEC_BYTES || pair.value.len() + length_of_length > MAX_VEC_BYTES {
        return Err(Fault::Truncated);
    }
    Ok(())
}

/// Reads all of a value.
fn whole<'a, T>(
    value: &'a [u8],
    read: impl Fn(&mut Cursor<'a>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let mut cursor = Cursor::new(value);
    let read = read(&mut cursor)?;
    require(cursor.remaining() == 0, LENGTH)?;
    Ok(read)
}

pub(crate) fn count(value: &[u8]) -> Result<usize, Fault> {
    let count = whole(value, Cursor::compact_size)?;
    usize::try_from(count).map_err(|_| Fault::Truncated)
}

fn unsigned(value: &[u8]) -> Result<Tx<'_>, Fault> {
    let tx = Tx::read_unsigned(value)?;
    let signed = tx.inputs().any(|input| !input.script_sig.is_empty());
    require(!signed, Fault::SignedTransaction)?;
    Ok(tx)
}

/// A fingerprint and a path.
#[inline]
fn origin(value: &[u8]) -> Result<&[u8], Fault> {
    if value.len() < 4 || value.len() % 4 != 0 {
        return Err(Fault::Truncated);
    }
    Ok(value)
}

/// The same after the hashes of the leaves that the key is in.
fn tap_origin(value: &[u8]) -> Result<&[u8], Fault> {
    let mut cursor = Cursor::new(value);
    let leaves = cursor.compact_size()?;
    let bytes = usize::try_from(leaves)
        .ok()
        .and_then(|leaves| leaves.checked_mul(32))
        .ok_or(Fault::Truncated)?;
    cursor.take(bytes)?;
    origin(cursor.rest())
}

fn tap_script_signature(key: &[u8], signature: &[u8], keys: KeyCheck) -> Result<(), Fault> {
    let (key, leaf) = key.split_at_checked(32).ok_or(Fault::Truncated)?;
    keys.check_x(key)?;
    require(leaf.len() == 32, HASH)?;
    check_schnorr(signature)
}

fn tap_leaf_script(control: &[u8], value: &[u8], keys: KeyCheck) -> Result<(), Fault> {
    let [version, key_and_branch @ ..] = control else {
        return Err(TAPROOT);
    };
    let length = key_and_branch.len();
    // BIP-0341: the internal key, then at most 128 hashes.
    require(
        length >= 32 && length % 32 == 0 && length <= 32 * 129,
        TAPROOT,
    )?;
    leaf_version(version & 0xfe)?;
    keys.check_x(&key_and_branch[..32])?;
    leaf_version(*value.last().ok_or(Fault::Truncated)?)
}

/// BIP-0341: even, and not the mark of an annex.
fn leaf_version(version: u8) -> Result<(), Fault> {
    require(version & 1 == 0 && version != 0x50, TAPROOT)
}

/// BIP-0371, `PSBT_OUT_TAP_TREE`: leaves with their depths, in the order of a depth-first walk.
fn tap_tree(value: &[u8]) -> Result<(), Fault> {
    let mut cursor = Cursor::new(value);
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
fn proprietary(key: &[u8]) -> Result<(), Fault> {
    let mut cursor = Cursor::new(key);
    cursor.bytes()?;
    cursor.take(1)?;
    require(cursor.remaining() <= 1024, KEY)
}

/// An extended public key (BIP-0032) and where it comes from. Its version may be any: BIP-0174 asks for one of BIP-0032's,
/// but wallets write those of SLIP-0132 as well (`zpub`, `Vpub`), and other readers take them.
fn extended_key<'a>(key: &[u8], value: &'a [u8], keys: KeyCheck) -> Result<&'a [u8], Fault> {
    const INVALID: Fault = Fault::Invalid("extended public key");
    let valid =
        key.len() == 78 && matches!(key[45], 2 | 3) && !value.is_empty() && value.len() % 4 == 0;
    require(valid, INVALID)?;
    keys.check(&key[45..])?;
    Ok(value)
}

/// Keys of a map that name one point in two ways, which the exact comparison of keys does not see.
#[derive(Debug, Default)]
pub(crate) struct Points {
    has_long: bool,
}

impl Points {
    /// Notes the key of a derivation. Nothing is kept of a map unless it has a key of 65 bytes.
    #[inline]
    pub(crate) fn note(&mut self, pair: &Pair<'_>) {
        self.has_long |= pair.key_data().len() != 33;
    }

    /// The derivation that a map has twice, if one of its keys was long.
    pub(crate) fn end_of_map(&mut self, map: &[u8], fields: &Fields) -> Option<&'static Field> {
        if !core::mem::take(&mut self.has_long) {
            return None;
        }
        let mut derivation = None;
        let mut points = Vec::new();
        let mut cursor = Cursor::new(map);
        // The map has been walked over, so there is no error that could end the loop early.
        while let Ok(Some(pair)) = cursor.next_pair() {
            let field = fields.lookup(&pair);
            if field.check == Check::Derivation {
                derivation = Some(field);
                points.push(compressed(pair.key_data()));
            }
        }
        let keys: Vec<&[u8]> = points.iter().map(|point| &point[..]).collect();
        derivation.filter(|_| twice(&keys).is_some())
    }
}
