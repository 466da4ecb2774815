//! Why no proof can be made, or files cannot be combined.

use super::Form;
use crate::error::Map;

/// Why no proof can be made from a file, or why files cannot be combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum MakeError {
    /// The statement is too short or too long for this form, not printable ASCII, or begins or ends with a space.
    #[strum(serialize = "invalid-statement")]
    #[error("The statement must be {} to {} characters of printable ASCII, without a space at either end.", .0.statement_bytes().0, .0.statement_bytes().1)]
    Statement(Form),
    /// A lock time is chosen for a still transaction, which always has the same one.
    #[strum(serialize = "invalid-option")]
    #[error("A lock time can be chosen only for the form message.")]
    LockTimeOfTransaction,
    /// Parts without any script are requested.
    #[strum(serialize = "invalid-option")]
    #[error("Each part must have at least one script.")]
    EmptyParts,
    /// The requested part does not exist.
    #[strum(serialize = "invalid-option")]
    #[error("The file has fewer parts than the one requested.")]
    NoSuchPart,
    /// A complete transaction does not say what its inputs spend.
    #[error(
        "This is a complete transaction, which does not say what its inputs spend. Choose the PSBT that the \
         wallet made before: export the transaction before it is finalized."
    )]
    FinalTransaction,
    /// A transaction, not signed by all inputs, which does not say what they spend.
    #[error(
        "This transaction is not signed yet, and does not say what its inputs spend. Export it from the wallet as a PSBT."
    )]
    UnsignedTransaction,
    /// The file spends nothing but the virtual output of BIP-0322.
    #[error("The file spends no coin.")]
    NoCoins,
    /// The file does not say what the input spends.
    #[error(
        "Input {} does not say which coin it spends: its value and script are missing. Open the file in the wallet that \
         has the coin, which adds them (in Bitcoin Core: walletprocesspsbt), and export it again.",
        .input + 1
    )]
    UnknownUtxo {
        /// The input, counted from 0.
        input: usize,
    },
    /// An input from before segregated witness lacks its previous transaction.
    #[error(
        "Input {} lacks its previous transaction, which every signer needs. Export it from the wallet again, as a file with \
         previous transactions.",
        .input + 1
    )]
    NoPreviousTransaction {
        /// The input, counted from 0.
        input: usize,
    },
    /// An input lacks signatures, or its script must be finalized by the wallet.
    #[error("Input {} is not completely signed. Sign it, or finalize it in the wallet, and export the file again.", .input + 1)]
    NotSigned {
        /// The input, counted from 0.
        input: usize,
    },
    /// BIP-0174: "Finalizers must fail to finalize inputs which have signatures that do not match the specified sighash type".
    #[error(
        "Input {} has a signature of another type than PSBT_IN_SIGHASH_TYPE asks for, so it must not be finalized (BIP-174). Sign it again.",
        .input + 1
    )]
    SighashMismatch {
        /// The input, counted from 0.
        input: usize,
    },
    /// BIP-0341: a signature of 64 bytes is of the type DEFAULT.
    #[error(
        "Input {} has a taproot signature of 64 bytes, without the byte of the type that PSBT_IN_SIGHASH_TYPE asks for. Sign it \
         again with a wallet that appends this byte, or with the type DEFAULT.",
        .input + 1
    )]
    SighashByteMissing {
        /// The input, counted from 0.
        input: usize,
    },
    /// There are no files to combine.
    #[error("There are no files to combine.")]
    NoFiles,
    /// A file is about another transaction than the first file.
    #[error("File {} is about another transaction than the first. Every cosigner must sign the same file.", .file + 1)]
    OtherTransaction {
        /// The file, counted from 0.
        file: usize,
    },
    /// Two files have different values in a field that can have only one.
    #[error("{}{field}: The files say different things. Every cosigner must sign the same file.", .map.prefix())]
    Conflict {
        /// The map that they disagree in.
        map: Map,
        /// The name of the field in its BIP.
        field: &'static str,
    },
}

impl MakeError {
    /// The map that is wrong, if the error is about one.
    pub(crate) fn map(&self) -> Option<Map> {
        match *self {
            Self::UnknownUtxo { input }
            | Self::NoPreviousTransaction { input }
            | Self::NotSigned { input }
            | Self::SighashMismatch { input }
            | Self::SighashByteMissing { input } => Some(Map::Input(input)),
            Self::Conflict { map, .. } => Some(map),
            _ => None,
        }
    }
}
