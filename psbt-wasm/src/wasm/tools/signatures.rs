//! The report on signatures. It crosses the boundary as JSON text: it is small compared with the work that it reports.

use alloc::{format, string::String};
use core::fmt::{self, Display, Formatter};

use bitcoin::hex::DisplayHex;

use super::json::{List, OrNull, text_or_null};
use crate::{InputSignatures, Reason, Signature, SignatureReport};

pub(super) fn json(report: &SignatureReport) -> String {
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
