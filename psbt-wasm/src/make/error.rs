//! Why a file cannot be made.

use alloc::string::String;

use super::Form;
use crate::error::Map;
use crate::error::sentence::{number, words};

/// Why no proof can be made of a file, or why files cannot be put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MakeError {
    /// The statement is too short or too long for this form, not printable ASCII, or begins or ends with a space.
    Statement(Form),
    /// A lock time is given for a still transaction, which has its own.
    LockTimeOfTransaction,
    /// Files of no script are asked for.
    EmptyParts,
    /// There are not so many files.
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
    /// The stable kebab-case name.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Statement(_) => "invalid-statement",
            Self::LockTimeOfTransaction | Self::EmptyParts | Self::NoSuchPart => "invalid-option",
            Self::FinalTransaction => "final-transaction",
            Self::NoCoins => "no-coins",
            Self::UnknownUtxo { .. } => "unknown-utxo",
            Self::NoPreviousTransaction { .. } => "no-previous-transaction",
            Self::NoFiles => "no-files",
            Self::OtherTransaction { .. } => "other-transaction",
            Self::Conflict { .. } => "conflict",
        }
    }

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

    /// Appends the sentence for the person who chose the file.
    pub(crate) fn append(&self, sentence: &mut String) {
        let end = match *self {
            Self::Statement(form) => {
                let (least, most) = form.statement_bytes();
                words("The statement must be ", sentence);
                number(least as u64, sentence);
                words(" to ", sentence);
                number(most as u64, sentence);
                " characters of printable ASCII, without a space at either end."
            }
            Self::LockTimeOfTransaction => "A lock time can be chosen only for the form message.",
            Self::EmptyParts => "Files are split into parts of at least one script.",
            Self::NoSuchPart => "The file has fewer parts than that.",
            Self::FinalTransaction => {
                "This is a complete transaction, which does not say what its inputs spend. Choose the PSBT that the \
                 wallet made before: export the transaction before it is finalised."
            }
            Self::NoCoins => "The file spends no coin.",
            Self::UnknownUtxo { input } => {
                counted("Input ", input, sentence);
                " does not say which coin it spends: its value and script are missing. Open the file in the wallet that \
                 has the coin, which adds them (in Bitcoin Core: walletprocesspsbt), and export it again."
            }
            Self::NoPreviousTransaction { input } => {
                counted("Input ", input, sentence);
                " lacks its previous transaction, which nobody can sign such an input without. Export the file from the \
                 wallet again, as a file and with previous transactions."
            }
            Self::NoFiles => "There is no file to put together.",
            Self::OtherTransaction { file } => {
                counted("File ", file, sentence);
                " is about another transaction than the first. Every cosigner must sign the same file."
            }
            Self::Conflict { map, field } => {
                match map {
                    Map::Global => {}
                    Map::Input(index) => counted("Input ", index, sentence),
                    Map::Output(index) => counted("Output ", index, sentence),
                }
                if map != Map::Global {
                    words(": ", sentence);
                }
                words(field, sentence);
                ": The files say different things. Every cosigner must sign the same file."
            }
        };
        words(end, sentence);
    }
}

/// People count from 1.
pub(super) fn counted(what: &str, index: usize, sentence: &mut String) {
    words(what, sentence);
    number(index as u64 + 1, sentence);
}
