//! Keys that a script says only the hash of.
//!
//! Where such a key is one of several and its owner has not signed, the finalizer must show the key itself
//! (`OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY` is run in any case). The only place where a PSBT has it is the field
//! about its origin. So the key stays, and its origin goes: no fingerprint, no path.

use bitcoin::bip32::KeySource;
use bitcoin::hashes::{Hash, hash160};
use bitcoin::psbt::Input;

use super::maps::Pair;

/// `PSBT_IN_BIP32_DERIVATION` (BIP-0174): the key in the key, fingerprint and path in the value.
const DERIVATION: u8 = 0x06;
/// `PSBT_IN_TAP_BIP32_DERIVATION` (BIP-0371): the same with a list of leaf hashes before it.
const TAP_DERIVATION: u8 = 0x16;

/// No fingerprint and no path.
const NO_ORIGIN: [u8; 4] = [0; 4];

/// The field about the origin of a key, with the key alone, when finalizing may need it.
pub(super) fn without_origin(pair: &Pair<'_>, input: &Input) -> Option<Vec<u8>> {
    let (field, key) = pair.key.split_first()?;
    let value: &[u8] = match *field {
        DERIVATION => &NO_ORIGIN,
        TAP_DERIVATION => &[0, 0, 0, 0, 0],
        _ => return None,
    };
    if !is_hashed(key, input) {
        return None;
    }
    // Keys are at most 65 bytes long, so each length is one byte.
    let key_length = u8::try_from(pair.key.len()).ok()?;
    let value_length = u8::try_from(value.len()).ok()?;
    Some([&[key_length], pair.key, &[value_length], value].concat())
}

/// Whether an origin says more than those that [`without_origin`] writes.
pub(super) fn is_origin(source: &KeySource) -> bool {
    source.0.as_bytes() != &NO_ORIGIN || !source.1.is_empty()
}

/// Whether an unfinished input has a script that pushes the hash of the key.
fn is_hashed(key: &[u8], input: &Input) -> bool {
    let final_script_sig = input.final_script_sig.as_ref();
    let final_witness = input.final_script_witness.as_ref();
    if final_script_sig.is_some_and(|script| !script.is_empty())
        || final_witness.is_some_and(|witness| !witness.is_empty())
    {
        return false;
    }
    let hash = hash160::Hash::hash(key).to_byte_array();
    let leaves = input.tap_scripts.values().map(|(leaf, _)| leaf);
    let scripts = input.redeem_script.iter().chain(&input.witness_script);
    scripts.chain(leaves).any(|script| {
        let mut pushes = script.instructions().map_while(Result::ok);
        pushes.any(|push| {
            push.push_bytes()
                .is_some_and(|bytes| bytes.as_bytes() == hash)
        })
    })
}
