//! What the second module exports. Parameters that are several values are as `js` encodes them.

use alloc::vec::Vec;

use spin::Mutex;
use wasm_bindgen::prelude::*;

use super::answer::{Kind, answer};
use crate::Error;
use crate::wasm::tools::running::Running;
use crate::wasm::tools::{
    binding, date, derivations, for_reader, inspect, joined, make, proof, reader_coins,
    signed_message,
};

/// `network` is an index into the list of `js/report.js`.
#[wasm_bindgen(js_name = inspect)]
pub fn inspect_file(bytes: Vec<u8>, network: usize, whole: bool) {
    answer(Kind::Bytes, inspect::inspected(bytes, network, whole));
}

#[wasm_bindgen]
pub fn derivations(bytes: Vec<u8>) {
    answer(Kind::Bytes, derivations::listed(&bytes));
}

#[wasm_bindgen]
pub fn recognize(bytes: Vec<u8>) {
    answer(Kind::Bytes, Ok(inspect::recognized(&bytes)));
}

#[wasm_bindgen(js_name = makeProof)]
pub fn make_proof(bytes: Vec<u8>, options: &[u8]) {
    answer(Kind::Bytes, make::make(bytes, options));
}

#[wasm_bindgen]
pub fn combine(files: Vec<u8>) {
    answer(Kind::Bytes, make::combined(&files));
}

#[wasm_bindgen]
pub fn convert(bytes: Vec<u8>, version: u8) {
    answer(Kind::Bytes, make::converted(&bytes, version));
}

#[wasm_bindgen]
pub fn extract(bytes: Vec<u8>) {
    answer(Kind::Bytes, crate::extract(&bytes));
}

#[wasm_bindgen(js_name = readerStatement)]
pub fn reader_statement(frames: Vec<u8>) {
    answer(Kind::Bytes, for_reader::statement(&frames));
}

#[wasm_bindgen(js_name = readerCoins)]
pub fn reader_coins(bytes: Vec<u8>) {
    answer(Kind::Bytes, reader_coins::coins(bytes));
}

#[wasm_bindgen(js_name = furtherSignatures)]
pub fn further_signatures(frames: &[u8]) {
    answer(Kind::Bytes, reader_coins::further(frames));
}

#[wasm_bindgen(js_name = bindingOf)]
pub fn binding_of(frames: &[u8]) {
    answer(Kind::Bytes, binding::binding(frames));
}

#[wasm_bindgen(js_name = fullName)]
pub fn full_name(frames: &[u8]) {
    answer(Kind::Bytes, binding::full_name(frames));
}

#[wasm_bindgen(js_name = readInstant)]
pub fn read_instant(text: &[u8]) {
    answer(Kind::Bytes, date::instant(text));
}

#[wasm_bindgen(js_name = findBounds)]
pub fn find_bounds(numbers: &[u8]) {
    answer(Kind::Bytes, date::bounds(numbers));
}

#[wasm_bindgen(js_name = judgeDate)]
pub fn judge_date(numbers: &[u8]) {
    answer(Kind::Bytes, date::judged(numbers));
}

#[wasm_bindgen(js_name = joinProofs)]
pub fn join_proofs(frames: &[u8]) {
    answer(Kind::Bytes, joined::joined(frames));
}

#[wasm_bindgen(js_name = verifyMessage)]
pub fn verify_message(frames: Vec<u8>) {
    answer(Kind::Bytes, signed_message::verified(&frames));
}

#[wasm_bindgen(js_name = acceptProof)]
pub fn accept_proof(file: Vec<u8>) {
    answer(Kind::Bytes, proof::accept(&file));
}

static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// Answers when the file is refused; else `goOn` does, once nothing is left.
#[wasm_bindgen(js_name = checkSignatures)]
pub fn check_signatures(bytes: Vec<u8>, max_checks: u32) {
    begin(|| Running::of_file(bytes, max_checks));
}

/// Begins, as `checkSignatures` does.
#[wasm_bindgen(js_name = checkProof)]
pub fn check_proof(frames: Vec<u8>, max_checks: u32) {
    begin(|| Running::of_proof(&frames, max_checks));
}

/// Checks a portion; whether anything is left. If not, it answers, or has nothing to go on with.
#[wasm_bindgen(js_name = goOn)]
pub fn go_on() -> bool {
    let mut slot = RUNNING.lock();
    if let Some(mut running) = slot.take() {
        if running.go_on() {
            *slot = Some(running);
            return true;
        }
        answer(Kind::Bytes, Ok(running.into_found()));
    }
    false
}

/// An earlier check that did not end is dropped first.
fn begin(running: impl FnOnce() -> Result<Running, Error>) {
    let mut slot = RUNNING.lock();
    *slot = None;
    match running() {
        Ok(running) => *slot = Some(running),
        Err(error) => answer(Kind::Bytes, Err(error)),
    }
}
