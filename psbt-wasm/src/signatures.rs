//! Which inputs are validly signed, which are not, and why: advice for the holder of a file.
//!
//! It finds mistakes before the file is sent. It is **not** authoritative: it takes values and scripts from the file, and
//! judges scripts by their templates without running them. To rely on a file, look its coins up in the chain, and run the
//! scripts with a consensus engine.
//!
//! ```
//! use psbt_wasm::{Keys, SignatureStatus, check_signatures, decode};
//!
//! # fn main() -> Result<(), psbt_wasm::Error> {
//! # let text = include_bytes!("../tests/node/fixtures/mixed.psbt");
//! let binary = decode(text.as_slice())?;
//! let report = check_signatures(&binary.read(Keys::Form)?)?;
//! for input in report.inputs {
//!     if input.status != SignatureStatus::Valid {
//!         println!("{:?}: {}", input.status, input.reason.map_or("", |reason| reason.code()));
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod context;
mod fields;
mod further;
mod scripts;
mod taproot;
pub(crate) mod template;
mod transaction;
mod work;

use alloc::vec::Vec;

use crate::read::Binary;
use crate::{Error, File, Keys, ScriptType};
pub(crate) use context::verifier;
pub(crate) use fields::{Fields, elements};
pub(crate) use further::Digest;
pub(crate) use scripts::is_signature;
pub(crate) use taproot::{TAPSCRIPT, leaf_hash};
use transaction::Checker;
use work::HASHED_IN_A_CHECK;
pub use work::MAX_CHECKS;

/// What is known about the signatures of a file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignatureReport {
    /// The inputs, in order.
    pub inputs: Vec<InputSignatures>,
    /// Number of signature checks: at most [`MAX_CHECKS`], at most 256 plus one for every 32 bytes of signatures and witnesses, and at
    /// most 1,024 for one input.
    pub checks: usize,
}

impl SignatureReport {
    /// Whether every input is validly signed, and every signature commits to the whole transaction.
    pub fn is_complete(&self) -> bool {
        let complete = |input: &InputSignatures| {
            input.status == SignatureStatus::Valid
                && input.signatures.iter().all(Signature::commits_to_all)
        };
        self.inputs.iter().all(complete)
    }
}

/// What is known about the signatures of one input.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputSignatures {
    /// The verdict.
    pub status: SignatureStatus,
    /// Why it is not [`SignatureStatus::Valid`].
    pub reason: Option<Reason>,
    /// How many signatures the script needs; none when that is not known.
    pub needed: Option<usize>,
    /// The signatures that were found.
    pub signatures: Vec<Signature>,
}

/// The verdict on an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum SignatureStatus {
    /// All signatures that the script needs are there and valid.
    Valid,
    /// There are no signatures.
    Missing,
    /// A signature is wrong.
    Invalid,
    /// The signatures are valid, and more are needed.
    Incomplete,
    /// Unknown, because the file lacks something or the script is unusual.
    Inconclusive,
}

/// One signature.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// The key that it was checked with, as it is in the file; none when no key of the script matches.
    pub key: Option<Vec<u8>>,
    /// Whether it is valid; none when that could not be checked.
    pub valid: Option<bool>,
    /// The signature hash type: 0 is taproot's DEFAULT, 1 is ALL.
    pub sighash: u8,
}

impl Signature {
    /// Whether it commits to all inputs and outputs. Any other signature can also be part of another transaction.
    pub fn commits_to_all(&self) -> bool {
        self.sighash <= 1
    }
}

/// Why an input is not validly signed, or why that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumMessage)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// There is no signature.
    #[strum(message = "It is not signed.")]
    NoSignature,
    /// Fewer keys have signed than the script needs.
    #[strum(message = "More signatures are needed.")]
    MoreSignaturesNeeded,
    /// A signature does not fit the key and this transaction.
    #[strum(message = "A signature does not fit this transaction.")]
    WrongSignature,
    /// A taproot signature of 64 bytes, which are of the type DEFAULT, where the input asks for another type.
    #[strum(
        message = "Its taproot signature lacks the byte of the type that the file asks for. Sign again with a wallet that appends it."
    )]
    SighashByteMissing,
    /// A signature was made with a key that the script does not name.
    #[strum(message = "It is signed with a key that its script does not name.")]
    WrongKey,
    /// The file does not state what the input spends, or for taproot what another input spends.
    #[strum(
        message = "The file does not state what is spent, so the signature cannot be checked here."
    )]
    UnknownUtxo,
    /// The file lacks the script that the output has the hash of.
    #[strum(message = "The file lacks the script of this coin.")]
    ScriptMissing,
    /// The script in the file is not the one that the output commits to.
    #[strum(message = "The script in the file is not the script of this coin.")]
    WrongScript,
    /// The script is of an unknown kind.
    #[strum(message = "Its script is of an unusual kind that cannot be checked here.")]
    UnknownScript,
    /// The final fields have something where consensus allows nothing (BIP-0141, BIP-0016).
    #[strum(message = "Its signatures are not in the place where its script requires them.")]
    WrongForm,
    /// The script of a final input has a lock that the transaction does not meet (BIP-0065, BIP-0112).
    #[strum(message = "Its script has a lock that the transaction does not meet.")]
    LockNotMet,
}

