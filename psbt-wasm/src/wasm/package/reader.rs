//! What the first module exports.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::answer::{Kind, answer};
use crate::wasm::{network, reader};

/// `network` is an index into the list of `js/report.js`, `now` the Unix time.
#[wasm_bindgen(js_name = readPsbt)]
pub fn read(bytes: Vec<u8>, network: usize, now: u32) {
    let report = reader::packed(bytes, self::network(network), now);
    answer(Kind::Report, report);
}

#[wasm_bindgen(js_name = stripPsbt)]
pub fn strip(bytes: Vec<u8>) {
    answer(Kind::Bytes, crate::strip(bytes));
}
