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
        #[wasm_bindgen(js_name = wantsPoints, catch)]
        fn wants_points(options: &JsValue) -> Result<bool, JsValue>;

        /// The Unix time.
        fn now() -> u32;
    }

    #[wasm_bindgen(js_name = readPsbt, skip_typescript)]
    pub fn read(bytes: Vec<u8>, network: &str, options: &JsValue) -> Result<JsValue, JsValue> {
        let mut known = Network::ALL.into_iter();
        let network = known.find(|known| known.name() == network);
        let unknown = || PsbtError::new("unknown-network", "The network is not known.", None);
        let network = network.ok_or_else(unknown)?;
        let keys = if wants_points(options)? {
            Keys::Curve
        } else {
            Keys::Form
        };
        let packed = packed(bytes, network, keys, now()).map_err(PsbtError::from)?;
        Ok(to_report(&packed))
    }

    #[wasm_bindgen(js_name = stripPsbt, skip_typescript)]
    pub fn strip_file(bytes: Vec<u8>) -> Result<Vec<u8>, PsbtError> {
        Ok(strip(bytes)?)
    }
}

#[cfg(feature = "signatures")]
mod signatures {
    use alloc::{string::String, vec::Vec};

    use super::*;
    use crate::wasm::signatures::Running;

    /// All in one go: nothing can wait inside a call.
    fn found(mut running: Running) -> Vec<u8> {
        while running.go_on() {}
        running.into_found()
    }

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = JSON)]
        fn parse(text: &str) -> JsValue;
    }

    #[wasm_bindgen(module = "/js/proof.js")]
    extern "C" {
        /// How many checks the options allow.
        #[wasm_bindgen(js_name = maxChecksOf, catch)]
        fn max_checks_of(options: &JsValue) -> Result<u32, JsValue>;

        /// A published proof and the origin that was asked, as [`proof::running`](crate::wasm::proof::running) takes them.
        #[wasm_bindgen(js_name = publishedOf, catch)]
        fn published_of(proof: &JsValue, origin: &JsValue) -> Result<Vec<u8>, JsValue>;

        /// Makes the object of what [`crate::wasm::proof`] has packed.
        #[wasm_bindgen(js_name = toChecked)]
        fn to_checked(packed: &[u8], proof: &JsValue) -> JsValue;
    }

    #[wasm_bindgen(js_name = checkProof, skip_typescript)]
    pub fn check_published(
        proof: &JsValue,
        origin: &JsValue,
        options: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let max_checks = max_checks_of(options)?;
        let published = published_of(proof, origin)?;
        let running = crate::wasm::proof::running(&published, max_checks);
        Ok(to_checked(&found(running.map_err(PsbtError::from)?), proof))
    }

    #[wasm_bindgen(module = "/js/message.js")]
    extern "C" {
        /// Address, message and signature, each after its length.
        #[wasm_bindgen(js_name = framesOf, catch)]
        fn frames_of(
            address: &JsValue,
            message: &JsValue,
            signature: &JsValue,
        ) -> Result<Vec<u8>, JsValue>;
    }

    #[wasm_bindgen(js_name = verifyMessage, skip_typescript)]
    pub fn verify(
        address: &JsValue,
        message: &JsValue,
        signature: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let frames = frames_of(address, message, signature)?;
        let verified = crate::wasm::signed_message::verified(&frames);
        Ok(parse(&verified.map_err(PsbtError::from)?))
    }

    #[wasm_bindgen(js_name = checkSignatures, skip_typescript)]
    pub fn check(bytes: Vec<u8>, options: &JsValue) -> Result<JsValue, JsValue> {
        let running = Running::of_file(bytes, max_checks_of(options)?);
        let found = found(running.map_err(PsbtError::from)?);
        Ok(parse(&String::from_utf8_lossy(&found)))
    }
}

#[cfg(feature = "make")]
mod make {
    use alloc::vec::Vec;

    use super::*;
    use crate::wasm::make::{combined, made};

    #[wasm_bindgen(module = "/js/made.js")]
    extern "C" {
        /// Options as [`made`] takes them.
        #[wasm_bindgen(js_name = wantedOf, catch)]
        fn wanted_of(options: &JsValue) -> Result<Vec<u8>, JsValue>;

        /// The files one after the other, each after its length.
        #[wasm_bindgen(js_name = framed, catch)]
        fn framed(files: &JsValue) -> Result<Vec<u8>, JsValue>;

        /// Makes the object of what [`crate::wasm::make`] has packed.
        #[wasm_bindgen(js_name = toMade)]
        fn to_made(packed: &[u8]) -> JsValue;
    }

    #[wasm_bindgen(js_name = makeProof, skip_typescript)]
    pub fn make_proof(bytes: Vec<u8>, options: &JsValue) -> Result<JsValue, JsValue> {
        let made = made(bytes, &wanted_of(options)?);
        Ok(to_made(&made.map_err(PsbtError::from)?))
    }

    #[wasm_bindgen(js_name = combine, skip_typescript)]
    pub fn combine_files(files: &JsValue) -> Result<JsValue, JsValue> {
        let combined = combined(&framed(files)?);
        Ok(to_made(&combined.map_err(PsbtError::from)?))
    }
}
