//! `checkSignatures`. The report crosses the boundary as JSON text: it is small beside the work that it reports.
//!
//! Checks run in portions: one call begins, and `goOn` is called until it says that nothing is left. JavaScript lets one run at a time.

use alloc::{format, string::String, vec::Vec};
use core::fmt::Display;

use bitcoin::hex::DisplayHex;

use crate::proof::ProofChecks;
use crate::signatures::Checks;
use crate::{Error, InputSignatures, Reason, Signature, SignatureReport, decode};

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

/// No text in a report has a character that JSON would escape: hexadecimal digits, and words from fixed lists.
fn json(report: &SignatureReport) -> String {
    format!("{{{}", members(report, report.is_complete()))
}

/// The end of the object of a report.
pub(super) fn members(report: &SignatureReport, complete: bool) -> String {
    let inputs = list(&report.inputs, input);
    format!(r#""complete":{complete},"inputs":[{inputs}]}}"#)
}

pub(super) fn list<T>(items: &[T], json: fn(&T) -> String) -> String {
    items.iter().map(json).collect::<Vec<_>>().join(",")
}

fn input(input: &InputSignatures) -> String {
    format!(
        r#"{{"status":{},"reason":{},"message":{},"needed":{},"signatures":[{}]}}"#,
        quoted(Some(input.status.into())),
        quoted(input.reason.map(Reason::code)),
        quoted(input.reason.map(Reason::message)),
        or_null(input.needed),
        list(&input.signatures, signature)
    )
}

fn signature(signature: &Signature) -> String {
    let key = signature.key.as_ref().map(|key| key.to_lower_hex_string());
    format!(
        r#"{{"key":{},"valid":{},"sighash":{},"commitsToAll":{}}}"#,
        quoted(key.as_deref()),
        or_null(signature.valid),
        signature.sighash,
        signature.commits_to_all()
    )
}

pub(super) fn or_null(value: Option<impl Display>) -> String {
    value.map_or("null".into(), |value| format!("{value}"))
}

pub(super) fn quoted(text: Option<&str>) -> String {
    or_null(text.map(|text| format!("\"{text}\"")))
}
