//! `inspect` and `recognize`. What they find crosses the boundary as JSON text.

use alloc::{format, string::String, vec::Vec};

use bitcoin::hex::DisplayHex;

use super::signatures::{list, or_null};
use crate::inspect::list_fields;
use crate::{Error, InspectedField, Inspection, Map, Network, Problem, Recognized, decode};

/// What the strict reader says is added by `js/tools.js`, from the first module.
pub(super) fn inspected(bytes: Vec<u8>, network: usize) -> Result<Vec<u8>, Error> {
    let network = *Network::ALL.get(network).unwrap_or(&Network::Regtest);
    Ok(json(&list_fields(&decode(bytes)?, network)).into_bytes())
}

pub(super) fn recognized(bytes: &[u8]) -> Vec<u8> {
    let found = crate::recognize(bytes).map(|found: Recognized| {
        format!(
            r#"{{"kind":"{}","isSecret":{},"message":"{}"}}"#,
            found.code(),
            found.is_secret(),
            found.message()
        )
    });
    or_null(found).into_bytes()
}

fn json(found: &Inspection) -> String {
    format!(
        r#"{{"format":"{}","version":{},"encoding":"{}","fields":[{}],"isCut":{},"problems":[{}]}}"#,
        if found.psbt_version.is_some() {
            "psbt"
        } else {
            "transaction"
        },
        or_null(found.psbt_version),
        found.encoding.name(),
        list(&found.fields, field),
        found.is_cut,
        list(&found.problems, problem)
    )
}

fn field(field: &InspectedField) -> String {
    let decoded = list(&field.decoded, |(name, value)| {
        format!(r#""{name}":{}"#, quoted(value))
    });
    format!(
        r#"{{{},"type":{},"name":"{}","key":"{}","value":"{}","valueBytes":{},"decoded":{{{decoded}}}}}"#,
        place(Some(field.map)),
        field.number,
        field.name,
        field.key_data.as_hex(),
        field.value.as_hex(),
        field.value_bytes
    )
}

fn problem(problem: &Problem) -> String {
    format!(
        r#"{{"code":"{}",{},"field":{},"message":{}}}"#,
        problem.code,
        place(problem.map),
        or_null(problem.field.map(quoted)),
        quoted(&problem.message)
    )
}

/// The map, and its position.
fn place(map: Option<Map>) -> String {
    let (map, index) = match map {
        Some(Map::Global) => ("\"global\"", None),
        Some(Map::Input(index)) => ("\"input\"", Some(index)),
        Some(Map::Output(index)) => ("\"output\"", Some(index)),
        None => ("null", None),
    };
    format!(r#""map":{map},"index":{}"#, or_null(index))
}

/// Any text: it may be from the file.
fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\u{1f}' => json += &format!("\\u{:04x}", u32::from(character)),
            _ => json.push(character),
        }
    }
    json.push('"');
    json
}

#[cfg(psbt_wasm_package)]
mod exports {
    use super::*;
    use crate::wasm::answer::{Kind, answer};
    use wasm_bindgen::prelude::*;

    /// `network` is an index into the list of `js/report.js`.
    #[wasm_bindgen(js_name = inspect)]
    pub fn inspect_file(bytes: Vec<u8>, network: usize) {
        answer(Kind::Bytes, inspected(bytes, network));
    }

    #[wasm_bindgen(js_name = recognize)]
    pub fn recognize_text(bytes: Vec<u8>) {
        answer(Kind::Bytes, Ok(recognized(&bytes)));
    }
}
