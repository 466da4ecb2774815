//! `checkSignatures`. The report crosses the boundary as JSON text: it is small beside the work that it reports.

use crate::light::{self, Keys};
use crate::{
    Error, InputSignatures, Signature, SignatureReport, SignatureStatus, check_signatures,
};

/// The report on a file's signatures, as JSON.
pub(super) fn checked(bytes: Vec<u8>) -> Result<String, Error> {
    let binary = light::decode(bytes)?;
    Ok(json(&check_signatures(&binary.read(Keys::Form)?)?))
}

#[cfg(in_package)]
mod exports {
    use super::*;
    use crate::wasm::answer::{Kind, answer};
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen(js_name = checkSignatures)]
    pub fn check(bytes: Vec<u8>) {
        answer(Kind::Json, checked(bytes).map(String::into_bytes));
    }
}

/// No text in a report has a character that JSON would escape: hexadecimal digits, and words from fixed lists.
fn json(report: &SignatureReport) -> String {
    let mut out = String::with_capacity(64 + 256 * report.inputs.len());
    out.push_str("{\"complete\":");
    out.push_str(boolean(Some(report.is_complete())));
    out.push_str(",\"inputs\":[");
    for (index, one) in report.inputs.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        input(one, &mut out);
    }
    out.push_str("]}");
    out
}

fn input(input: &InputSignatures, out: &mut String) {
    out.push_str("{\"status\":\"");
    out.push_str(match input.status {
        SignatureStatus::Valid => "valid",
        SignatureStatus::Missing => "missing",
        SignatureStatus::Invalid => "invalid",
        SignatureStatus::Incomplete => "incomplete",
        SignatureStatus::Inconclusive => "inconclusive",
    });
    out.push_str("\",\"reason\":");
    quoted(input.reason.map(|reason| reason.code()), out);
    out.push_str(",\"message\":");
    quoted(input.reason.map(|reason| reason.message()), out);
    out.push_str(",\"needed\":");
    match input.needed {
        Some(needed) => out.push_str(&needed.to_string()),
        None => out.push_str("null"),
    }
    out.push_str(",\"signatures\":[");
    for (index, one) in input.signatures.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        signature(one, out);
    }
    out.push_str("]}");
}

fn signature(signature: &Signature, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.push_str("{\"key\":");
    match &signature.key {
        Some(key) => {
            out.push('"');
            for byte in key {
                out.push(char::from(DIGITS[usize::from(byte >> 4)]));
                out.push(char::from(DIGITS[usize::from(byte & 15)]));
            }
            out.push('"');
        }
        None => out.push_str("null"),
    }
    out.push_str(",\"valid\":");
    out.push_str(boolean(signature.valid));
    out.push_str(",\"sighash\":");
    out.push_str(&signature.sighash.to_string());
    out.push_str(",\"commitsToAll\":");
    out.push_str(boolean(Some(signature.commits_to_all())));
    out.push('}');
}

fn boolean(value: Option<bool>) -> &'static str {
    match value {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    }
}

fn quoted(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => {
            out.push('"');
            out.push_str(text);
            out.push('"');
        }
        None => out.push_str("null"),
    }
}
