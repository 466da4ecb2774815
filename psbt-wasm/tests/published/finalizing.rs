//! Finalizes signed inputs: scripts and signatures where a transaction has them.

use bitcoin::psbt::Input;
use bitcoin::script::{Builder, PushBytesBuf};
use bitcoin::{ScriptBuf, Transaction, Witness};

use crate::kind::Kind;

/// Writes what the fields of an input say of its signatures into the transaction.
pub(crate) fn finalize(transaction: &mut Transaction, index: usize, input: &Input, kind: Kind) {
    let (script_sig, witness) = match kind {
        Kind::P2pkh => (key_and_signature(input), vec![]),
        Kind::P2shMultisig => (multisig(input, input.redeem_script.as_ref()), vec![]),
        Kind::P2shP2wpkh => {
            let redeem = input.redeem_script.as_ref().expect("nested");
            (vec![redeem.to_bytes()], key_and_signature(input))
        }
        Kind::P2wpkh => (vec![], key_and_signature(input)),
        Kind::P2wshMultisig => (vec![], multisig(input, input.witness_script.as_ref())),
        Kind::P2tr => (vec![], vec![input.tap_key_sig.expect("signed").to_vec()]),
        Kind::P2trScript => (vec![], leaf(input)),
    };
    let pushes = script_sig
        .into_iter()
        .map(|element| PushBytesBuf::try_from(element).expect("short"));
    let script_sig = pushes.fold(Builder::new(), Builder::push_slice);
    transaction.input[index].script_sig = script_sig.into_script();
    transaction.input[index].witness = Witness::from_slice(&witness);
}

fn key_and_signature(input: &Input) -> Vec<Vec<u8>> {
    let (key, signature) = input.partial_sigs.iter().next().expect("signed");
    vec![signature.to_vec(), key.to_bytes()]
}

/// The element too many, the signatures in the order of the keys of the script, and the script.
fn multisig(input: &Input, script: Option<&ScriptBuf>) -> Vec<Vec<u8>> {
    let script = script.expect("shown").to_bytes();
    let mut signatures: Vec<_> = input.partial_sigs.iter().collect();
    signatures.sort_by_key(|(key, _)| {
        let key = key.to_bytes();
        script.windows(key.len()).position(|window| window == key)
    });
    let signatures = signatures
        .into_iter()
        .map(|(_, signature)| signature.to_vec());
    std::iter::once(vec![])
        .chain(signatures)
        .chain([script.clone()])
        .collect()
}

fn leaf(input: &Input) -> Vec<Vec<u8>> {
    let signature = input.tap_script_sigs.values().next().expect("signed");
    let (control, (script, _)) = input.tap_scripts.iter().next().expect("a leaf");
    vec![signature.to_vec(), script.to_bytes(), control.serialize()]
}
