//! `makeProof` and `combine`. What is said beside the file crosses the boundary as JSON text before it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::sentence::{number, words};
use crate::read::cursor::Cursor;
use crate::{Combined, Derivations, Error, Form, MadeProof, MakeOptions, combine, make_proof};

/// What JavaScript asks for, as `js/made.js` writes it: flags, three numbers of 4 bytes, little endian, and the statement.
fn options_of(wanted: &[u8]) -> Result<MakeOptions<'_>, Error> {
    const IS_MESSAGE: u8 = 1;
    const FIRST_TEN: u8 = 2;
    const HAS_LOCK_TIME: u8 = 4;
    const HAS_SPLIT: u8 = 8;
    let mut cursor = Cursor::new(wanted);
    let [flags] = *cursor.array()?;
    let mut number = || Ok::<_, Error>(u32::from_le_bytes(*cursor.array()?));
    let (lock_time, split, part) = (number()?, number()?, number()?);
    let has = |flag: u8| flags & flag != 0;
    let size = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    Ok(MakeOptions {
        // What is no text is no statement, as the empty one is none.
        statement: core::str::from_utf8(cursor.rest()).unwrap_or_default(),
        form: if has(IS_MESSAGE) {
            Form::Message
        } else {
            Form::Transaction
        },
        lock_time: has(HAS_LOCK_TIME).then_some(lock_time),
        derivations: if has(FIRST_TEN) {
            Derivations::FirstTen
        } else {
            Derivations::All
        },
        split: has(HAS_SPLIT).then_some(size(split)),
        part: size(part),
    })
}

/// The proof that is made of a file: the length of the JSON text in 4 bytes, little endian, the text, and the file.
pub(super) fn made(bytes: Vec<u8>, wanted: &[u8]) -> Result<Vec<u8>, Error> {
    let made = make_proof(bytes, &options_of(wanted)?)?;
    Ok(packed(&json_of_proof(&made), &made.psbt))
}

/// What files make together, in the same way. Each file comes after its length in 4 bytes, little endian.
pub(super) fn combined(files: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(files);
    let mut slices = Vec::new();
    while let Ok(length) = cursor.array() {
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or_default();
        slices.push(cursor.take(length)?);
    }
    let combined = combine(&slices)?;
    Ok(packed(&json_of_files(&combined), &combined.psbt))
}

fn packed(json: &str, file: &[u8]) -> Vec<u8> {
    let length = u32::try_from(json.len()).unwrap_or_default();
    [&length.to_le_bytes(), json.as_bytes(), file].concat()
}

/// No text has a character that JSON would escape: sentences of this package, and words from fixed lists.
fn json_of_proof(made: &MadeProof) -> String {
    let mut json = String::new();
    let mut count = |name: &str, count: u64| {
        words(name, &mut json);
        number(count, &mut json);
    };
    count("{\"inputs\":", made.inputs as u64);
    count(",\"scripts\":", made.scripts as u64);
    count(",\"parts\":", made.parts as u64);
    // Text, because it may be above what a number in JSON can be in JavaScript.
    count(",\"amountSats\":\"", made.amount_sats);
    words("\",\"notes\":[", &mut json);
    for (at, note) in made.notes.iter().enumerate() {
        words(
            if at > 0 {
                ",{\"code\":\""
            } else {
                "{\"code\":\""
            },
            &mut json,
        );
        words(note.code.name(), &mut json);
        words("\",\"input\":", &mut json);
        match note.input {
            Some(input) => number(input as u64, &mut json),
            None => words("null", &mut json),
        }
        words(",\"message\":\"", &mut json);
        words(&note.message, &mut json);
        words("\"}", &mut json);
    }
    words("]}", &mut json);
    json
}

fn json_of_files(combined: &Combined) -> String {
    let mut json = String::new();
    words("{\"inputs\":[", &mut json);
    for (at, input) in combined.inputs.iter().enumerate() {
        words(
            if at > 0 {
                ",{\"signatures\":"
            } else {
                "{\"signatures\":"
            },
            &mut json,
        );
        number(input.signatures as u64, &mut json);
        words(
            if input.is_final {
                ",\"final\":true}"
            } else {
                ",\"final\":false}"
            },
            &mut json,
        );
    }
    words("]}", &mut json);
    json
}

#[cfg(psbt_wasm_package)]
mod exports {
    use super::*;
    use crate::wasm::answer::{Kind, answer};
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_name = makeProof)]
    pub fn make(bytes: Vec<u8>, wanted: &[u8]) {
        answer(Kind::Bytes, made(bytes, wanted));
    }

    #[wasm_bindgen(js_name = combine)]
    pub fn unite(files: Vec<u8>) {
        answer(Kind::Bytes, combined(&files));
    }
}
