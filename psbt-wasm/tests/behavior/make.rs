//! Proofs that are made of wallets' files, and the files that several signers give back. What is made is read by the `bitcoin` crate.

use super::*;

mod binding;
mod combining;
mod fields;
mod locks;
mod message;
mod refusals;
mod signers;
mod splitting;
mod still;

const STATEMENT: &str = "Proof of Reserves board.example @satoshi abcdefghijklmnopqrst";

fn options(form: Form) -> MakeOptions<'static> {
    MakeOptions::new(STATEMENT, form)
}

fn made_with(file: &[u8], options: &MakeOptions<'_>) -> (MadeProof, Psbt) {
    let made = make_proof(file, options).expect("a proof is made");
    let own = decode(made.psbt.as_slice()).expect("a PSBT");
    own.read(Keys::Curve).expect("read again");
    let psbt = Psbt::deserialize(&made.psbt).expect("the other reader takes it");
    (made, psbt)
}

fn made(file: &Psbt, form: Form) -> Psbt {
    made_with(&file.serialize(), &options(form)).1
}

/// The code and input of each note that `makeProof` returns for a file.
fn notes(file: &Psbt, form: Form) -> Vec<(NoteCode, Option<usize>)> {
    let (made, _) = made_with(&file.serialize(), &options(form));
    let messages = made.notes.iter().map(|note| &note.message);
    messages.for_each(|message| assert!(message.ends_with('.') && message.is_ascii()));
    let notes = made.notes.iter().map(|note| (note.code, note.input));
    notes.collect()
}

/// Changes the coin that an input spends. Only the witness UTXO states it.
fn set_coin(file: &mut Psbt, at: usize, change: impl FnOnce(&mut TxOut)) {
    let input = &mut file.inputs[at];
    input.non_witness_utxo = None;
    change(input.witness_utxo.as_mut().expect("a witness UTXO"));
}

fn base64(psbt: &Psbt) -> Vec<u8> {
    STANDARD.encode(psbt.serialize()).into_bytes()
}

fn sequences(psbt: &Psbt) -> Vec<u32> {
    let inputs = psbt.unsigned_tx.input.iter();
    inputs.map(|input| input.sequence.0).collect()
}
