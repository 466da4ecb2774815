//! Signatures older than segregated witness, of several inputs of one transaction.

use bitcoin::sighash::EcdsaSighashType;
use bitcoin::{Psbt, ScriptBuf};
use psbt_wasm::SignatureStatus;

use crate::scene::{P2PKH, public, spending};
use crate::signing::ecdsa_signature_of_script;
use crate::statuses;

const TYPES: [EcdsaSighashType; 6] = [
    EcdsaSighashType::All,
    EcdsaSighashType::None,
    EcdsaSighashType::Single,
    EcdsaSighashType::AllPlusAnyoneCanPay,
    EcdsaSighashType::NonePlusAnyoneCanPay,
    EcdsaSighashType::SinglePlusAnyoneCanPay,
];

/// Two inputs for each type, among them so many that their count takes three bytes.
fn signed(count: usize) -> Psbt {
    let script = ScriptBuf::new_p2pkh(&public(P2PKH).pubkey_hash());
    let mut psbt = spending(vec![script.clone(); count], count);
    for index in 0..count {
        let sighash = TYPES[index / 2 % TYPES.len()];
        let signature = ecdsa_signature_of_script(&psbt, index, &script, P2PKH, sighash);
        psbt.inputs[index]
            .partial_sigs
            .insert(public(P2PKH), signature);
    }
    psbt
}

#[test]
fn older_signatures_of_every_type_are_valid_in_every_input() {
    for count in [12, 0xfd] {
        assert_eq!(
            statuses(&signed(count)),
            vec![SignatureStatus::Valid; count]
        );
    }
}

/// Types that leave other inputs open are still right without the last one.
#[test]
fn older_signatures_are_wrong_in_another_transaction() {
    let mut psbt = signed(12);
    psbt.unsigned_tx.input.pop();
    psbt.inputs.pop();
    let expected: Vec<SignatureStatus> = (0..11)
        .map(|index| {
            let open = matches!(index / 2, 3..=5);
            [SignatureStatus::Invalid, SignatureStatus::Valid][usize::from(open)]
        })
        .collect();
    assert_eq!(statuses(&psbt), expected);
}
