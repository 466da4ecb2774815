//! `readPsbt` and `stripPsbt`.

use alloc::vec::Vec;

use super::pack;
use crate::{Error, Keys, Network, decode};

/// The report on a file, packed.
pub(super) fn packed(
    bytes: Vec<u8>,
    network: Network,
    keys: Keys,
    now: u32,
) -> Result<Vec<u8>, Error> {
    let binary = decode(bytes)?;
    let file = binary.read_in_progress(keys)?;
    Ok(pack::report(&file.report(network)?, now))
}

#[cfg(psbt_wasm_package)]
mod exports {
    use super::*;
    use crate::wasm::answer::{Kind, answer};
    use wasm_bindgen::prelude::*;

    /// `network` is an index into the list of `js/report.js`, `now` the Unix time.
    #[wasm_bindgen(js_name = readPsbt)]
    pub fn read(bytes: Vec<u8>, network: usize, on_curve: bool, now: u32) {
        let network = *Network::ALL.get(network).unwrap_or(&Network::Regtest);
        let keys = if on_curve { Keys::Curve } else { Keys::Form };
        answer(Kind::Report, packed(bytes, network, keys, now));
    }

    #[wasm_bindgen(js_name = stripPsbt)]
    pub fn strip_file(bytes: Vec<u8>) {
        answer(Kind::Bytes, crate::strip(bytes));
    }
}
