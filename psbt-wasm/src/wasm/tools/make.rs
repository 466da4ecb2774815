//! `makeProof` and `combine`. The file crosses the boundary after JSON text about it.

use alloc::{format, vec::Vec};
use core::fmt::{self, Formatter};

use super::frames::{pack, read};
use super::json::{List, OrNull};
use crate::read::cursor::Cursor;
use crate::{
    CombinedInput, Derivations, Error, Form, MakeOptions, MakerNote, combine, convert, make_proof,
};

/// The options, as `js/make.js` encodes them: flags, three numbers of 4 bytes, little endian, and the statement.
fn read_options(encoded: &[u8]) -> Result<MakeOptions<'_>, Error> {
    const IS_MESSAGE: u8 = 1;
    const FIRST_TEN: u8 = 2;
    const HAS_LOCK_TIME: u8 = 4;
    const HAS_SPLIT: u8 = 8;
    const VERSION_2: u8 = 16;
    let mut cursor = Cursor::new(encoded);
    let [flags] = *cursor.array()?;
    let mut number = || Ok::<_, Error>(u32::from_le_bytes(*cursor.array()?));
    let (lock_time, split, part) = (number()?, number()?, number()?);
    let has = |flag: u8| flags & flag != 0;
    let size = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    Ok(MakeOptions {
        // What is no text is no statement, as the empty one is none.
        statement: core::str::from_utf8(cursor.rest()).unwrap_or_default(),
        form: Form::ALL[usize::from(has(IS_MESSAGE))],
        lock_time: has(HAS_LOCK_TIME).then_some(lock_time),
        derivations: Derivations::ALL[usize::from(has(FIRST_TEN))],
        version_2: has(VERSION_2),
        split: has(HAS_SPLIT).then_some(size(split)),
        part: size(part),
    })
}

/// The file to sign. The amount is text, because it may be above what a number in JSON can be in JavaScript. No text has a
/// character that JSON would escape: they are sentences of this package, and words from fixed lists.
pub(in crate::wasm) fn make(bytes: Vec<u8>, options: &[u8]) -> Result<Vec<u8>, Error> {
    let made = make_proof(bytes, &read_options(options)?)?;
    let json = format!(
        r#"{{"inputCount":{},"scriptCount":{},"partCount":{},"amountSats":"{}","notes":{}}}"#,
        made.inputs,
        made.scripts,
        made.parts,
        made.amount_sats,
        List(&made.notes, note)
    );
    Ok(pack(&json, &made.psbt))
}

fn note(note: &MakerNote, f: &mut Formatter<'_>) -> fmt::Result {
    let (code, input, message) = (note.code.name(), OrNull(note.input), &note.message);
    write!(
        f,
        r#"{{"code":"{code}","input":{input},"message":"{message}"}}"#
    )
}

/// Merges the files of several signers (BIP-174, Combiner).
pub(in crate::wasm) fn combined(files: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(files);
    let mut slices = Vec::new();
    while cursor.remaining() > 0 {
        slices.push(read(&mut cursor)?);
    }
    let combined = combine(&slices)?;
    let json = format!(r#"{{"inputs":{}}}"#, List(&combined.inputs, input));
    Ok(pack(&json, &combined.psbt))
}

/// The file in this version.
pub(in crate::wasm) fn converted(bytes: &[u8], version: u8) -> Result<Vec<u8>, Error> {
    let converted = convert(bytes, version)?;
    let json = format!(
        r#"{{"lost":{}}}"#,
        List(&converted.lost, |lost, f| write!(f, r#""{}""#, lost.name()))
    );
    Ok(pack(&json, &converted.psbt))
}

fn input(input: &CombinedInput, f: &mut Formatter<'_>) -> fmt::Result {
    let state = match input.signatures {
        _ if input.is_final => "final",
        0 => "none",
        _ => "partial",
    };
    let count = input.signatures;
    write!(
        f,
        r#"{{"signatureState":"{state}","signatureCount":{count}}}"#
    )
}
