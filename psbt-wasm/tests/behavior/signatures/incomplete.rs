//! Fewer signatures than the script requires.

use super::*;

#[test]
fn one_of_two_signatures_is_incomplete() {
    let mut psbt = signed();
    for index in [MULTISIG, LEGACY_MULTISIG] {
        psbt.inputs[index].partial_sigs.remove(&own(12).public());
        let input = input(&psbt, index);
        assert_eq!(input.status, SignatureStatus::Incomplete);
        assert_eq!(input.reason, Some(Reason::MoreSignaturesNeeded));
        assert_eq!((input.signatures.len(), input.needed), (1, Some(2)));
        let signer = own(10).public().to_bytes();
        assert_eq!(input.signatures[0].key, Some(signer));
    }
    psbt.inputs[LEAF_MULTISIG].tap_script_sigs.pop_first();
    let input = input(&psbt, LEAF_MULTISIG);
    assert_eq!(input.status, SignatureStatus::Incomplete);
    assert_eq!(input.needed, Some(2));
}

#[test]
fn too_few_signatures_in_a_final_input_are_wrong() {
    let mut psbt = finalized();
    let one = signature(&signed(), MULTISIG, &own(10), 1);
    let elements = [vec![], one, two_of_three().into_bytes()];
    psbt.inputs[MULTISIG].final_script_witness = Some(Witness::from_slice(&elements));
    assert_eq!(input(&psbt, MULTISIG).status, SignatureStatus::Invalid);
}
