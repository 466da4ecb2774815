//! Why a file is not a proof: one named variant for each rule.

use axum::http::StatusCode;

/// The rule that a file breaks. `Display` tells the person which rule, which input and what to do;
/// inputs are counted from 1 there, as wallets show them.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The bytes are no well-formed file.
    #[error(transparent)]
    File(#[from] psbt_wasm::Error),
    /// The name has another extension.
    #[error("Please upload a valid PSBT file (.psbt extension)")]
    Extension,
    /// Rule A1.
    #[error("The file has {inputs} inputs; at most {limit} can be checked at once. Split the coins over several files.")]
    TooManyInputs {
        /// How many it has.
        inputs: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// Rule A1: a transaction that no node would relay.
    #[error("The transaction is too large: its weight is {weight}, and at most {limit} can be checked. Split the coins over several files.")]
    TooHeavy {
        /// Its weight in weight units (BIP-0141).
        weight: u64,
        /// The limit in weight units.
        limit: u64,
    },
    /// The `utxos` beside the file name an outpoint that the file does not spend.
    #[error("The list of coins sent with the file names a coin that the file does not spend. Reload the page and choose the file again.")]
    UnknownHint,
    /// Rule A5: an input without any signature.
    #[error("Input {} is not signed. Open the file in your wallet, sign every input and export it again.", .input + 1)]
    NotSigned {
        /// The input, from 0.
        input: usize,
    },
    /// Not enough signatures for the script.
    #[error("Input {} is not completely signed: its script needs more signatures. Collect the signatures of the other devices and export it again.", .input + 1)]
    Incomplete {
        /// The input, from 0.
        input: usize,
    },
    /// The signatures cannot be put together because the script is unknown.
    #[error("Input {} has a script that cannot be completed here. Finalise the transaction in your wallet and export it again.", .input + 1)]
    CannotFinalise {
        /// The input, from 0.
        input: usize,
    },
    /// Rule B: no such coin.
    #[error("Input {} spends a coin that does not exist on this network. Check that the wallet is on the right network.", .input + 1)]
    Missing {
        /// The input, from 0.
        input: usize,
    },
    /// The source keeps no history, so it cannot tell spent from never there.
    #[error("Input {} spends a coin that has been spent or does not exist. Make a new transaction from coins you still hold.", .input + 1)]
    SpentOrMissing {
        /// The input, from 0.
        input: usize,
    },
    /// Rule B1.
    #[error("Input {} spends a coin that has already been spent. Make a new transaction from coins you still hold.", .input + 1)]
    Spent {
        /// The input, from 0.
        input: usize,
    },
    /// Rule B1: a transaction in the mempool spends it, be it this very one.
    #[error("Input {} spends a coin that an unconfirmed transaction is spending. The transaction of a proof must not be broadcast.", .input + 1)]
    SpentInMempool {
        /// The input, from 0.
        input: usize,
    },
    /// Rule B2.
    #[error("Input {} spends a coin with {confirmations} confirmations; {needed} are needed. Wait for the next block and try again.", .input + 1)]
    Unconfirmed {
        /// The input, from 0.
        input: usize,
        /// How many blocks confirm it.
        confirmations: u32,
        /// How many must.
        needed: u32,
    },
    /// Rule B3.
    #[error("Input {} spends a mining reward that cannot be spent yet: it needs 100 confirmations and has {confirmations}.", .input + 1)]
    Immature {
        /// The input, from 0.
        input: usize,
        /// How many blocks confirm it.
        confirmations: u32,
    },
    /// Rule A3: the file, or the list beside it, states another value or script than the chain.
    #[error("Input {} states another amount or script than the coin has on the chain.", .input + 1)]
    HintMismatch {
        /// The input, from 0.
        input: usize,
    },
    /// Rule A5: the script of the coin does not accept the input.
    #[error("Input {} does not have a valid signature for its coin. Sign the transaction again in your wallet.", .input + 1)]
    InvalidSignature {
        /// The input, from 0.
        input: usize,
    },
    /// Rule A4: Bitcoin Core's structural check.
    #[error("The transaction breaks a rule of Bitcoin and could never be mined.")]
    InvalidTransaction,
    /// Rule A4.
    #[error("The outputs are worth more than the inputs.")]
    OutputsAboveInputs,
    /// Rule B4: the transaction's own lock time.
    #[error("The transaction is locked until {until}, so it does not show that the coins can be spent now. Make it without a lock time in the future.")]
    LockedUntil {
        /// A block height or a time, in words.
        until: String,
    },
    /// Rule B4: a relative lock (BIP-0068).
    #[error("Input {} is locked for a while after its coin was received, and that time is not over.", .input + 1)]
    RelativeLock {
        /// The input, from 0.
        input: usize,
    },
    /// A checker failed in a way that it must not; treated as a refusal, never as a proof.
    #[error("The file could not be checked. It has been refused to be safe.")]
    Uncheckable,
}

impl Refusal {
    /// The stable kebab-case name of the rule.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(error) => error.code(),
            Self::Extension => "extension",
            Self::TooManyInputs { .. } => "too-many-inputs",
            Self::TooHeavy { .. } => "too-heavy",
            Self::UnknownHint => "unknown-hint",
            Self::NotSigned { .. } => "not-signed",
            Self::Incomplete { .. } => "incomplete",
            Self::CannotFinalise { .. } => "cannot-finalise",
            Self::Missing { .. } => "coin-missing",
            Self::SpentOrMissing { .. } => "coin-spent-or-missing",
            Self::Spent { .. } => "coin-spent",
            Self::SpentInMempool { .. } => "coin-spent-in-mempool",
            Self::Unconfirmed { .. } => "coin-unconfirmed",
            Self::Immature { .. } => "coin-immature",
            Self::HintMismatch { .. } => "hint-mismatch",
            Self::InvalidSignature { .. } => "invalid-signature",
            Self::InvalidTransaction => "invalid-transaction",
            Self::OutputsAboveInputs => "outputs-above-inputs",
            Self::LockedUntil { .. } => "locked",
            Self::RelativeLock { .. } => "relative-lock",
            Self::Uncheckable => "uncheckable",
        }
    }

    /// The input that is to blame, from 0, when it is one.
    #[must_use]
    pub fn input(&self) -> Option<usize> {
        match self {
            Self::File(error) => error.input(),
            Self::NotSigned { input }
            | Self::Incomplete { input }
            | Self::CannotFinalise { input }
            | Self::Missing { input }
            | Self::SpentOrMissing { input }
            | Self::Spent { input }
            | Self::SpentInMempool { input }
            | Self::Unconfirmed { input, .. }
            | Self::Immature { input, .. }
            | Self::HintMismatch { input }
            | Self::InvalidSignature { input }
            | Self::RelativeLock { input } => Some(*input),
            _ => None,
        }
    }

    /// 400 for a file that cannot be read, 413 for one that is too large, 422 for one that is no proof.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::File(psbt_wasm::Error::FileTooLarge)
            | Self::TooManyInputs { .. }
            | Self::TooHeavy { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::File(_) | Self::Extension | Self::UnknownHint => StatusCode::BAD_REQUEST,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }
}
