//! `readPsbt` and `stripPsbt`.

use wasm_bindgen::prelude::*;

use super::{PsbtError, pack};
use crate::light::{self, Keys, Network};

#[wasm_bindgen(module = "/js/report.js")]
extern "C" {
    /// Makes the object that [`pack::report`] has packed.
    #[wasm_bindgen(js_name = toReport)]
    fn to_report(packed: &[u8]) -> JsValue;

    /// Whether the options ask for keys that are points.
    #[wasm_bindgen(js_name = wantsPoints)]
    fn wants_points(options: &JsValue) -> bool;
}

#[wasm_bindgen(js_name = readPsbt, skip_typescript)]
pub fn read_psbt(bytes: Vec<u8>, network: &str, options: &JsValue) -> Result<JsValue, PsbtError> {
    let network = match network {
        "mainnet" => Network::Mainnet,
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
    let keys = if wants_points(options) {
        Keys::Curve
    } else {
        Keys::Form
    };
    let binary = light::decode(bytes)?;
    let file = binary.read(keys)?;
    Ok(to_report(&pack::report(&file.report(network)?)))
}

#[wasm_bindgen(js_name = stripPsbt, skip_typescript)]
pub fn strip_psbt(bytes: Vec<u8>) -> Result<Vec<u8>, PsbtError> {
    let binary = light::decode(bytes)?;
    Ok(binary.read(Keys::Form)?.strip().into_owned())
}
