//! `checkSignatures` and `checkProof` run in portions: one call begins, and `goOn` is called until nothing is left. JavaScript runs one
//! check at a time.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{proof, signatures};
use crate::proof::ProofChecks;
use crate::signatures::Checks;
use crate::{Error, decode};

/// What is checked at the moment.
pub(in crate::wasm) enum Running {
    Signatures(Box<Checks>),
    Proof(Box<ProofChecks>),
}

impl Running {
    pub(in crate::wasm) fn of_file(bytes: Vec<u8>, max_checks: u32) -> Result<Self, Error> {
        let checks = Checks::new(decode(bytes)?, max_checks)?;
        Ok(Self::Signatures(Box::new(checks)))
    }

    /// Of a proof file, after the origin of the board that was asked.
    pub(in crate::wasm) fn of_proof(frames: &[u8], max_checks: u32) -> Result<Self, Error> {
        Ok(Self::Proof(Box::new(proof::checks(frames, max_checks)?)))
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
            Self::Signatures(checks) => signatures::json(&checks.into_report()).into_bytes(),
            Self::Proof(checks) => proof::packed(&checks.into_check()),
        }
    }
}
