//! Why a file cannot be made.

use core::fmt;

use super::Form;
use crate::error::Map;

/// Why no proof can be made of a file, or why files cannot be put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum MakeError {
    /// The statement is too short or too long for this form, not printable ASCII, or begins or ends with a space.
    #[strum(serialize = "invalid-statement")]
    Statement(Form),
    /// A lock time is given for a still transaction, which has its own.
    #[strum(serialize = "invalid-option")]
    LockTimeOfTransaction,
    /// Files of no script are asked for.
    #[strum(serialize = "invalid-option")]
    EmptyParts,
    /// There are not so many files.
    #[strum(serialize = "invalid-option")]
    NoSuchPart,
    /// A complete transaction does not say what its inputs spend.
    FinalTransaction,
    /// The file spends nothing but the virtual output of BIP-0322.
    NoCoins,
    /// The file does not say what the input spends.
    UnknownUtxo {
        /// The input.
        input: usize,
    },
    /// An input older than segregated witness comes without its previous transaction.
    NoPreviousTransaction {
        /// The input.
        input: usize,
    },
    /// There are no files to put together.
    NoFiles,
    /// A file is about another transaction than the first.
    OtherTransaction {
        /// The file, counted from 0.
        file: usize,
    },
    /// Two files say different things where there can be only one.
    Conflict {
        /// The map that they disagree in.
        map: Map,
        /// The name that a BIP gives the field.
        field: &'static str,
    },
}

impl MakeError {
    /// The index of the input that is to blame, when it is one.
    pub(crate) fn input(&self) -> Option<usize> {
        match *self {
            Self::UnknownUtxo { input }
            | Self::NoPreviousTransaction { input }
            | Self::Conflict {
                map: Map::Input(input),
                ..
            } => Some(input),
            _ => None,
        }
    }
}

/// The sentence for the person who chose the file.
impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Statement(form) => {
                let (least, most) = form.statement_bytes();
                write!(
                    f,
                    "The statement must be {least} to {most} characters of printable ASCII, without a space at either end."
                )
            }
            Self::LockTimeOfTransaction => {
                f.write_str("A lock time can be chosen only for the form message.")
            }
            Self::EmptyParts => f.write_str("Files are split into parts of at least one script."),
            Self::NoSuchPart => f.write_str("The file has fewer parts than that."),
            Self::FinalTransaction => f.write_str(
                "This is a complete transaction, which does not say what its inputs spend. Choose the PSBT that the \
                 wallet made before: export the transaction before it is finalised.",
            ),
            Self::NoCoins => f.write_str("The file spends no coin."),
            Self::UnknownUtxo { input } => write!(
                f,
                "{} does not say which coin it spends: its value and script are missing. Open the file in the wallet that \
                 has the coin, which adds them (in Bitcoin Core: walletprocesspsbt), and export it again.",
                Map::Input(input)
            ),
            Self::NoPreviousTransaction { input } => write!(
                f,
                "{} lacks its previous transaction, which nobody can sign such an input without. Export the file from the \
                 wallet again, as a file and with previous transactions.",
                Map::Input(input)
            ),
            Self::NoFiles => f.write_str("There is no file to put together."),
            Self::OtherTransaction { file } => write!(
                f,
                "File {} is about another transaction than the first. Every cosigner must sign the same file.",
                file + 1
            ),
            Self::Conflict { map, field } => {
                if map != Map::Global {
                    write!(f, "{map}: ")?;
                }
                write!(
                    f,
                    "{field}: The files say different things. Every cosigner must sign the same file."
                )
            }
        }
    }
}
