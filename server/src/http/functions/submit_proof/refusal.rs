//! How a refusal is told to programs.

use axum::http::StatusCode;

use crate::verify::Refusal;

impl Refusal {
    /// The stable kebab-case name of the rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(error) => error.code(),
            Self::Extension => "extension",
            Self::TooManyInputs { .. } => "too-many-inputs",
            Self::TooHeavy { .. } => "too-heavy",
            Self::TooComplex => "too-complex",
            Self::ScriptTooComplex { .. } => "script-too-complex",
            Self::UnknownHint => "unknown-hint",
            Self::NotSigned { .. } => "not-signed",
            Self::NoUtxoInformation { .. } => "no-utxo-information",
            Self::MessageAlone => "message-alone",
            Self::MessageWithoutScript => "message-without-script",
            Self::MessageForm(_) => "message-form",
            Self::Incomplete { .. } => "incomplete",
            Self::CannotFinalise { .. } => "cannot-finalise",
            Self::Missing { .. } => "coin-missing",
            Self::SpentOrMissing { .. } => "coin-spent-or-missing",
            Self::Spent { .. } => "coin-spent",
            Self::SpentInMempool { .. } => "coin-spent-in-mempool",
            Self::Unconfirmed { .. } => "coin-unconfirmed",
            Self::Immature { .. } => "coin-immature",
            Self::ZeroValue { .. } => "coin-zero-value",
            Self::HintMismatch { .. } => "hint-mismatch",
            Self::InvalidSignature { .. } => "invalid-signature",
            Self::ForeignSighash { .. } => "foreign-sighash",
            Self::NotCommitted { .. } => "not-committed",
            Self::KeyNotCommitted { .. } => "key-not-committed",
            Self::Inconclusive { .. } => "inconclusive",
            Self::InvalidTransaction => "invalid-transaction",
            Self::OutputsAboveInputs => "outputs-above-inputs",
            Self::LockedUntil { .. } => "locked",
            Self::AbsoluteLock { .. } => "absolute-lock",
            Self::RelativeLock { .. } => "relative-lock",
            Self::RelativeLockUnknown { .. } => "relative-lock-unknown",
            Self::Uncheckable => "uncheckable",
        }
    }

    /// The input that is to blame, from 0, when it is one.
    #[must_use]
    pub fn input(&self) -> Option<usize> {
        match self {
            Self::File(error) => error.input(),
            Self::NotSigned { input }
            | Self::NoUtxoInformation { input }
            | Self::ScriptTooComplex { input }
            | Self::Incomplete { input }
            | Self::CannotFinalise { input }
            | Self::Missing { input }
            | Self::SpentOrMissing { input }
            | Self::Spent { input }
            | Self::SpentInMempool { input }
            | Self::Unconfirmed { input, .. }
            | Self::Immature { input, .. }
            | Self::ZeroValue { input }
            | Self::HintMismatch { input }
            | Self::InvalidSignature { input }
            | Self::ForeignSighash { input, .. }
            | Self::NotCommitted { input }
            | Self::KeyNotCommitted { input }
            | Self::Inconclusive { input }
            | Self::AbsoluteLock { input, .. }
            | Self::RelativeLock { input }
            | Self::RelativeLockUnknown { input } => Some(*input),
            Self::Extension
            | Self::TooManyInputs { .. }
            | Self::TooHeavy { .. }
            | Self::TooComplex
            | Self::UnknownHint
            | Self::MessageAlone
            | Self::MessageWithoutScript
            | Self::MessageForm(_)
            | Self::InvalidTransaction
            | Self::OutputsAboveInputs
            | Self::LockedUntil { .. }
            | Self::Uncheckable => None,
        }
    }

    /// 400 for a file that cannot be read, 413 for one that is too large, 422 for one that is no proof.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::File(psbt_wasm::Error::FileTooLarge)
            | Self::TooManyInputs { .. }
            | Self::TooHeavy { .. }
            | Self::TooComplex
            | Self::ScriptTooComplex { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::File(_) | Self::Extension | Self::UnknownHint => StatusCode::BAD_REQUEST,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }
}
