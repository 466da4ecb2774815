//! The whole JavaScript surface: a few functions, plain objects out, `PsbtError` thrown.
//!
//! Conversion only. What the functions mean is in the crate; how their results look is in `js/index.d.ts`,
//! which is also the declaration file of the npm package. A report crosses the boundary as one packed buffer,
//! which was measured to be several times quicker than an object built property by property.
//!
//! The npm package has two modules: one with the feature `report` alone, which is small and loads first, and one
//! with the feature `signatures`, which loads when it is needed.
#![allow(
    unreachable_pub,
    reason = "wasm-bindgen takes only functions that are public by name"
)]

#[cfg(any(feature = "bitcoin", feature = "signatures"))]
mod no_signing_table;
#[cfg(feature = "report")]
mod pack;
#[cfg(feature = "report")]
mod report;
#[cfg(feature = "signatures")]
mod signatures;

use wasm_bindgen::prelude::*;

use crate::Error;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../js/index.d.ts");

#[wasm_bindgen(module = "/js/psbt.js")]
extern "C" {
    /// What the functions throw.
    pub type PsbtError;
    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str, input: Option<usize>) -> PsbtError;

    // Never called: makes the class one of the module's exports.
    #[wasm_bindgen(js_name = PsbtError, reexport, skip_typescript)]
    fn export_error_class();
}

impl From<Error> for PsbtError {
    fn from(error: Error) -> Self {
        Self::new(error.code(), &error.to_string(), error.input())
    }
}
