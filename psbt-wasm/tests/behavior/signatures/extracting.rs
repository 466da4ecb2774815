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

#[test]
fn a_transaction_that_is_not_signed_by_all_inputs_is_none() {
    let whole = finalized().extract_tx_unchecked_fee_rate();
    for index in 0..COUNT {
        let mut half = whole.clone();
        half.input[index].script_sig = ScriptBuf::new();
        half.input[index].witness = Witness::new();
        let error = Error::from(MakeError::NotSigned { input: index });
        assert_eq!(extract(&serialize(&half)), Err(error), "input {index}");
    }
    let unsigned = serialize(&unsigned().unsigned_tx);
    let hex = unsigned.to_lower_hex_string();
    for bytes in [&unsigned, hex.as_bytes()] {
        assert_eq!(
            extract(bytes),
            Err(MakeError::NotSigned { input: 0 }.into())
        );
    }
}

/// BIP-174: "Finalizers must fail to finalize inputs which have signatures that do not match the specified sighash type".
#[test]
fn signatures_of_another_type_than_asked_for_are_not_finalized() {
    for index in 0..UNUSUAL {
        for (asked, named) in [
            (0_u32, false),
            (1, true),
            (2, false),
            (3, false),
            (0x81, false),
            (0x101, false),
        ] {
            let mut psbt = extractable();
            psbt.inputs[index].sighash_type = Some(PsbtSighashType::from_u32(asked));
            let is_taproot = matches!(index, KEY_PATH | LEAF | LEAF_MULTISIG);
            let expected = match is_taproot {
                true if asked != 0 => Err(MakeError::SighashByteMissing { input: index }.into()),
                false if !named => Err(MakeError::SighashMismatch { input: index }.into()),
                _ => Ok(expected()),
            };
            assert_eq!(
                extract(&psbt.serialize()),
                expected,
                "input {index}, type {asked:#x}"
            );
        }
    }
    let mut other = extractable();
    other.inputs[KEY_PATH].sighash_type = Some(PsbtSighashType::from_u32(1));
    sign(&mut other, KEY_PATH, &own(KEY_PATH), 2);
    let error = Error::from(MakeError::SighashMismatch { input: KEY_PATH });
    assert_eq!(extract(&other.serialize()), Err(error));
}
