//! Fewer signatures than the script wants.

use bitcoin::Witness;
use psbt_wasm::{Reason, SignatureStatus};

use crate::finalizing::finalized;
use crate::input;
use crate::scene::*;
use crate::signing::signed;

#[test]
fn one_of_two_signatures_is_incomplete() {
    let mut psbt = signed();
    for index in [MULTISIG, LEGACY_MULTISIG] {
        psbt.inputs[index].partial_sigs.remove(&public(12));
        let input = input(&psbt, index);
        assert_eq!(input.status, SignatureStatus::Incomplete);
        assert_eq!(input.reason, Some(Reason::MoreSignaturesNeeded));
        assert_eq!((input.signatures.len(), input.needed), (1, Some(2)));
        assert_eq!(input.signatures[0].key, Some(public(10).to_bytes()));
    }
    psbt.inputs[LEAF_MULTISIG].tap_script_sigs.pop_first();
    let input = input(&psbt, LEAF_MULTISIG);
    assert_eq!(input.status, SignatureStatus::Incomplete);
    assert_eq!(input.needed, Some(2));
}

#[test]
fn too_few_signatures_in_a_final_input_are_wrong() {
    let mut psbt = finalized();
    let elements: Vec<Vec<u8>> = [vec![]]
        .into_iter()
        .chain([signed().inputs[MULTISIG].partial_sigs[&public(10)].to_vec()])
        .chain([multisig().into_bytes()])
        .collect();
    psbt.inputs[MULTISIG].final_script_witness = Some(Witness::from_slice(&elements));
    assert_eq!(input(&psbt, MULTISIG).status, SignatureStatus::Invalid);
}
