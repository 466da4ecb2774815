//! What can be wrong with a file, in words for the person who chose it and codes for programs.

#[cfg(feature = "bitcoin")]
mod parsing;

/// Why a file cannot be read or makes no sense.
///
/// `Display` is a sentence for the person; [`Error::code`] is the stable name for programs. Neither ever
/// repeats bytes of the file, so both may be logged. Sentences count inputs from 1, as people do; the
/// fields and [`Error::input`] from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// More than [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES).
    #[error("The file is too large: at most {} MiB can be read.", crate::MAX_FILE_BYTES >> 20)]
    FileTooLarge,
    /// Fewer bytes than the magic number has.
    #[error("Invalid PSBT: File too short")]
    FileTooShort,
    /// Neither a PSBT nor a complete transaction, in none of the encodings.
    #[error("Invalid PSBT: Invalid magic number")]
    InvalidMagic,
    /// It starts as a PSBT, and then breaks a rule of the format.
    #[error("Invalid PSBT: Could not parse. {0}")]
    CouldNotParse(#[from] Malformed),
    /// The transaction spends nothing.
    #[error("No inputs found")]
    NoInputs,
    /// The transaction pays nobody.
    #[error("No outputs found")]
    NoOutputs,
    /// An input spends the null outpoint, as only a coinbase transaction does.
    #[error("Input {} spends no previous output: this is a coinbase transaction.", .input + 1)]
    NullOutpoint {
        /// The input.
        input: usize,
    },
    /// Two inputs spend one outpoint.
    #[error("Input {} spends the same output as an earlier input.", .input + 1)]
    DuplicateInput {
        /// The later of the two inputs.
        input: usize,
    },
    /// BIP-0174: the txid of `PSBT_IN_NON_WITNESS_UTXO` must be that of the outpoint.
    #[error("Input {} carries a previous transaction that is not the one it spends.", .input + 1)]
    PreviousTransactionMismatch {
        /// The input.
        input: usize,
    },
    /// The previous transaction has fewer outputs than the outpoint's index needs.
    #[error("Input {} spends an output that its previous transaction does not have.", .input + 1)]
    PreviousOutputMissing {
        /// The input.
        input: usize,
    },
    /// `PSBT_IN_WITNESS_UTXO` and the previous transaction disagree on value or script.
    #[error("Input {} states another value or script than its previous transaction has.", .input + 1)]
    UtxoMismatch {
        /// The input.
        input: usize,
    },
    /// A value, or a sum of values, above 21 million BTC.
    #[error("The amounts are impossible: they exceed 21 million BTC.")]
    AmountOutOfRange {
        /// The input whose value it is; none when it is an output's or a sum.
        input: Option<usize>,
    },
    /// The fee would be negative.
    #[error("The amounts are impossible: the outputs are above the inputs.")]
    OutputsAboveInputs,
}

impl Error {
    /// The stable kebab-case name of this error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::FileTooLarge => "file-too-large",
            Self::FileTooShort => "file-too-short",
            Self::InvalidMagic => "invalid-magic",
            Self::CouldNotParse(_) => "could-not-parse",
            Self::NoInputs => "no-inputs",
            Self::NoOutputs => "no-outputs",
            Self::NullOutpoint { .. } => "null-outpoint",
            Self::DuplicateInput { .. } => "duplicate-input",
            Self::PreviousTransactionMismatch { .. } => "previous-transaction-mismatch",
            Self::PreviousOutputMissing { .. } => "previous-output-missing",
            Self::UtxoMismatch { .. } => "utxo-mismatch",
            Self::AmountOutOfRange { .. } => "amount-out-of-range",
            Self::OutputsAboveInputs => "outputs-above-inputs",
        }
    }

    /// The index of the input that is to blame, when it is one.
    pub fn input(&self) -> Option<usize> {
        match self {
            Self::NullOutpoint { input }
            | Self::DuplicateInput { input }
            | Self::PreviousTransactionMismatch { input }
            | Self::PreviousOutputMissing { input }
            | Self::UtxoMismatch { input } => Some(*input),
            Self::AmountOutOfRange { input } => *input,
            Self::CouldNotParse(malformed) => malformed.input(),
            _ => None,
        }
    }
}

/// The rule of the format that a file breaks; `Display` is one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// The text looks like base64, and is not.
    #[error("The base64 text is damaged.")]
    Base64,
    /// The text looks like hexadecimal digits, and is not.
    #[error("The hexadecimal text is damaged.")]
    Hex,
    /// The bytes end before the last map does, or a value before its last field.
    #[error("The file, or a field in it, ends too early.")]
    Truncated,
    /// Bytes follow the last map.
    #[error("There is unexpected data after the end.")]
    TrailingData,
    /// A version other than 0 (BIP-0174) and 2 (BIP-0370).
    #[error("PSBT version {0} is not supported.")]
    Version(u32),
    /// A map has the same key twice.
    #[error("A field appears twice.")]
    DuplicateField,
    /// A required field of the global map is absent.
    #[error("It lacks the required field {0}.")]
    MissingField(&'static str),
    /// A required field of an input is absent.
    #[error("Input {} lacks the required field {field}.", .input + 1)]
    MissingInputField {
        /// The input.
        input: usize,
        /// The field's name in BIP-0370.
        field: &'static str,
    },
    /// A required field of an output is absent.
    #[error("Output {} lacks the required field {field}.", .output + 1)]
    MissingOutputField {
        /// The output.
        output: usize,
        /// The field's name in BIP-0370.
        field: &'static str,
    },
    /// A field that the file's version does not allow.
    #[error("It mixes fields of PSBT versions 0 and 2.")]
    MixedVersions,
    /// BIP-0370: one input requires a height, another one a time.
    #[error("Its inputs require lock times that exclude each other.")]
    LockTimeConflict,
    /// The global transaction must not be signed (BIP-0174).
    #[error("Its unsigned transaction is signed.")]
    SignedTransaction,
    /// A field whose content is not what its type demands.
    #[error("It has an invalid {0}.")]
    InvalidField(&'static str),
}

impl Malformed {
    fn input(&self) -> Option<usize> {
        match self {
            Self::MissingInputField { input, .. } => Some(*input),
            _ => None,
        }
    }
}
