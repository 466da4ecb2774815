//! The functions as wasm-pack packs them: objects in and out, and `PsbtError` thrown.

use alloc::{string::ToString, vec::Vec};

use wasm_bindgen::prelude::*;

use super::{network, reader::packed};
use crate::{Error, Map, strip};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../../js/api.d.ts");

#[wasm_bindgen(module = "/js/psbt.js")]
extern "C" {
    /// What the functions throw.
    pub type PsbtError;
    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str, place: &JsValue) -> PsbtError;

    /// The bytes of a file.
    #[wasm_bindgen(js_name = bytesOf, catch)]
    fn bytes_of(file: &JsValue) -> Result<Vec<u8>, JsValue>;

    /// Where an error is.
    #[wasm_bindgen(js_name = placeOf)]
    fn place_of(map: Option<&str>, index: Option<usize>, field: Option<&str>) -> JsValue;

    // Never called: makes the class one of the module's exports.
    #[wasm_bindgen(js_name = PsbtError, reexport, skip_typescript)]
    fn export_error_class();
}

impl From<Error> for PsbtError {
    fn from(error: Error) -> Self {
        let map = error.map();
        let place = place_of(map.map(Map::name), map.and_then(Map::index), error.field());
        Self::new(error.code(), &error.to_string(), &place)
    }
}

#[wasm_bindgen(module = "/js/report.js")]
extern "C" {
    /// Makes the object that [`packed`] has packed.
    #[wasm_bindgen(js_name = toReport)]
    fn to_report(packed: &[u8]) -> JsValue;

    /// The position of a network in the list.
    #[wasm_bindgen(js_name = networkOf, catch)]
    fn network_of(name: &JsValue) -> Result<usize, JsValue>;

    /// The Unix time.
    fn now() -> u32;
}

#[wasm_bindgen(js_name = readPsbt, skip_typescript)]
pub fn read(file: &JsValue, network: &JsValue) -> Result<JsValue, JsValue> {
    let network = self::network(network_of(network)?);
    let packed = packed(bytes_of(file)?, network, now()).map_err(PsbtError::from)?;
    Ok(to_report(&packed))
}

#[wasm_bindgen(js_name = stripPsbt, skip_typescript)]
pub fn strip_file(file: &JsValue) -> Result<Vec<u8>, JsValue> {
    Ok(strip(bytes_of(file)?).map_err(PsbtError::from)?)
}

#[cfg(feature = "tools")]
mod tools {
    use alloc::string::String;
    use alloc::vec;

    use super::*;
    use crate::wasm::tools::running::Running;
    use crate::wasm::tools::{derivations, for_reader, inspect, make, proof, signed_message};

    type Answer = Result<JsValue, JsValue>;

    #[wasm_bindgen(module = "/js/inspect.js")]
    extern "C" {
        /// The position of the network in the options of `inspect`.
        #[wasm_bindgen(js_name = networkIn, catch)]
        fn network_in(options: &JsValue) -> Result<usize, JsValue>;

        /// Whether these options ask for whole values.
        #[wasm_bindgen(js_name = wantsAll)]
        fn wants_all(options: &JsValue) -> bool;

        /// Makes the object of derivations.
        #[wasm_bindgen(js_name = withOwn, catch)]
        fn with_own(json: &[u8], options: &JsValue) -> Result<JsValue, JsValue>;
    }

    #[wasm_bindgen(module = "/js/frames.js")]
    extern "C" {
        /// The files one after the other, each after its length.
        #[wasm_bindgen(catch)]
        fn frame(files: &JsValue) -> Result<Vec<u8>, JsValue>;

        /// Makes the object of JSON text.
        #[wasm_bindgen(js_name = fromJson)]
        fn from_json(json: &[u8]) -> JsValue;

        /// Makes the object of JSON text before a file.
        fn unpack(packed: &[u8]) -> JsValue;
    }

    #[wasm_bindgen(module = "/js/for-reader.js")]
    extern "C" {
        /// Words, name, nonce and header, each after its length.
        #[wasm_bindgen(js_name = encodeRequest, catch)]
        fn encode_request(asked: &JsValue) -> Result<Vec<u8>, JsValue>;
    }

    #[wasm_bindgen(module = "/js/make.js")]
    extern "C" {
        /// The version of a PSBT that is asked for.
        #[wasm_bindgen(js_name = versionOf, catch)]
        fn version_of(version: &JsValue) -> Result<u8, JsValue>;

        /// Encodes options for [`make::made`].
        #[wasm_bindgen(js_name = encodeOptions, catch)]
        fn encode_options(options: &JsValue) -> Result<Vec<u8>, JsValue>;
    }

    #[wasm_bindgen(module = "/js/message.js")]
    extern "C" {
        /// Address, message and signature, each after its length.
        #[wasm_bindgen(js_name = encodeMessage, catch)]
        fn encode_message(
            address: &JsValue,
            message: &JsValue,
            signature: &JsValue,
            options: &JsValue,
        ) -> Result<Vec<u8>, JsValue>;
    }

