//! The whole JavaScript surface: two functions, plain objects out, `PsbtError` thrown.
//!
//! Conversion only. What the functions mean is in the crate; how their results look is in `js/index.d.ts`,
//! which is also the declaration file of the npm package. A report crosses the boundary as one JSON text,
//! which was measured to be as quick as a packed buffer and four times quicker than an object built
//! property by property.
#![allow(
    unreachable_pub,
    reason = "wasm-bindgen takes only functions that are public by name"
)]

mod json;
mod no_signing_table;

use bitcoin::Network;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use crate::{Error, MAX_FILE_BYTES, ProofFile};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../js/index.d.ts");

#[wasm_bindgen(module = "/js/psbt.js")]
extern "C" {
    /// What the functions throw.
    pub type PsbtError;
    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str, input: Option<usize>) -> PsbtError;

    #[wasm_bindgen(js_name = toReport)]
    fn to_report(json: &str) -> JsValue;

    // Never called: makes the class one of the module's exports.
    #[wasm_bindgen(js_name = PsbtError, reexport, skip_typescript)]
    fn export_error_class();
}

impl From<Error> for PsbtError {
    fn from(error: Error) -> Self {
        Self::new(error.code(), &error.to_string(), error.input())
    }
}

#[wasm_bindgen(js_name = readPsbt, skip_typescript)]
pub fn read_psbt(bytes: &Uint8Array, network: &str) -> Result<JsValue, PsbtError> {
    let network = match network {
        "mainnet" => Network::Bitcoin,
        "testnet" => Network::Testnet,
        "signet" => Network::Signet,
        "regtest" => Network::Regtest,
        _ => {
            return Err(PsbtError::new(
                "unknown-network",
                "The network is not known.",
                None,
            ));
        }
    };
    let report = crate::report(&read(bytes)?, network)?;
    Ok(to_report(&json::report(&report)))
}

#[wasm_bindgen(js_name = stripPsbt, skip_typescript)]
pub fn strip_psbt(bytes: &Uint8Array) -> Result<Vec<u8>, PsbtError> {
    Ok(read(bytes)?.strip())
}

/// Looks at the size before the bytes are copied, because the module's memory never shrinks again.
fn read(bytes: &Uint8Array) -> Result<ProofFile, Error> {
    if usize::try_from(bytes.length()).is_ok_and(|length| length > MAX_FILE_BYTES) {
        return Err(Error::FileTooLarge);
    }
    crate::read(&bytes.to_vec())
}
