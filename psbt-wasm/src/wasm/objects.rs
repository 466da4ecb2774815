//! The functions as wasm-pack packs them: objects in and out, and `PsbtError` thrown.

use alloc::string::ToString;

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
    use alloc::vec::Vec;

    use super::*;
    use crate::wasm::report::packed;
    use crate::{Keys, Network, strip};

    #[wasm_bindgen(module = "/js/report.js")]
    extern "C" {
        /// Makes the object that [`pack::report`](crate::wasm::pack::report) has packed.
        #[wasm_bindgen(js_name = toReport)]
        fn to_report(packed: &[u8]) -> JsValue;

        /// Whether the options ask for keys that are points.
        #[wasm_bindgen(js_name = wantsPoints)]
        fn wants_points(options: &JsValue) -> bool;

        /// The Unix time.
        fn now() -> u32;
    }

    #[wasm_bindgen(js_name = readPsbt, skip_typescript)]
    pub fn read(bytes: Vec<u8>, network: &str, options: &JsValue) -> Result<JsValue, PsbtError> {
        let mut known = Network::ALL.into_iter();
        let network = known.find(|known| known.name() == network);
        let unknown = || PsbtError::new("unknown-network", "The network is not known.", None);
        let network = network.ok_or_else(unknown)?;
        let keys = if wants_points(options) {
            Keys::Curve
        } else {
            Keys::Form
        };
        Ok(to_report(&packed(bytes, network, keys, now())?))
    }

    #[wasm_bindgen(js_name = stripPsbt, skip_typescript)]
    pub fn strip_file(bytes: Vec<u8>) -> Result<Vec<u8>, PsbtError> {
        Ok(strip(bytes)?)
    }
}

#[cfg(feature = "signatures")]
mod signatures {
    use alloc::vec::Vec;

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

#[cfg(feature = "make")]
mod make {
    use super::*;
    use crate::wasm::make::{Wanted, combined, made};

    #[wasm_bindgen(module = "/js/made.js")]
    extern "C" {
        /// Options as [`make_proof`] takes them.
        #[wasm_bindgen(js_name = wantedOf, catch)]
        fn wanted_of(options: &JsValue) -> Result<Options, JsValue>;

        pub type Options;
        #[wasm_bindgen(method, getter)]
        fn statement(this: &Options) -> String;
        #[wasm_bindgen(method, getter, js_name = isMessage)]
        fn is_message(this: &Options) -> bool;
        #[wasm_bindgen(method, getter, js_name = lockTime)]
        fn lock_time(this: &Options) -> Option<u32>;
        #[wasm_bindgen(method, getter, js_name = firstTen)]
        fn first_ten(this: &Options) -> bool;
        #[wasm_bindgen(method, getter)]
        fn split(this: &Options) -> Option<usize>;
        #[wasm_bindgen(method, getter)]
        fn part(this: &Options) -> usize;

        /// The files one after the other, each after its length.
        #[wasm_bindgen(js_name = framed, catch)]
        fn framed(files: &JsValue) -> Result<Vec<u8>, JsValue>;

        /// Makes the object of what [`crate::wasm::make`] has packed.
        #[wasm_bindgen(js_name = toMade)]
        fn to_made(packed: &[u8]) -> JsValue;
    }

    #[wasm_bindgen(js_name = makeProof, skip_typescript)]
    pub fn make_proof(bytes: Vec<u8>, options: &JsValue) -> Result<JsValue, JsValue> {
        let options = wanted_of(options)?;
        let wanted = Wanted {
            is_message: options.is_message(),
            lock_time: options.lock_time(),
            first_ten: options.first_ten(),
            split: options.split(),
            part: options.part(),
        };
        let made = made(bytes, &options.statement(), &wanted);
        Ok(to_made(&made.map_err(PsbtError::from)?))
    }

    #[wasm_bindgen(js_name = combine, skip_typescript)]
    pub fn combine_files(files: &JsValue) -> Result<JsValue, JsValue> {
        let combined = combined(&framed(files)?);
        Ok(to_made(&combined.map_err(PsbtError::from)?))
    }
}
