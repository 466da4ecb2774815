//! `checkSignatures`. The report crosses the boundary as JSON text: it is small compared with the work that it reports.
//!
//! Checks run in portions: one call begins, and `goOn` is called until nothing is left. JavaScript runs one check at a time.

use alloc::{format, string::String, vec::Vec};
use core::fmt::{self, Display, Formatter};

use bitcoin::hex::DisplayHex;

use super::json::{List, OrNull, text_or_null};
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
            Self::Proof(checks) => super::proof::packed_check(&checks.into_check()),
        }
    }
}

#[cfg(psbt_wasm_package)]
pub(super) mod exports {
    use super::*;
    use crate::wasm::answer::{Kind, answer};
    use spin::Mutex;
    use wasm_bindgen::prelude::*;

    static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

    /// Answers when the file is refused; else `goOn` does, once nothing is left.
    #[wasm_bindgen(js_name = checkSignatures)]
    pub fn check(bytes: Vec<u8>, max_checks: u32) {
        begin(|| Running::of_file(bytes, max_checks));
    }

    /// Checks a portion; whether anything is left. If not, it answers, or has nothing to go on with.
    #[wasm_bindgen(js_name = goOn)]
    pub fn go_on() -> bool {
        let mut slot = RUNNING.lock();
        if let Some(mut running) = slot.take() {
            if running.go_on() {
                *slot = Some(running);
                return true;
            }
            answer(Kind::Bytes, Ok(running.into_found()));
        }
        false
    }

    /// An earlier check that did not end is dropped first.
    pub(in crate::wasm) fn begin(running: impl FnOnce() -> Result<Running, Error>) {
        let mut slot = RUNNING.lock();
        *slot = None;
        match running() {
            Ok(running) => *slot = Some(running),
            Err(error) => answer(Kind::Bytes, Err(error)),
        }
    }
}

fn json(report: &SignatureReport) -> String {
    format!("{{{}}}", Members(report, report.is_complete()))
}

/// The members of the JSON object of a report; whether it is complete.
pub(super) struct Members<'a>(pub(super) &'a SignatureReport, pub(super) bool);

impl Display for Members<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let inputs = List(&self.0.inputs, input);
        write!(f, r#""complete":{},"inputs":{inputs}"#, self.1)
    }
}

fn input(input: &InputSignatures, f: &mut Formatter<'_>) -> fmt::Result {
    let status: &str = input.status.into();
    write!(
        f,
        r#"{{"status":"{status}","reason":{},"message":{},"needed":{},"signatures":{}}}"#,
        text_or_null(input.reason.map(Reason::code)),
        text_or_null(input.reason.map(Reason::message)),
        OrNull(input.needed),
        List(&input.signatures, signature)
    )
}

fn signature(signature: &Signature, f: &mut Formatter<'_>) -> fmt::Result {
    let key = signature.key.as_ref().map(|key| key.to_lower_hex_string());
    write!(
        f,
        r#"{{"key":{},"valid":{},"sighash":{},"commitsToAll":{}}}"#,
        text_or_null(key.as_deref()),
        OrNull(signature.valid),
        signature.sighash,
        signature.commits_to_all()
    )
}
