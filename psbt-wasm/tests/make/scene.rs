//! Wallets' files, and what is made of them, read by the `bitcoin` crate.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{Psbt, TxOut};
use psbt_wasm::{Form, Keys, MadeProof, MakeOptions, NoteCode, decode, make_proof};

use crate::kind::Kind;
use crate::wallet::{self, Wanted};

pub(crate) use crate::wallet::spent;

pub(crate) const STATEMENT: &str = "Proof of Reserves board.example @satoshi abcdefghijklmnopqrst";

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
