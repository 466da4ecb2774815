//! Signatures, keys, scripts and values that do not fit.

use super::*;

#[test]
fn another_transaction_makes_every_signature_wrong() {
    // A finalized script that cannot be read gives no verdict.
    for (mut psbt, unusual) in [
        (signed(), SignatureStatus::Invalid),
        (finalized(), SignatureStatus::Inconclusive),
    ] {
        psbt.unsigned_tx.output[0].value += Amount::ONE_SAT;
        let mut expected = [SignatureStatus::Invalid; COUNT];
        expected[UNUSUAL] = unusual;
        assert_eq!(statuses(&psbt), expected);
    }
}

/// Segwit signatures commit to the value, taproot's to all values.
#[test]
fn another_value_makes_signatures_wrong() {
    let mut psbt = signed();
    let utxo = psbt.inputs[P2WPKH].witness_utxo.as_mut().expect("stated");
    utxo.value += Amount::ONE_SAT;
    let statuses = statuses(&psbt);
    for index in [P2WPKH, KEY_PATH, LEAF, LEAF_MULTISIG] {
        assert_eq!(statuses[index], SignatureStatus::Invalid, "input {index}");
    }
    for index in [P2PKH, NESTED, MULTISIG, LEGACY_MULTISIG] {
        assert_eq!(statuses[index], SignatureStatus::Valid, "input {index}");
    }
}

#[test]
fn a_key_that_the_script_does_not_name_is_wrong() {
    let mut psbt = unsigned();
    for index in [P2WPKH, MULTISIG] {
        sign(&mut psbt, index, &own(15), 1);
        let input = input(&psbt, index);
        assert_eq!(input.status, SignatureStatus::Invalid);
        assert_eq!(input.reason, Some(Reason::WrongKey));
    }
}

#[test]
fn scripts_that_are_absent_or_other_ones_are_told() {
    let mut psbt = signed();
    psbt.inputs[MULTISIG].witness_script = None;
    assert_eq!(input(&psbt, MULTISIG).reason, Some(Reason::ScriptMissing));
    psbt.inputs[MULTISIG].witness_script = Some(unusual());
    let other = input(&psbt, MULTISIG);
    assert_eq!(other.status, SignatureStatus::Invalid);
    assert_eq!(other.reason, Some(Reason::WrongScript));
}

/// BIP-0341: 65 bytes that end in 0 are no signature of the type DEFAULT.
#[test]
fn a_taproot_signature_with_a_superfluous_byte_is_wrong() {
    let mut psbt = finalized();
    let mut signature = signature(&signed(), KEY_PATH, &own(KEY_PATH), 0);
    signature.push(0);
    psbt.inputs[KEY_PATH].final_script_witness = Some(Witness::from_slice(&[signature]));
    assert_eq!(input(&psbt, KEY_PATH).status, SignatureStatus::Invalid);
}

/// No change of a byte causes a panic or makes a wrong input right.
#[test]
fn no_damaged_byte_leaves_every_input_valid() {
    let bytes = finalized().serialize();
    for at in 5..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let Ok(binary) = decode(damaged) else {
            continue;
        };
        if let Ok(file) = binary.read(Keys::Form) {
            let report = check_signatures(&file).expect("checked");
            let valid = |input: &&InputSignatures| input.status == SignatureStatus::Valid;
            // A damaged redeem script of a nested input may go unnoticed, because nothing reads it again.
            let valid = report.inputs.iter().filter(valid).count();
            assert!(valid < COUNT, "byte {at}");
        }
    }
}

/// Signed for the type that the file asks for, and written as if it were DEFAULT.
#[test]
fn a_taproot_signature_without_the_byte_of_its_type_says_so() {
    for (index, signer) in [(KEY_PATH, KEY_PATH), (LEAF, LEAF)] {
        for asked in [1, 2, 0x81, 0x82] {
            let mut psbt = signed();
            psbt.inputs[index].sighash_type = Some(PsbtSighashType::from_u32(asked));
            sign(
                &mut psbt,
                index,
                &own(signer),
                u8::try_from(asked).expect("small"),
            );
            assert_eq!(input(&psbt, index).status, SignatureStatus::Valid);
            for signature in psbt.inputs[index].tap_script_sigs.values_mut() {
                signature.sighash_type = TapSighashType::Default;
            }
            if let Some(signature) = &mut psbt.inputs[index].tap_key_sig {
                signature.sighash_type = TapSighashType::Default;
            }
            let found = input(&psbt, index);
            assert_eq!(found.status, SignatureStatus::Invalid);
            assert_eq!(
                found.reason,
                Some(Reason::SighashByteMissing),
                "{index} {asked}"
            );
            // For another transaction.
            psbt.unsigned_tx.lock_time = LockTime::from_consensus(1);
            assert_eq!(input(&psbt, index).reason, Some(Reason::WrongSignature));
        }
    }
}
