//! Finalizes the inputs of the scene.

use bitcoin::Psbt;
use bitcoin::psbt::Input;

use crate::finalize::finalize;
use crate::signing::signed;

/// [`signed`], with every input finalized.
pub(crate) fn finalized() -> Psbt {
    let mut psbt = signed();
    for input in &mut psbt.inputs {
        let spent = input.witness_utxo.clone().expect("stated");
        let (script_sig, witness) = finalize(input, &spent.script_pubkey);
        *input = Input {
            witness_utxo: Some(spent),
            final_script_sig: Some(script_sig).filter(|script| !script.is_empty()),
            final_script_witness: Some(witness).filter(|witness| !witness.is_empty()),
            ..Input::default()
        };
    }
    psbt
}
