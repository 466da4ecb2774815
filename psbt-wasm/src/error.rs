//! What can be wrong with a file, in words for the person who chose it and codes for programs.

#[cfg(feature = "bitcoin")]
mod parsing;
mod sentence;

/// Why a file cannot be read or makes no sense.
///
/// `Display` is a sentence for the person; [`Error::code`] is the stable name for programs. Neither ever
/// repeats bytes of the file, so both may be logged. Sentences count inputs from 1, as people do; the
/// fields and [`Error::input`] from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// More than [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES).
    FileTooLarge,
    /// Fewer bytes than the magic number has.
    FileTooShort,
    /// Neither a PSBT nor a complete transaction, in none of the encodings.
    InvalidMagic,
    /// It starts as a PSBT, and then breaks a rule of the format.
    CouldNotParse(Malformed),
    /// The transaction spends nothing.
    NoInputs,
    /// The transaction pays nobody.
    NoOutputs,
    /// An input spends the null outpoint, as only a coinbase transaction does.
    NullOutpoint {
        /// The input.
        input: usize,
    },
    /// Two inputs spend one outpoint.
    DuplicateInput {
        /// The later of the two inputs.
        input: usize,
    },
    /// BIP-0174: the txid of `PSBT_IN_NON_WITNESS_UTXO` must be that of the outpoint.
    PreviousTransactionMismatch {
        /// The input.
        input: usize,
    },
    /// The previous transaction has fewer outputs than the outpoint's index needs.
    PreviousOutputMissing {
        /// The input.
        input: usize,
    },
    /// `PSBT_IN_WITNESS_UTXO` and the previous transaction disagree on value or script.
    UtxoMismatch {
        /// The input.
        input: usize,
    },
    /// A value, or a sum of values, above 21 million BTC.
    AmountOutOfRange {
        /// The input whose value it is; none when it is an output's or a sum.
        input: Option<usize>,
    },
    /// The fee would be negative.
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
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// The text looks like base64, and is not.
    Base64,
    /// The text looks like hexadecimal digits, and is not.
    Hex,
    /// The bytes end before the last map does, or a value before its last field.
    Truncated,
    /// Bytes follow the last map.
    TrailingData,
    /// A version other than 0 (BIP-0174) and 2 (BIP-0370).
    Version(u32),
    /// A map has the same key twice.
    DuplicateField,
    /// A required field of the global map is absent.
    MissingField(&'static str),
    /// A required field of an input is absent.
    MissingInputField {
        /// The input.
        input: usize,
        /// The field's name in BIP-0370.
        field: &'static str,
    },
    /// A required field of an output is absent.
    MissingOutputField {
        /// The output.
        output: usize,
        /// The field's name in BIP-0370.
        field: &'static str,
    },
    /// A field that the file's version does not allow.
    MixedVersions,
    /// BIP-0370: one input requires a height, another one a time.
    LockTimeConflict,
    /// The global transaction must not be signed (BIP-0174).
    SignedTransaction,
    /// A field whose content is not what its type demands.
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
