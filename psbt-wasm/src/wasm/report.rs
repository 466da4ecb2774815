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
    let file = binary.read(keys)?;
    Ok(pack::report(&file.report(network)?, now))
}

#[cfg(psbt_wasm_package)]
mod exports {
    use super::*;
    use crate::wasm::answer::answer;
    use crate::wasm::kind::Kind;
    use wasm_bindgen::prelude::*;

    /// `network` is an index into the list of `js/report.js`, `now` the Unix time.
    #[wasm_bindgen(js_name = readPsbt)]
    pub fn read(bytes: Vec<u8>, network: usize, on_curve: bool, now: u32) {
        let network = *Network::ALL.get(network).unwrap_or(&Network::Regtest);
        let keys = if on_curve { Keys::Curve } else { Keys::Form };
        answer(Kind::Report, packed(bytes, network, keys, now));
    }

    /// The file as binary and as version 0, once it has been read: stripped, or as the module is given it that makes proofs.
    #[wasm_bindgen(js_name = writePsbt)]
    pub fn write(bytes: Vec<u8>, is_stripped: bool) {
        answer(Kind::File, written(bytes, is_stripped));
    }

    fn written(bytes: Vec<u8>, is_stripped: bool) -> Result<Vec<u8>, Error> {
        let keys = if is_stripped { Keys::Form } else { Keys::Curve };
        Ok(decode(bytes)?.read(keys)?.written(is_stripped).into_owned())
    }
}
