//! What the first module exports.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::answer::{Kind, answer};
use crate::Keys;
use crate::wasm::{network, reader};

/// `network` is an index into the list of `js/report.js`, `now` the Unix time.
#[wasm_bindgen(js_name = readPsbt)]
pub fn read(bytes: Vec<u8>, network: usize, on_curve: bool, now: u32) {
    let keys = if on_curve { Keys::Curve } else { Keys::Form };
    let report = reader::packed(bytes, self::network(network), keys, now);
    answer(Kind::Report, report);
}

#[wasm_bindgen(js_name = stripPsbt)]
pub fn strip(bytes: Vec<u8>) {
    answer(Kind::Bytes, crate::strip(bytes));
}
