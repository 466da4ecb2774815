//! `checkSignatures`. The report crosses the boundary as JSON text: it is small beside the work that it reports.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{
    Error, InputSignatures, Keys, Signature, SignatureReport, SignatureStatus, check_signatures,
    decode,
};

/// The report on a file's signatures, as JSON.
pub(super) fn checked(bytes: Vec<u8>) -> Result<String, Error> {
    let binary = decode(bytes)?;
    Ok(json(&check_signatures(&binary.read(Keys::Form)?)?))
}

#[cfg(psbt_wasm_package)]
mod exports {
    use super::*;
    use crate::wasm::answer::answer;
    use crate::wasm::kind::Kind;
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_name = checkSignatures)]
    pub fn check(bytes: Vec<u8>) {
        answer(Kind::Text, checked(bytes).map(String::into_bytes));
    }
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// No text in a report has a character that JSON would escape: hexadecimal digits, and words from fixed lists.
fn json(report: &SignatureReport) -> String {
    let mut out = String::with_capacity(64 + 256 * report.inputs.len());
    put(&mut out, "{\"complete\":");
    boolean(Some(report.is_complete()), &mut out);
    put(&mut out, ",\"inputs\":[");
    list(&report.inputs, input, &mut out);
    put(&mut out, "]}");
    out
}

/// Not inlined, because its calls are most of this module, which is downloaded.
#[inline(never)]
fn put(out: &mut String, text: &str) {
    out.push_str(text);
}

fn list<T>(items: &[T], write: fn(&T, &mut String), out: &mut String) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            put(out, ",");
        }
        write(item, out);
    }
}

fn input(input: &InputSignatures, out: &mut String) {
    put(out, "{\"status\":");
    let status = match input.status {
        SignatureStatus::Valid => "valid",
        SignatureStatus::Missing => "missing",
        SignatureStatus::Invalid => "invalid",
        SignatureStatus::Incomplete => "incomplete",
        SignatureStatus::Inconclusive => "inconclusive",
    };
    quoted(Some(status), out);
    put(out, ",\"reason\":");
    quoted(input.reason.map(|reason| reason.code()), out);
    put(out, ",\"message\":");
    quoted(input.reason.map(|reason| reason.message()), out);
    put(out, ",\"needed\":");
    match input.needed {
        Some(needed) => number(needed, out),
        None => put(out, "null"),
    }
    put(out, ",\"signatures\":[");
    list(&input.signatures, signature, out);
    put(out, "]}");
}

fn signature(signature: &Signature, out: &mut String) {
    put(out, "{\"key\":");
    match &signature.key {
        Some(key) => {
            put(out, "\"");
            for byte in key {
                out.push(char::from(DIGITS[usize::from(byte >> 4)]));
                out.push(char::from(DIGITS[usize::from(byte & 15)]));
            }
            put(out, "\"");
        }
        None => put(out, "null"),
    }
    put(out, ",\"valid\":");
    boolean(signature.valid, out);
    put(out, ",\"sighash\":");
    number(signature.sighash.into(), out);
    put(out, ",\"commitsToAll\":");
    boolean(Some(signature.commits_to_all()), out);
    put(out, "}");
}

/// In decimal.
fn number(number: usize, out: &mut String) {
    if number >= 10 {
        self::number(number / 10, out);
    }
    out.push(char::from(DIGITS[number % 10]));
}

fn boolean(value: Option<bool>, out: &mut String) {
    put(
        out,
        match value {
            Some(true) => "true",
            Some(false) => "false",
            None => "null",
        },
    );
}

fn quoted(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => {
            put(out, "\"");
            put(out, text);
            put(out, "\"");
        }
        None => put(out, "null"),
    }
}
