//! Wallets' files, and what is made of them, read by the `bitcoin` crate.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{OutPoint, Psbt, TxOut};
use psbt_wasm::{Form, Keys, MadeProof, MakeOptions, NoteCode, decode, make_proof};

use crate::kind::Kind;
use crate::wallet::{self, Wanted};

pub(crate) const STATEMENT: &str = "Proof of Reserves board.example @satoshi abcdefghijklmnopqrst";

pub(crate) const KINDS: [Kind; 7] = [
    Kind::P2pkh,
    Kind::P2shMultisig,
    Kind::P2shP2wpkh,
    Kind::P2wpkh,
    Kind::P2wshMultisig,
    Kind::P2tr,
    Kind::P2trScript,
];

/// A signed file over coins of these kinds, each with its previous transaction.
pub(crate) fn file(kinds: &[Kind], inputs: u32) -> Psbt {
    wallet::make(&Wanted {
        kinds: kinds.to_vec(),
        inputs,
        previous: Some(0),
        derivations: true,
        signed: true,
    })
}

pub(crate) fn made_with(file: &[u8], options: &MakeOptions<'_>) -> (MadeProof, Psbt) {
    let made = make_proof(file, options).expect("a proof is made");
    let own = decode(made.psbt.as_slice()).expect("a PSBT");
    own.read(Keys::Curve).expect("read again");
    let psbt = Psbt::deserialize(&made.psbt).expect("the other reader takes it");
    (made, psbt)
}

pub(crate) fn made(file: &Psbt, form: Form) -> Psbt {
    made_with(&file.serialize(), &MakeOptions::new(STATEMENT, form)).1
}

/// The codes and inputs of the notes on what is made of a file.
pub(crate) fn notes(file: &Psbt, form: Form) -> Vec<(NoteCode, Option<usize>)> {
    let (made, _) = made_with(&file.serialize(), &MakeOptions::new(STATEMENT, form));
    let notes = made.notes.iter();
    notes
        .map(|note| {
            assert!(note.message.ends_with('.') && note.message.is_ascii());
            (note.code, note.input)
        })
        .collect()
}

/// What a file spends, input by input.
pub(crate) fn spent(psbt: &Psbt) -> Vec<(OutPoint, TxOut)> {
    let inputs = psbt.unsigned_tx.input.iter().zip(&psbt.inputs);
    inputs
        .map(|(txin, input)| {
            let outpoint = txin.previous_output;
            let in_previous = || {
                let previous = input.non_witness_utxo.as_ref()?;
                previous.output.get(usize::try_from(outpoint.vout).ok()?)
            };
            let output = input.witness_utxo.as_ref().or_else(in_previous);
            (outpoint, output.expect("stated").clone())
        })
        .collect()
}

/// Makes a coin of a file another one, which no previous transaction shows.
pub(crate) fn set_coin(file: &mut Psbt, at: usize, change: impl FnOnce(&mut TxOut)) {
    file.inputs[at].non_witness_utxo = None;
    change(
        file.inputs[at]
            .witness_utxo
            .as_mut()
            .expect("a witness UTXO"),
    );
}

pub(crate) fn base64(psbt: &Psbt) -> Vec<u8> {
    STANDARD.encode(psbt.serialize()).into_bytes()
}
