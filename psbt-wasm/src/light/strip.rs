//! The minimal file that verification needs: a list of what is kept, not of what is dropped.

use alloc::vec::Vec;

use super::hash::hash160;
use super::psbt::{
    DERIVATION, Input, Psbt, SIGNED_MESSAGE, TAP_DERIVATION, is_input_field, is_kept_previous,
    push_count,
};
use crate::Signatures;
use crate::cursor::{Cursor, Pair};
use crate::facts::MAGIC;

/// `PSBT_IN_NON_WITNESS_UTXO`, the previous transaction.
const PREVIOUS_TRANSACTION: u8 = 0x00;

/// Kept of an input (BIP-0174, BIP-0371): see the list of the same name in the other reader's `strip.rs`.
fn is_kept(field: u8) -> bool {
    matches!(field, 0x01..=0x05 | 0x07..=0x0d | 0x13..=0x15 | 0x17 | 0x18)
}

pub(super) fn strip(psbt: &Psbt<'_>) -> Vec<u8> {
    let mut minimal = MAGIC.to_vec();
    let mut cursor = Cursor::new(psbt.maps);
    if psbt.version == 2 {
        minimal.extend([1, 0]);
        push_count(&mut minimal, psbt.unsigned.len());
        minimal.extend(&*psbt.unsigned);
    }
    // `read` has walked over these maps, so there is no error that could end the loops early.
    while let Ok(Some(pair)) = cursor.next_pair() {
        if matches!(pair.field(), 0x00 | SIGNED_MESSAGE) {
            minimal.extend(pair.raw);
        }
    }
    minimal.push(0);
    for input in &psbt.inputs {
        strip_input(psbt, input, &mut minimal);
        minimal.push(0);
    }
    // Every output has a map, and nothing in it.
    minimal.resize(minimal.len() + psbt.output_count, 0);
    minimal
}

fn strip_input(psbt: &Psbt<'_>, input: &Input<'_>, minimal: &mut Vec<u8>) {
    let previous = input.previous.and_then(|at| psbt.previous.get(at));
    let keeps_previous = previous.is_some_and(is_kept_previous);
    let mut cursor = Cursor::new(input.map);
    while let Ok(Some(pair)) = cursor.next_pair() {
        let field = pair.field();
        if psbt.version == 2 && is_input_field(field) {
            continue;
        }
        if is_kept(field) || field == PREVIOUS_TRANSACTION && keeps_previous {
            minimal.extend(pair.raw);
        } else {
            without_origin(&pair, input, minimal);
        }
    }
}

/// Keys that a script says only the hash of: where such a key is one of several and its owner has not signed,
/// the finaliser must show the key itself, and a PSBT has it only in the field about its origin. So the key stays
/// and the origin goes.
fn without_origin(pair: &Pair<'_>, input: &Input<'_>, minimal: &mut Vec<u8>) {
    let value: &[u8] = match pair.field() {
        DERIVATION => &[0; 4],
        TAP_DERIVATION => &[0; 5],
        _ => return,
    };
    if !is_hashed(pair.key_data(), input) {
        return;
    }
    push_count(minimal, pair.key.len());
    minimal.extend(pair.key);
    push_count(minimal, value.len());
    minimal.extend(value);
}

/// Whether an unfinished input has a script that contains the hash of the key.
fn is_hashed(key: &[u8], input: &Input<'_>) -> bool {
    if input.signatures() == Signatures::Final {
        return false;
    }
    let mut hash = None;
    let mut cursor = Cursor::new(input.map);
    while let Ok(Some(pair)) = cursor.next_pair() {
        let script = match (pair.field(), pair.value) {
            // The redeem script and the witness script.
            (0x04 | 0x05, script) => script,
            // A leaf, and its version.
            (0x15, [leaf @ .., _]) => leaf,
            _ => continue,
        };
        let hash = hash.get_or_insert_with(|| hash160(key));
        if script.windows(hash.len()).any(|place| place == hash) {
            return true;
        }
    }
    false
}
