//! `checkSignatures`. The report crosses the boundary as JSON text: it is small beside the work that it reports.
//!
//! Checks run in portions: one call begins, and `goOn` is called until it says that nothing is left. JavaScript lets one run at a time.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::sentence::number;
use crate::proof::ProofChecks;
use crate::signatures::Checks;
use crate::{Error, InputSignatures, Signature, SignatureReport, SignatureStatus, decode};

/// What is checked at the moment.
pub(super) enum Running {
    Signatures(Checks),
    Proof(ProofChecks),
}

impl Running {
    pub(super) fn of_file(bytes: Vec<u8>, max_checks: u32) -> Result<Self, Error> {
        Ok(Self::Signatures(Checks::new(decode(bytes)?, max_checks)?))
    }

    /// Checks a portion; whether anything is left.
    pub(super) fn go_on(&mut self) -> bool {
        match self {
            Self::Signatures(checks) => checks.go_on(),
            Self::Proof(checks) => checks.go_on(),
        }
    }

    /// What was found: JSON, of a proof before its PSBT.
    pub(super) fn into_found(self) -> Vec<u8> {
        match self {
            Self::Signatures(checks) => json(&checks.into_report()).into_bytes(),
            Self::Proof(checks) => super::proof::packed(&checks.into_check()),
        }
    }
}

#[cfg(psbt_wasm_package)]
pub(super) mod exports {
    use std::cell::RefCell;

    use super::*;
    use crate::wasm::answer::{Kind, answer};
    use wasm_bindgen::prelude::*;

    thread_local! {
        static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
    }

    /// Answers when the file is refused; else `goOn` does, once nothing is left.
    #[wasm_bindgen(js_name = checkSignatures)]
    pub fn check(bytes: Vec<u8>, max_checks: u32) {
        begin(|| Running::of_file(bytes, max_checks));
    }

    /// Checks a portion; whether anything is left. If not, it answers, or has nothing to go on with.
    #[wasm_bindgen(js_name = goOn)]
    pub fn go_on() -> bool {
        if let Some(mut running) = RUNNING.take() {
            if running.go_on() {
                RUNNING.set(Some(running));
                return true;
            }
            answer(Kind::Bytes, Ok(running.into_found()));
        }
        false
    }

    /// What was begun before and not brought to an end is dropped first.
    pub(in crate::wasm) fn begin(running: impl FnOnce() -> Result<Running, Error>) {
        drop(RUNNING.take());
        match running() {
            Ok(running) => RUNNING.set(Some(running)),
            Err(error) => answer(Kind::Bytes, Err(error)),
        }
    }
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// No text in a report has a character that JSON would escape: hexadecimal digits, and words from fixed lists.
fn json(report: &SignatureReport) -> String {
    let mut out = String::with_capacity(64 + 256 * report.inputs.len());
    put(&mut out, "{");
    members(report, report.is_complete(), &mut out);
    out
}

/// The end of the object of a report.
pub(super) fn members(report: &SignatureReport, complete: bool, out: &mut String) {
    put(out, "\"complete\":");
    boolean(Some(complete), out);
    put(out, ",\"inputs\":[");
    list(&report.inputs, input, out);
    put(out, "]}");
}

/// Not inlined, because its calls are most of this module, which is downloaded.
#[inline(never)]
pub(super) fn put(out: &mut String, text: &str) {
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
        Some(needed) => number(needed as u64, out),
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

pub(super) fn quoted(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => {
            put(out, "\"");
            put(out, text);
            put(out, "\"");
        }
        None => put(out, "null"),
    }
}
