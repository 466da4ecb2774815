//! Published test vectors, run through all layers. They are in the folder
//! `PSBT_VECTORS_DIR` and are not part of this repository; without the folder these tests print a note and
//! check nothing.

use std::path::PathBuf;

use bitcoin::consensus::encode::deserialize_hex;
use bitcoin::script::Builder;
use bitcoin::{Amount, OutPoint, ScriptBuf, Transaction, TxOut};
use serde_json::Value;
use verify::consensus::Spend;
use verify::{Refusal, scripts};

use crate::ledger::no_lock;

mod asm;
mod bip341;
mod script_tests;
mod transactions;

/// The vectors in a file of the folder, or a note on where to get them.
pub(crate) fn vectors(file: &str, source: &str) -> Option<Value> {
    let folder = std::env::var_os("PSBT_VECTORS_DIR").unwrap_or_default();
    let Ok(text) = std::fs::read_to_string(PathBuf::from(folder).join(file)) else {
        println!("skipped: PSBT_VECTORS_DIR names no folder with {file} from {source}");
        return None;
    };
    Some(serde_json::from_str(&text).expect("vectors are JSON"))
}

/// Whether the engine accepts the input under all rules of consensus.
fn accepts(transaction: &Transaction, coins: &[TxOut], input: usize) -> bool {
    let spend = Spend::new(transaction, coins).expect("it can be asked");
    spend.accepts(input).expect("a verdict")
}

/// The elements of an array.
fn array(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

/// The text of a JSON string.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}
