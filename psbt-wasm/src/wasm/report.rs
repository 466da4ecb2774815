//! `readPsbt` and `stripPsbt`.

use alloc::vec::Vec;

use super::pack;
use crate::Error;
use crate::light::{self, Keys, Network};

/// The report on a file, packed.
pub(super) fn packed(bytes: Vec<u8>, network: Network, keys: Keys) -> Result<Vec<u8>, Error> {
    let binary = light::decode(bytes)?;
    let file = binary.read(keys)?;
    Ok(pack::report(&file.report(network)?))
}

/// The same file, stripped.
pub(super) fn stripped(bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    let binary = light::decode(bytes)?;
    Ok(binary.read(Keys::Form)?.strip().into_owned())
}

#[cfg(in_package)]
mod exports {
    use super::*;
    use crate::wasm::answer::{Kind, answer};
    use wasm_bindgen::prelude::*;

    /// `network` is an index into the list of `js/loaded.js`.
    #[wasm_bindgen(js_name = readPsbt)]
    pub fn read(bytes: Vec<u8>, network: u8, on_curve: bool) {
        let network = match network {
            0 => Network::Mainnet,
            1 => Network::Testnet,
            2 => Network::Signet,
            _ => Network::Regtest,
        };
        let keys = if on_curve { Keys::Curve } else { Keys::Form };
        answer(Kind::Report, packed(bytes, network, keys));
    }

    #[wasm_bindgen(js_name = stripPsbt)]
    pub fn strip(bytes: Vec<u8>) {
        answer(Kind::File, stripped(bytes));
    }
}
