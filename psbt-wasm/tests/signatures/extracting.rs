//! Final transactions of signed files.

use bitcoin::consensus::serialize;
use bitcoin::taproot::LeafVersion;
use bitcoin::{Psbt, ScriptBuf, TapNodeHash};
use psbt_wasm::{Error, MakeError, extract};

use crate::finalizing::finalized;
use crate::scene::*;
use crate::signing::signed;

/// All signed, and the input whose script nobody can count already final.
fn extractable() -> Psbt {
    let mut psbt = signed();
    psbt.inputs[UNUSUAL] = finalized().inputs[UNUSUAL].clone();
    psbt
}

fn expected() -> Vec<u8> {
    serialize(&finalized().extract_tx_unchecked_fee_rate())
}

#[test]
fn signed_inputs_are_finalized_as_their_scripts_demand() {
    assert_eq!(extract(&extractable().serialize()), Ok(expected()));
    assert_eq!(extract(&expected()), Ok(expected()));
}

#[test]
fn other_leaves_and_their_signatures_do_not_disturb() {
    let mut psbt = extractable();
    let (leaf, multisig) = (
        psbt.inputs[LEAF].clone(),
        psbt.inputs[LEAF_MULTISIG].clone(),
    );
    psbt.inputs[LEAF]
        .tap_script_sigs
        .extend(multisig.tap_script_sigs);
    let mut other = leaf.tap_scripts.keys().next().expect("a leaf").clone();
    let branch = vec![
        TapNodeHash::assume_hidden([7; 32]),
        TapNodeHash::assume_hidden([8; 32]),
    ];
    other.merkle_branch = branch.try_into().expect("short");
    let unsigned = (ScriptBuf::from(vec![0x51]), LeafVersion::TapScript);
    psbt.inputs[LEAF].tap_scripts.insert(other, unsigned);
    assert_eq!(psbt.inputs[LEAF].tap_scripts.len(), 2);
    assert_eq!(extract(&psbt.serialize()), Ok(expected()));
}

#[test]
fn an_input_without_enough_signatures_is_named() {
    for index in [P2PKH, MULTISIG, KEY_PATH, LEAF, LEAF_MULTISIG] {
        let mut psbt = extractable();
        psbt.inputs[index].partial_sigs.pop_last();
        psbt.inputs[index].tap_script_sigs.pop_last();
        psbt.inputs[index].tap_key_sig = None;
        let error = Error::from(MakeError::NotSigned { input: index });
        assert_eq!(extract(&psbt.serialize()), Err(error), "input {index}");
    }
}
