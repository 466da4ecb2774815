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
pub(in crate::wasm) enum Running {
    Signatures(Checks),
    Proof(ProofChecks),
}

impl Running {
    pub(in crate::wasm) fn of_file(bytes: Vec<u8>, max_checks: u32) -> Result<Self, Error> {
        Ok(Self::Signatures(Checks::new(decode(bytes)?, max_checks)?))
    }

    /// Checks a portion; whether anything is left.
    pub(in crate::wasm) fn go_on(&mut self) -> bool {
        match self {
            Self::Signatures(checks) => checks.go_on(),
            Self::Proof(checks) => checks.go_on(),
        }
    }

    /// What was found: JSON, of a proof before its PSBT.
    pub(in crate::wasm) fn into_found(self) -> Vec<u8> {
        match self {
            Self::Signatures(checks) => json(&checks.into_report()).into_bytes(),
            Self::Proof(checks) => super::proof::packed_check(&checks.into_check()),
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
