//! The witness of a Taproot input (BIP-0341) from the signatures in a file (BIP-0371).

use std::collections::BTreeMap;

use bitcoin::hashes::{Hash, hash160};
use bitcoin::key::XOnlyPublicKey;
use bitcoin::psbt::Input;
use bitcoin::taproot::LeafVersion;
use bitcoin::{Script, Witness};
use miniscript::psbt::PsbtInputSatisfier;
use miniscript::{Miniscript, Tap};

/// A key spend if there is a signature for it, else the script spend with the smallest
/// witness; none when no leaf has enough signatures.
pub(super) fn satisfy(fields: &Input, satisfier: &PsbtInputSatisfier<'_>) -> Option<Witness> {
    if let Some(signature) = &fields.tap_key_sig {
        return Some(Witness::p2tr_key_spend(signature));
    }
    let keys = keys(fields);
    let leaves = fields.tap_scripts.iter();
    leaves
        .filter(|(_, (_, version))| *version == LeafVersion::TapScript)
        .filter_map(|(control_block, (leaf, _))| {
            let mut witness = satisfy_leaf(leaf, &keys, satisfier)?;
            witness.push(leaf.to_bytes());
            witness.push(control_block.serialize());
            Some(Witness::from_slice(&witness))
        })
        .min_by_key(Witness::size)
}

fn satisfy_leaf(
    leaf: &Script,
    keys: &BTreeMap<hash160::Hash, XOnlyPublicKey>,
    satisfier: &PsbtInputSatisfier<'_>,
) -> Option<Vec<Vec<u8>>> {
    let leaf = Miniscript::<XOnlyPublicKey, Tap>::decode_consensus(leaf).ok()?;
    let leaf = leaf.substitute_raw_pkh(keys);
    // This transaction is never broadcast, so a malleable witness does no harm.
    leaf.satisfy(satisfier)
        .or_else(|_| leaf.satisfy_malleable(satisfier))
        .ok()
}

/// Keys by their hashes, for scripts that contain only the hash.
fn keys(fields: &Input) -> BTreeMap<hash160::Hash, XOnlyPublicKey> {
    let derived = fields.tap_key_origins.keys();
    let signers = fields.tap_script_sigs.keys().map(|(key, _)| key);
    derived
        .chain(signers)
        .map(|key| (hash160::Hash::hash(&key.serialize()), *key))
        .collect()
}
