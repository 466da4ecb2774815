//! What can be wrong with a file, in words for the person who chose it and codes for programs.

pub(crate) mod sentence;

/// Why a file cannot be read or makes no sense.
///
/// `Display` is a sentence for the person; [`Error::code`] is the stable name for programs. Neither ever
/// repeats bytes of the file, so both may be logged. Sentences count inputs from 1, as people do; the
/// fields and [`Error::input`] from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// No proof can be made of it, or it cannot be put together with other files.
    #[cfg(feature = "make")]
    Make(crate::MakeError),
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
            #[cfg(feature = "make")]
            Self::Make(error) => error.code(),
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
            #[cfg(feature = "make")]
            Self::Make(error) => error.input(),
            _ => None,
        }
    }
}

/// Where a file breaks a rule of the format, and which rule that is; `Display` is one sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed {
    /// The map that is to blame; none when it is the file as a whole.
    pub map: Option<Map>,
    /// The name that a BIP gives the field; none when it is the map as a whole.
    pub field: Option<&'static str>,
    /// What is wrong with it.
    pub fault: Fault,
}

/// One of the maps that a PSBT is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Map {
    /// The first one, about the transaction.
    Global,
    /// That of an input, counted from 0.
    Input(usize),
    /// That of an output, counted from 0.
    Output(usize),
}

/// The rule of the format that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The text looks like base64, and is not.
    Base64,
    /// The text looks like hexadecimal digits, and is not.
    Hex,
    /// The bytes end before the last map does, or a value before its last part.
    Truncated,
    /// Bytes follow the last map.
    TrailingData,
    /// A version other than 0 (BIP-0174) and 2 (BIP-0370).
    Version(u32),
    /// A map has the same key twice.
    Duplicate,
    /// A required field is absent.
    Missing,
    /// A field that the file's version does not allow.
    MixedVersions,
    /// BIP-0370: one input requires a height, another one a time.
    LockTimeConflict,
    /// The global transaction must not be signed (BIP-0174).
    SignedTransaction,
    /// The part of the field that is not what the field demands.
    Invalid(&'static str),
    /// The `bitcoin` crate, the second opinion of [`read`](crate::read), refuses it.
    #[cfg(feature = "bitcoin")]
    Disputed,
}

impl Malformed {
    fn input(&self) -> Option<usize> {
        match self.map {
            Some(Map::Input(input)) => Some(input),
            _ => None,
        }
    }
}

impl From<Fault> for Malformed {
    /// Of the file as a whole.
    fn from(fault: Fault) -> Self {
        Self {
            map: None,
            field: None,
            fault,
        }
    }
}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Self {
        Self::CouldNotParse(malformed)
    }
}

#[cfg(feature = "make")]
impl From<crate::MakeError> for Error {
    fn from(error: crate::MakeError) -> Self {
        Self::Make(error)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Malformed::from(fault).into()
    }
}