    #[wasm_bindgen(module = "/js/proof.js")]
    extern "C" {
        /// How many checks the options allow.
        #[wasm_bindgen(js_name = readMaxChecks, catch)]
        fn read_max_checks(options: &JsValue, others: Vec<String>) -> Result<u32, JsValue>;

        /// The origin that was asked and a proof file, as [`Running::of_proof`] takes them.
        #[wasm_bindgen(js_name = encodeProof, catch)]
        fn encode_proof(file: &JsValue, origin: &JsValue) -> Result<Vec<u8>, JsValue>;

        /// Makes the object of a proof file that was accepted.
        #[wasm_bindgen(js_name = parseAccepted)]
        fn parse_accepted(file: &JsValue) -> JsValue;

        /// Makes the object of a packed check.
        #[wasm_bindgen(js_name = decodeCheck)]
        fn decode_check(packed: &[u8], file: &JsValue) -> JsValue;
    }

    /// The object of what is answered, or what is thrown.
    fn object(answer: Result<Vec<u8>, Error>, make: impl FnOnce(&[u8]) -> JsValue) -> Answer {
        Ok(make(&answer.map_err(PsbtError::from)?))
    }

    /// All in one go: nothing can wait inside a call.
    fn finish(running: Result<Running, Error>) -> Result<Vec<u8>, Error> {
        let mut running = running?;
        while running.go_on() {}
        Ok(running.into_found())
    }

    #[wasm_bindgen(js_name = checkSignatures, skip_typescript)]
    pub fn check_signatures(file: &JsValue, options: &JsValue) -> Answer {
        let running = Running::of_file(bytes_of(file)?, read_max_checks(options, Vec::new())?);
        object(finish(running), from_json)
    }

    #[wasm_bindgen(js_name = readProof, skip_typescript)]
    pub fn read_proof(file: &JsValue) -> Answer {
        object(proof::accept(&bytes_of(file)?), |_| parse_accepted(file))
    }

    #[wasm_bindgen(js_name = checkProof, skip_typescript)]
    pub fn check_proof(file: &JsValue, origin: &JsValue, options: &JsValue) -> Answer {
        let max_checks = read_max_checks(options, vec!["keys".into()])?;
        let running = Running::of_proof(&encode_proof(file, origin)?, max_checks);
        object(finish(running), |packed| decode_check(packed, file))
    }

    #[wasm_bindgen(js_name = verifyMessage, skip_typescript)]
    pub fn verify(
        address: &JsValue,
        message: &JsValue,
        signature: &JsValue,
        options: &JsValue,
    ) -> Answer {
        let frames = encode_message(address, message, signature, options)?;
        object(signed_message::verified(&frames), from_json)
    }

    #[wasm_bindgen(js_name = readerStatement, skip_typescript)]
    pub fn reader_statement(asked: &JsValue) -> Answer {
        let statement = for_reader::statement(&encode_request(asked)?);
        object(statement, |line| {
            String::from_utf8_lossy(line).into_owned().into()
        })
    }

    #[wasm_bindgen(js_name = extract, skip_typescript)]
    pub fn extract_transaction(file: &JsValue) -> Result<Vec<u8>, JsValue> {
        Ok(crate::extract(&bytes_of(file)?).map_err(PsbtError::from)?)
    }

    #[wasm_bindgen(js_name = inspect, skip_typescript)]
    pub fn inspect_file(file: &JsValue, options: &JsValue) -> Answer {
        let network = network_in(options)?;
        let found = inspect::inspected(bytes_of(file)?, network, wants_all(options));
        object(found, from_json)
    }

    #[wasm_bindgen(js_name = derivations, skip_typescript)]
    pub fn list_derivations(file: &JsValue, options: &JsValue) -> Answer {
        let listed = derivations::listed(&bytes_of(file)?).map_err(PsbtError::from)?;
        with_own(&listed, options)
    }

    #[wasm_bindgen(js_name = recognize, skip_typescript)]
    pub fn recognize_text(given: &JsValue) -> Answer {
        Ok(from_json(&inspect::recognized(&bytes_of(given)?)))
    }

    #[wasm_bindgen(js_name = makeProof, skip_typescript)]
    pub fn make_proof(file: &JsValue, options: &JsValue) -> Answer {
        object(
            make::make(bytes_of(file)?, &encode_options(options)?),
            unpack,
        )
    }

    #[wasm_bindgen(js_name = convert, skip_typescript)]
    pub fn convert_file(file: &JsValue, version: &JsValue) -> Answer {
        object(
            make::converted(&bytes_of(file)?, version_of(version)?),
            unpack,
        )
    }

    #[wasm_bindgen(js_name = combine, skip_typescript)]
    pub fn combine_files(files: &JsValue) -> Answer {
        object(make::combined(&frame(files)?), unpack)
    }
}