impl Reason {
    /// A sentence for the holder of the file.
    pub fn message(self) -> &'static str {
        strum::EnumMessage::get_message(&self).unwrap_or_default()
    }
}

crate::facts::names!(Reason: code);

/// Checks the signatures of a file. The work is bounded by [`MAX_CHECKS`] and by the bytes of its signatures: inputs that need more
/// are inconclusive.
///
/// # Errors
///
/// [`Error::TransactionTooLarge`], and [`Error::CouldNotParse`] if this module and the reader disagree; no such file is known.
pub fn check_signatures(file: &File<'_>) -> Result<SignatureReport, Error> {
    let mut checker = Checker::new(file, MAX_CHECKS)?;
    let inputs = (0..checker.input_count())
        .map(|index| checker.input(file.bytes, index))
        .collect();
    let checks = checker.work.checks;
    Ok(SignatureReport { inputs, checks })
}

/// Checks in portions, so that the caller can do other work in between, or stop.
pub(crate) struct Checks {
    binary: Binary<'static>,
    checker: Checker,
    done: Vec<InputSignatures>,
}

/// A portion ends after this many checks (or as much hashing), about a twentieth of a second, or after this many inputs.
const PORTION_CHECKS: usize = 512;
const PORTION_INPUTS: usize = 8_192;

impl Checks {
    /// Never inlined, because the module that is downloaded calls it twice.
    #[inline(never)]
    pub(crate) fn new(binary: Binary<'static>, max_checks: u32) -> Result<Self, Error> {
        let checker = Checker::new(&binary.read(Keys::Form)?, max_checks)?;
        Ok(Self {
            done: Vec::with_capacity(checker.input_count()),
            binary,
            checker,
        })
    }

    /// Checks a portion of the inputs; whether any are left.
    pub(crate) fn go_on(&mut self) -> bool {
        let end = self.done.len() + PORTION_INPUTS;
        let enough = self.checker.work.left();
        let enough = enough.saturating_sub(PORTION_CHECKS * HASHED_IN_A_CHECK);
        while self.done.len() < self.checker.input_count() {
            if self.done.len() >= end || self.checker.work.left() < enough {
                return true;
            }
            let verdict = self.checker.input(self.binary.as_bytes(), self.done.len());
            self.done.push(verdict);
        }
        false
    }

    /// What was found so far.
    pub(crate) fn into_report(self) -> SignatureReport {
        SignatureReport {
            inputs: self.done,
            checks: self.checker.work.checks,
        }
    }
}

impl InputSignatures {
    fn with_reason(status: SignatureStatus, reason: Reason) -> Self {
        Self {
            status,
            reason: Some(reason),
            needed: None,
            signatures: Vec::new(),
        }
    }

    pub(crate) fn invalid(reason: Reason) -> Self {
        Self::with_reason(SignatureStatus::Invalid, reason)
    }

    fn inconclusive(reason: Reason) -> Self {
        Self::with_reason(SignatureStatus::Inconclusive, reason)
    }

    /// The verdict when a script wants `needed` signatures and these were found.
    fn judge(needed: usize, signatures: Vec<Signature>) -> Self {
        use SignatureStatus::{Incomplete, Inconclusive, Invalid, Missing, Valid};
        let mut verdicts = signatures.iter().map(|signature| signature.valid);
        let (status, reason) = if signatures.iter().any(|signature| signature.key.is_none()) {
            (Invalid, Some(Reason::WrongKey))
        } else if verdicts.clone().any(|valid| valid == Some(false)) {
            (Invalid, Some(Reason::WrongSignature))
        } else if verdicts.any(|valid| valid.is_none()) {
            (Inconclusive, Some(Reason::UnknownScript))
        } else if signatures.is_empty() {
            (Missing, Some(Reason::NoSignature))
        } else if signatures.len() < needed {
            (Incomplete, Some(Reason::MoreSignaturesNeeded))
        } else {
            (Valid, None)
        };
        Self {
            status,
            reason,
            needed: Some(needed),
            signatures,
        }
    }

    /// The verdict when it is not known how many signatures a script wants.
    fn judge_unknown(signatures: Vec<Signature>) -> Self {
        let mut input = Self::judge(usize::MAX, signatures);
        input.needed = None;
        if input.status == SignatureStatus::Incomplete {
            input.status = SignatureStatus::Inconclusive;
            input.reason = Some(Reason::UnknownScript);
        }
        input
    }
}
