//! The functions as wasm-pack packs them: objects in and out, and `PsbtError` thrown.

use wasm_bindgen::prelude::*;

use crate::Error;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../../js/index.d.ts");

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

#[cfg(feature = "report")]
mod report {
    use super::*;
    use crate::light::{Keys, Network};
    use crate::wasm::report;

    #[wasm_bindgen(module = "/js/report.js")]
    extern "C" {
        /// Makes the object that [`pack::report`](crate::wasm::pack::report) has packed.
        #[wasm_bindgen(js_name = toReport)]
        fn to_report(packed: &[u8]) -> JsValue;

        /// Whether the options ask for keys that are points.
        #[wasm_bindgen(js_name = wantsPoints)]
        fn wants_points(options: &JsValue) -> bool;
    }

    #[wasm_bindgen(js_name = readPsbt, skip_typescript)]
    pub fn read(bytes: Vec<u8>, network: &str, options: &JsValue) -> Result<JsValue, PsbtError> {
        let unknown = "The network is not known.";
        let network = match network {
            "mainnet" => Network::Mainnet,
            "testnet" => Network::Testnet,
            "signet" => Network::Signet,
            "regtest" => Network::Regtest,
            _ => return Err(PsbtError::new("unknown-network", unknown, None)),
        };
        let keys = if wants_points(options) {
            Keys::Curve
        } else {
            Keys::Form
        };
        Ok(to_report(&report::packed(bytes, network, keys)?))
    }

    #[wasm_bindgen(js_name = stripPsbt, skip_typescript)]
    pub fn strip(bytes: Vec<u8>) -> Result<Vec<u8>, PsbtError> {
        Ok(report::stripped(bytes)?)
    }
}

#[cfg(feature = "signatures")]
mod signatures {
    use super::*;
    use crate::wasm::signatures;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = JSON)]
        fn parse(text: &str) -> JsValue;
    }

    #[wasm_bindgen(js_name = checkSignatures, skip_typescript)]
    pub fn check(bytes: Vec<u8>) -> Result<JsValue, PsbtError> {
        Ok(parse(&signatures::checked(bytes)?))
    }
}
