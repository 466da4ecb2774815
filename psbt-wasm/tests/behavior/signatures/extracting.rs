//! Final transactions of signed files.

use super::*;

/// All signed, and the input whose script nobody can count already final.
fn extractable() -> Psbt {
    let mut psbt = signed();
    finish(&mut psbt.inputs[UNUSUAL]);
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
    let others = psbt.inputs[LEAF_MULTISIG].tap_script_sigs.clone();
    let input = &mut psbt.inputs[LEAF];
    input.tap_script_sigs.extend(others);
    let mut other = input.tap_scripts.keys().next().expect("a leaf").clone();
    let branch = [7, 8].map(|number| TapNodeHash::assume_hidden([number; 32]));
    other.merkle_branch = branch.to_vec().try_into().expect("short");
    let unsigned = (ScriptBuf::from(vec![0x51]), LeafVersion::TapScript);
    input.tap_scripts.insert(other, unsigned);
    assert_eq!(input.tap_scripts.len(), 2);
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
