//! Signatures that fit, missing ones, and what is not known.

use bitcoin::sighash::{EcdsaSighashType, TapSighashType};
use psbt_wasm::{Keys, Reason, SignatureStatus, check_signatures, decode};

use crate::finalizing::finalized;
use crate::scene::*;
use crate::signing::*;
use crate::{check, input, statuses};

/// All valid, and the input whose script nobody can count.
fn all_valid() -> Vec<SignatureStatus> {
    let mut statuses = vec![SignatureStatus::Valid; COUNT];
    statuses[UNUSUAL] = SignatureStatus::Inconclusive;
    statuses
}

#[test]
fn signed_inputs_are_valid_before_and_after_finalizing() {
    assert_eq!(statuses(&signed()), all_valid());
    assert_eq!(statuses(&finalized()), all_valid());
    let unusual = input(&signed(), UNUSUAL);
    assert_eq!(unusual.reason, Some(Reason::UnknownScript));
    assert_eq!(unusual.signatures[0].valid, Some(true));
    assert_eq!(input(&finalized(), UNUSUAL).signatures.len(), 1);
}

#[test]
fn inputs_without_signatures_are_missing_them() {
    assert_eq!(statuses(&unsigned()), vec![SignatureStatus::Missing; COUNT]);
    assert_eq!(input(&unsigned(), P2WPKH).reason, Some(Reason::NoSignature));
}

#[test]
fn what_is_spent_must_be_stated() {
    let mut psbt = signed();
    psbt.inputs[P2PKH].witness_utxo = None;
    let report = check(&psbt);
    // Taproot signatures commit to what every input spends.
    for index in [P2PKH, KEY_PATH, LEAF, LEAF_MULTISIG] {
        assert_eq!(
            report.inputs[index].reason,
            Some(Reason::UnknownUtxo),
            "input {index}"
        );
        assert_eq!(report.inputs[index].status, SignatureStatus::Inconclusive);
    }
    assert_eq!(report.inputs[P2WPKH].status, SignatureStatus::Valid);
}

#[test]
fn a_final_transaction_does_not_state_what_it_spends() {
    let psbt = finalized();
    let transaction = psbt.extract_tx_unchecked_fee_rate();
    let bytes = bitcoin::consensus::encode::serialize(&transaction);
    let binary = decode(bytes).expect("a transaction");
    let report = check_signatures(&binary.read(Keys::Form).expect("well-formed")).expect("checked");
    for input in report.inputs {
        assert_eq!(input.reason, Some(Reason::UnknownUtxo));
    }
}

#[test]
fn signatures_that_leave_parts_open_are_told() {
    let mut psbt = signed();
    assert!(!check(&psbt).is_complete(), "one input is inconclusive");
    let open = EcdsaSighashType::SinglePlusAnyoneCanPay;
    let signature = ecdsa_signature(&psbt, P2PKH, P2PKH, open);
    psbt.inputs[P2PKH]
        .partial_sigs
        .insert(public(P2PKH), signature);
    let signature = schnorr_signature(&psbt, KEY_PATH, KEY_PATH, TapSighashType::None);
    psbt.inputs[KEY_PATH].tap_key_sig = Some(signature);
    for (index, sighash) in [(P2PKH, 0x83), (KEY_PATH, 2)] {
        let input = input(&psbt, index);
        assert_eq!(input.status, SignatureStatus::Valid);
        assert_eq!(input.signatures[0].sighash, sighash);
        assert!(!input.signatures[0].commits_to_all());
    }
}
