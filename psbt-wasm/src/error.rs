//! What can be wrong with a file: sentences for the person who chose it, codes for programs.

use alloc::{format, string::String};
use core::fmt;

/// Why a file cannot be read, or is impossible.
///
/// `Display` is a sentence for the person; [`Error::code`] is the stable name for programs. Neither ever
/// repeats bytes of the file, so both may be logged. Sentences count inputs from 1, as people do; the
/// fields and [`Error::map`] from 0.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Error {
    /// More than [`MAX_FILE_BYTES`](crate::MAX_FILE_BYTES).
    #[error("The file is too large: at most 32 MiB can be read.")]
    FileTooLarge,
    /// It has fewer bytes than the magic number.
    #[error("Invalid PSBT: File too short")]
    FileTooShort,
    /// It is neither a PSBT nor a complete transaction in any encoding.
    #[error("Invalid PSBT: Invalid magic number")]
    InvalidMagic,
    /// It starts like a PSBT, and then breaks a rule of the format.
    #[error("Invalid PSBT: Could not parse. {0}")]
    CouldNotParse(#[from] Malformed),
    /// The transaction has no inputs.
    #[error("No inputs found")]
    NoInputs,
    /// The transaction has no outputs.
    #[error("No outputs found")]
    NoOutputs,
    /// An input spends the null outpoint, as only a coinbase transaction does.
    #[error("Input {} spends no previous output: this is a coinbase transaction.", .input + 1)]
    NullOutpoint {
        /// The input, counted from 0.
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
        /// The input, counted from 0.
        input: usize,
    },
    /// The previous transaction has no output with the index of the outpoint.
    #[error("Input {} spends an output that its previous transaction does not have.", .input + 1)]
    PreviousOutputMissing {
        /// The input, counted from 0.
        input: usize,
    },
    /// `PSBT_IN_WITNESS_UTXO` and the previous transaction disagree on value or script.
    #[error("Input {} states another value or script than its previous transaction has.", .input + 1)]
    UtxoMismatch {
        /// The input, counted from 0.
        input: usize,
    },
    /// A value, or a sum of values, is above 21 million BTC.
    #[error("The amounts are impossible: they exceed 21 million BTC.")]
    AmountOutOfRange {
        /// The input whose value it is; none when it is an output's or a sum.
        input: Option<usize>,
    },
    /// The fee would be negative.
    #[error("The amounts are impossible: the outputs are above the inputs.")]
    OutputsAboveInputs,
    /// No block can hold the transaction (BIP-0141), so that there are no signatures to check.
    #[cfg(feature = "tools")]
    #[strum(serialize = "file-too-large")]
    #[error("The transaction is too large: no block can hold it.")]
    TransactionTooLarge,
    /// It is no proof file: this member, or one of its own members, is missing, unknown, there twice or malformed.
    #[cfg(feature = "tools")]
    #[error(
        "This is not a proof file, or a part of it is missing, unknown, there twice or malformed: {0}"
    )]
    MalformedProof(&'static str),
    /// A text is no instant with its time zone.
    #[cfg(feature = "tools")]
    #[error("{0}")]
    InvalidInstant(#[from] crate::date::InvalidInstant),
    /// No proof can be made from it, or it cannot be combined with other files.
    #[cfg(feature = "tools")]
    #[strum(transparent)]
    #[error("{0}")]
    Make(#[from] crate::MakeError),
}

impl Error {
    /// The stable kebab-case name of this error.
    pub fn code(&self) -> &'static str {
        self.into()
    }

    /// The map that is wrong, if the error is about one.
    pub fn map(&self) -> Option<Map> {
        match self {
            Self::NullOutpoint { input }
            | Self::DuplicateInput { input }
            | Self::PreviousTransactionMismatch { input }
            | Self::PreviousOutputMissing { input }
            | Self::UtxoMismatch { input } => Some(Map::Input(*input)),
            Self::CouldNotParse(malformed) => malformed.map,
            Self::AmountOutOfRange { input } => input.map(Map::Input),
            #[cfg(feature = "tools")]
            Self::Make(error) => error.map(),
            _ => None,
        }
    }

    /// The name of the field that is wrong in its BIP, if the error is about one.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::CouldNotParse(malformed) => malformed.field,
            #[cfg(feature = "tools")]
            Self::Make(crate::MakeError::Conflict { field, .. }) => Some(field),
            _ => None,
        }
    }

    /// The index of the input that is wrong, if the error is about one.
    pub fn input(&self) -> Option<usize> {
        match self.map()? {
            Map::Input(input) => Some(input),
            _ => None,
        }
    }
}

/// Where a file breaks a rule of the format, and which rule; `Display` is one sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed {
    /// The map that is wrong; none when the file as a whole is.
    pub map: Option<Map>,
    /// The name of the field in its BIP; none when the map as a whole is wrong.
    pub field: Option<&'static str>,
    /// What is wrong.
    pub fault: Fault,
}

