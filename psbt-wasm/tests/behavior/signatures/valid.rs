//! Valid signatures, missing ones, and inputs that cannot be judged.

use super::*;

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
        let input = &report.inputs[index];
        assert_eq!(input.reason, Some(Reason::UnknownUtxo), "input {index}");
        assert_eq!(input.status, SignatureStatus::Inconclusive);
    }
    assert_eq!(report.inputs[P2WPKH].status, SignatureStatus::Valid);
}

#[test]
fn a_final_transaction_does_not_state_what_it_spends() {
    let transaction = finalized().extract_tx_unchecked_fee_rate();
    let binary = decode(serialize(&transaction)).expect("a transaction");
    let report = check_signatures(&binary.read(Keys::Form).expect("well-formed")).expect("checked");
    for input in report.inputs {
        assert_eq!(input.reason, Some(Reason::UnknownUtxo));
    }
}

#[test]
fn signatures_that_leave_parts_open_are_told() {
    let mut psbt = signed();
    assert!(!check(&psbt).is_complete(), "one input is inconclusive");
    for (index, sighash) in [(P2PKH, 0x83), (KEY_PATH, 2)] {
        sign(&mut psbt, index, &own(index), sighash);
        let input = input(&psbt, index);
        assert_eq!(input.status, SignatureStatus::Valid);
        assert_eq!(input.signatures[0].sighash, sighash);
        assert!(!input.signatures[0].commits_to_all());
    }
}
