//! Signatures older than segregated witness, of several inputs of one transaction.

use super::*;

/// Two inputs for each type, among them so many that their count takes three bytes.
fn signed(count: usize) -> Psbt {
    let mut psbt = coins(&vec![own(P2PKH).legacy(); count], count);
    for index in 0..count {
        let sighash = [1, 2, 3, 0x81, 0x82, 0x83][index / 2 % 6];
        sign(&mut psbt, index, &own(P2PKH), sighash);
    }
    psbt
}

#[test]
fn older_signatures_of_every_type_are_valid_in_every_input() {
    for count in [12, 0xfd] {
        let valid = vec![SignatureStatus::Valid; count];
        assert_eq!(statuses(&signed(count)), valid);
    }
}

/// Types that leave other inputs open are still right without the last one.
#[test]
fn older_signatures_are_wrong_in_another_transaction() {
    let mut psbt = signed(12);
    psbt.unsigned_tx.input.pop();
    psbt.inputs.pop();
    for (index, status) in statuses(&psbt).into_iter().enumerate() {
        let open = index / 2 >= 3;
        assert_eq!(status == SignatureStatus::Valid, open, "input {index}");
        assert_eq!(status == SignatureStatus::Invalid, !open, "input {index}");
    }
}