/// One of the maps of a PSBT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Map {
    /// The first map, about the transaction.
    Global,
    /// The map of an input, counted from 0.
    Input(usize),
    /// The map of an output, counted from 0.
    Output(usize),
}

/// The rule of the format that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text starts like base64 of a PSBT, and is not base64.
    #[error("The base64 text is damaged.")]
    Base64,
    /// The text starts like hexadecimal digits of a PSBT, and has other characters.
    #[error("The hexadecimal text is damaged.")]
    Hex,
    /// The bytes end within a map, or a value ends within one of its parts.
    #[error("The file, or a field in it, ends too early.")]
    Truncated,
    /// Bytes follow the last map.
    #[error("There is unexpected data after the end.")]
    TrailingData,
    /// A version other than 0 (BIP-0174) and 2 (BIP-0370).
    #[error("PSBT version {0} is not supported.")]
    Version(u32),
    /// A map has the same key twice.
    #[error("The field appears twice.")]
    Duplicate,
    /// A required field is absent.
    #[error("The field is required, and missing.")]
    Missing,
    /// A field that the file's version does not allow.
    #[error("It mixes fields of PSBT versions 0 and 2.")]
    MixedVersions,
    /// One input requires a height and another one a time (BIP-0370).
    #[error("Its inputs require lock times that exclude each other.")]
    LockTimeConflict,
    /// The global transaction is signed, which BIP-0174 forbids.
    #[error("The unsigned transaction is signed.")]
    SignedTransaction,
    /// The type in the field's key, or a vendor's type after it, is not one that Bitcoin Core reads. None if it is cut short.
    #[cfg(feature = "tools")]
    #[error("{}", FieldType(*.0))]
    FieldType(Option<u64>),
    /// This part of the field is invalid.
    #[error("It has an invalid {0}.")]
    Invalid(&'static str),
    /// The `bitcoin` crate, the second opinion of [`read`](crate::read), refuses it.
    #[cfg(feature = "tools")]
    #[error("A second reader refuses it.")]
    Disputed,
}

/// What is wrong with the type of a field.
#[cfg(feature = "tools")]
struct FieldType(Option<u64>);

#[cfg(feature = "tools")]
impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => write!(
                f,
                "Its type is {number}, but not written as a CompactSize that Bitcoin Core reads."
            ),
            None => f.write_str("Its type is cut short."),
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

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Malformed::from(fault).into()
    }
}

/// People count inputs and outputs from 1.
impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Global => f.write_str("Global"),
            Self::Input(index) => write!(f, "Input {}", index + 1),
            Self::Output(index) => write!(f, "Output {}", index + 1),
        }
    }
}

impl Map {
    /// `global`, `input` or `output`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Input(_) => "input",
            Self::Output(_) => "output",
        }
    }

    /// The index of the input or output, counted from 0.
    pub fn index(self) -> Option<usize> {
        match self {
            Self::Global => None,
            Self::Input(index) | Self::Output(index) => Some(index),
        }
    }

    /// What sentences about a field begin with; the names of global fields say where they are.
    pub(crate) fn prefix(self) -> String {
        match self {
            Self::Global => String::new(),
            _ => format!("{self}: "),
        }
    }
}

/// For example "Input 17: PSBT_IN_PARTIAL_SIG: It has an invalid public key."
impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(map) = self.map {
            f.write_str(&map.prefix())?;
        }
        if let Some(field) = self.field {
            write!(f, "{field}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl core::error::Error for Malformed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_in_their_places() {
        let of = |error: Error| error.to_string();
        assert_eq!(
            of(Error::NullOutpoint { input: 10_999 }),
            "Input 11000 spends no previous output: this is a coinbase transaction."
        );
        let malformed = Malformed {
            map: Some(Map::Output(0)),
            field: Some("PSBT_OUT_AMOUNT"),
            fault: Fault::Missing,
        };
        assert_eq!(
            malformed.to_string(),
            "Output 1: PSBT_OUT_AMOUNT: The field is required, and missing."
        );
        assert_eq!(
            of(malformed.into()),
            format!("Invalid PSBT: Could not parse. {malformed}")
        );
        let malformed = Malformed {
            map: Some(Map::Input(16)),
            field: Some("PSBT_IN_PARTIAL_SIG"),
            fault: Fault::Invalid("public key"),
        };
        assert_eq!(
            malformed.to_string(),
            "Input 17: PSBT_IN_PARTIAL_SIG: It has an invalid public key."
        );
        assert_eq!(
            of(Fault::Version(u32::MAX).into()),
            format!(
                "Invalid PSBT: Could not parse. PSBT version {} is not supported.",
                u32::MAX
            )
        );
        assert_eq!(
            of(Error::FileTooLarge),
            format!(
                "The file is too large: at most {} MiB can be read.",
                crate::MAX_FILE_BYTES >> 20
            )
        );
    }
}
