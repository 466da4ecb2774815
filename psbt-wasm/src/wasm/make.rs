//! `makeProof` and `combine`. What is said beside the file crosses the boundary as JSON text before it.

use alloc::{format, string::String, vec::Vec};
use core::fmt::{Arguments, Display, Write};

use super::frames::{framed, packed};
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
    while cursor.remaining() > 0 {
        slices.push(framed(&mut cursor)?);
    }
    let combined = combine(&slices)?;
    Ok(packed(&json_of_files(&combined), &combined.psbt))
}

/// No text has a character that JSON would escape: sentences of this package, and words from fixed lists. The amount is text, because
/// it may be above what a number in JSON can be in JavaScript. One text, because the modules' allocator searches all free blocks: a
/// large file has 200,000 notes.
fn json_of_proof(made: &MadeProof) -> String {
    let (inputs, scripts, parts) = (made.inputs, made.scripts, made.parts);
    let amount = made.amount_sats;
    let mut json = format!(
        r#"{{"inputs":{inputs},"scripts":{scripts},"parts":{parts},"amountSats":"{amount}","notes":["#
    );
    for (at, note) in made.notes.iter().enumerate() {
        let (code, message) = (note.code.name(), &note.message);
        let input: &dyn Display = match &note.input {
            Some(input) => input,
            None => &"null",
        };
        let entry = format_args!(r#"{{"code":"{code}","input":{input},"message":"{message}"}}"#);
        push(&mut json, at, entry);
    }
    json + "]}"
}

/// Appends an entry of a list.
#[inline(never)]
fn push(json: &mut String, at: usize, entry: Arguments<'_>) {
    if at > 0 {
        json.push(',');
    }
    let _ = json.write_fmt(entry);
}

fn json_of_files(combined: &Combined) -> String {
    let mut json = String::from(r#"{"inputs":["#);
    for (at, input) in combined.inputs.iter().enumerate() {
        let (signatures, is_final) = (input.signatures, input.is_final);
        let entry = format_args!(r#"{{"signatures":{signatures},"final":{is_final}}}"#);
        push(&mut json, at, entry);
    }
    json + "]}"
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
