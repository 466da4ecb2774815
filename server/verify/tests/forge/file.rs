//! Encodes transactions as files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::consensus::Decodable;
use bitcoin::consensus::encode::{VarInt, serialize};
use bitcoin::{Psbt, ScriptBuf, Transaction, Witness};

const MAGIC: &[u8] = b"psbt\xff";

/// Bytes in the encoding of clients.
pub(crate) fn text(bytes: impl AsRef<[u8]>) -> String {
    STANDARD.encode(bytes)
}

/// A signed transaction as a final PSBT without data on its coins.
pub(crate) fn finished(transaction: &Transaction) -> Psbt {
    let mut unsigned = transaction.clone();
    for input in &mut unsigned.input {
        input.script_sig = ScriptBuf::new();
        input.witness = Witness::new();
    }
    let mut psbt = Psbt::from_unsigned_tx(unsigned).expect("unsigned");
    for (fields, input) in psbt.inputs.iter_mut().zip(&transaction.input) {
        let (script_sig, witness) = (input.script_sig.clone(), input.witness.clone());
        fields.final_script_sig = (!script_sig.is_empty()).then_some(script_sig);
        fields.final_script_witness = (!witness.is_empty()).then_some(witness);
    }
    psbt
}

/// The same file as version 2. Fields that both versions have are copied.
pub(crate) fn as_v2(v0: &[u8]) -> Vec<u8> {
    let transaction = Psbt::deserialize(v0).expect("a PSBT").unsigned_tx;
    let mut rest = v0.strip_prefix(MAGIC).expect("the magic number");
    let mut file = MAGIC.to_vec();
    // Version 2 replaces PSBT_GLOBAL_UNSIGNED_TX by its parts.
    let global = next_map(&mut rest);
    file.extend(global.into_iter().filter(|pair| pair[1] != 0x00).flatten());
    let count = |count: usize| serialize(&VarInt::from(count));
    push(&mut file, 0x02, &serialize(&transaction.version));
    push(&mut file, 0x03, &serialize(&transaction.lock_time));
    push(&mut file, 0x04, &count(transaction.input.len()));
    push(&mut file, 0x05, &count(transaction.output.len()));
    push(&mut file, 0xfb, &2_u32.to_le_bytes());
    file.push(0);
    for input in &transaction.input {
        file.extend(next_map(&mut rest).into_iter().flatten());
        push(&mut file, 0x0e, &serialize(&input.previous_output.txid));
        push(&mut file, 0x0f, &serialize(&input.previous_output.vout));
        push(&mut file, 0x10, &serialize(&input.sequence));
        file.push(0);
    }
    for output in &transaction.output {
        file.extend(next_map(&mut rest).into_iter().flatten());
        push(&mut file, 0x03, &serialize(&output.value));
        push(&mut file, 0x04, output.script_pubkey.as_bytes());
        file.push(0);
    }
    assert!(rest.is_empty());
    file
}

fn push(file: &mut Vec<u8>, field: u8, value: &[u8]) {
    file.extend([1, field]);
    file.extend(serialize(&VarInt::from(value.len())));
    file.extend(value);
}

/// The pairs of the next map, each with its lengths.
fn next_map(rest: &mut &[u8]) -> Vec<Vec<u8>> {
    let mut pairs = Vec::new();
    while rest[0] != 0 {
        let start = *rest;
        skip(rest);
        skip(rest);
        pairs.push(start[..start.len() - rest.len()].to_vec());
    }
    *rest = &rest[1..];
    pairs
}

fn skip(rest: &mut &[u8]) {
    let length = VarInt::consensus_decode(rest).expect("a length").0;
    *rest = &rest[usize::try_from(length).expect("it fits")..];
}
