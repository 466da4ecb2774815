//! Finalizes the signed inputs: scripts and signatures where a transaction has them.

use bitcoin::psbt::Input;
use bitcoin::script::{Builder, PushBytesBuf};
use bitcoin::{Psbt, ScriptBuf, Witness};

use crate::scene::*;
use crate::signing::signed;

/// [`signed`], with every input finalized.
pub(crate) fn finalized() -> Psbt {
    let psbt = signed();
    let mut done = psbt.clone();
    for (index, (input, done)) in psbt.inputs.iter().zip(&mut done.inputs).enumerate() {
        *done = Input {
            witness_utxo: input.witness_utxo.clone(),
            final_script_sig: script_sig(input, index),
            final_script_witness: witness(input, index),
            ..Input::default()
        };
    }
    done
}

fn script_sig(input: &Input, index: usize) -> Option<ScriptBuf> {
    let elements = match index {
        P2PKH => vec![signature(input, index), public(index).to_bytes()],
        NESTED => vec![input.redeem_script.clone()?.into_bytes()],
        LEGACY_MULTISIG => multisig_elements(input),
        _ => return None,
    };
    let builder = elements
        .into_iter()
        .fold(Builder::new(), |builder, element| {
            builder.push_slice(PushBytesBuf::try_from(element).expect("short"))
        });
    Some(builder.into_script())
}

fn witness(input: &Input, index: usize) -> Option<Witness> {
    let elements = match index {
        P2PKH | LEGACY_MULTISIG => return None,
        P2WPKH | NESTED => vec![signature(input, index), public(index).to_bytes()],
        MULTISIG => multisig_elements(input),
        KEY_PATH => vec![input.tap_key_sig?.to_vec()],
        LEAF => with_leaf(input, vec![leaf_signature(input, LEAF)]),
        // The key that is checked first takes what is on top of the stack.
        LEAF_MULTISIG => {
            let signatures = (10..13).rev().map(|signer| leaf_signature(input, signer));
            with_leaf(input, signatures.collect())
        }
        _ => vec![signature(input, index), unusual().into_bytes()],
    };
    Some(Witness::from_slice(&elements))
}

fn signature(input: &Input, signer: usize) -> Vec<u8> {
    input.partial_sigs[&public(signer)].to_vec()
}

/// The element too many, the signatures in the order of the keys of the script, and the script.
fn multisig_elements(input: &Input) -> Vec<Vec<u8>> {
    let [first, second] = [10, 12].map(|signer| signature(input, signer));
    vec![vec![], first, second, multisig().into_bytes()]
}

/// Empty for a key that has not signed.
fn leaf_signature(input: &Input, signer: usize) -> Vec<u8> {
    let key = pair(signer).x_only_public_key().0;
    let mut signatures = input.tap_script_sigs.iter();
    let own = signatures.find(|((signer, _), _)| *signer == key);
    own.map(|(_, signature)| signature.to_vec())
        .unwrap_or_default()
}

fn with_leaf(input: &Input, mut elements: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let (control, (script, _)) = input.tap_scripts.iter().next().expect("a leaf");
    elements.push(script.to_bytes());
    elements.push(control.serialize());
    elements
}
