//! Refusals: why a file is not a proof, one variant for each rule.

use psbt_wasm::binding::MessageFault as Fault;

/// The rule that a file breaks. `Display` says which rule, which input and what to do. It
/// counts inputs from 1, as wallets show them; the fields count from 0.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr, strum::VariantNames, PartialEq, Eq)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Refusal {
    /// The bytes are not a well-formed file.
    #[error(transparent)]
    File(#[from] psbt_wasm::Error),
    /// The bytes are something else, or a file within another text.
    #[error("Invalid PSBT: Could not parse. {}", .found.message())]
    Recognized {
        error: psbt_wasm::Error,
        found: psbt_wasm::Recognized,
    },
    /// The file name has the wrong extension (decisions, D13).
    #[error("Please upload a valid PSBT file (.psbt extension)")]
    Extension,
    /// Rule A1: too many inputs.
    #[error(
        "The file has {inputs} inputs; at most {limit} can be verified at once. Split the coins over several files."
    )]
    TooManyInputs { inputs: usize, limit: usize },
    /// Rule A1: a transaction that no node would relay.
    #[error(
        "The transaction is too large: its weight is {weight}, and at most {limit} can be verified. Split the coins over several files."
    )]
    TooHeavy {
        /// In weight units (BIP-0141), as the limit is.
        weight: u64,
        limit: u64,
    },
    /// Rules A1 and C8: scripts with more signature checks than nodes relay, or more fields than any wallet writes.
    #[error(
        "The file needs more signature checks, or has more fields, than can be verified at once. Split the coins over several files."
    )]
    TooComplex,
    /// Rule C8: scripts that are longer, or have more signatures to try, than those of any wallet.
    #[error("Input {} has a longer script, or more signatures to try, than can be verified in one file. Split the coins over several files, or leave this one out.", .input + 1)]
    ScriptTooComplex { input: usize },
    /// The `utxos` sent with the file name an outpoint that the file does not spend, or name one twice.
    #[error(
        "The list of coins sent with the file names a coin that the file does not spend, or names one twice. Reload the page and choose the file again."
    )]
    UnknownHint,
    /// Rule A5: an input without any signature.
    #[error("Input {} is not signed. Open the file in your wallet, sign every input and export it again.", .input + 1)]
    NotSigned { input: usize },
    /// Rule A5: an input without any signature, in a file that no wallet can sign (BIP-0174: a signer needs the UTXO).
    #[error("Input {} is not signed, and the file does not describe its coin, so a wallet cannot sign it. In the wallet that made the file, include the coins' data (\"include UTXO info\", \"include previous transactions\"; in Bitcoin Core: utxoupdatepsbt), then sign it and export it again.", .input + 1)]
    NoUtxoInformation { input: usize },
    /// A signature of a message in the form "full" (BIP-0322), which names no coins.
    #[error(
        "This is a signed message (BIP-322), which proves an address but no coins. Sign the message as a proof of funds that contains the coins, and upload that file."
    )]
    MessageAlone,
    /// A proof of funds (BIP-0322) whose first input neither states nor shows its script.
    #[error(
        "This is a proof of funds (BIP-322) without the script that signed the message. Export it as a PSBT with the UTXO information of its first input, not as a transaction."
    )]
    MessageWithoutScript,
    /// A signed message without the form that BIP-0322 requires.
    #[error(
        "The file carries a signed message, but not as a BIP-322 proof of funds: {0}. Make the proof again on the upload page."
    )]
    MessageForm(Fault),
    /// Rule A5: not enough signatures for the script.
    #[error("Input {} is not completely signed: its script needs more signatures. Collect the signatures of the other devices and export it again.", .input + 1)]
    Incomplete { input: usize },
    /// An unknown script, so its signatures cannot be assembled.
    #[error("Input {} has a script that this server cannot complete. Finalize the transaction in your wallet and export it again.", .input + 1)]
    CannotFinalize { input: usize },
    /// Rule B1: no such coin.
    #[error("Input {} spends a coin that does not exist on this network. Check that the wallet is on the right network.", .input + 1)]
    #[strum(serialize = "coin-missing")]
    Missing { input: usize },
    /// Rule B1, from a source without history, which cannot tell a spent coin from one that never existed.
    #[error("Input {} spends a coin that has been spent or does not exist. Make a new transaction from coins you still hold.", .input + 1)]
    #[strum(serialize = "coin-spent-or-missing")]
    SpentOrMissing { input: usize },
    /// Rule B1: a block spends the coin.
    #[error("Input {} spends a coin that has already been spent. Make a new transaction from coins you still hold.", .input + 1)]
    #[strum(serialize = "coin-spent")]
    Spent { input: usize },
    /// Rule B1: a transaction in the mempool spends the coin, even if it is this very one.
    #[error("Input {} spends a coin that an unconfirmed transaction is spending. Never broadcast a proof's transaction. Make a new one from coins you still hold.", .input + 1)]
    #[strum(serialize = "coin-spent-in-mempool")]
    SpentInMempool { input: usize },
    /// Rule B2: too few blocks confirm the coin.
    #[error("Input {} spends a coin with {confirmations} confirmations; {needed} are needed. Wait for the next block and try again.", .input + 1)]
    #[strum(serialize = "coin-unconfirmed")]
    Unconfirmed {
        input: usize,
        confirmations: u32,
        needed: u32,
    },
    /// Rule B3: a coinbase output that is too young.
    #[error("Input {} spends a mining reward that cannot be spent yet: it needs 100 confirmations and has {confirmations}. Leave it out, or wait.", .input + 1)]
    #[strum(serialize = "coin-immature")]
    Immature { input: usize, confirmations: u32 },
    /// Rule A11: a coin whose value on the chain is 0.
    #[error("Input {} spends a coin of 0 sats, which is not a holding. Leave it out, then sign the file again.", .input + 1)]
    #[strum(serialize = "coin-zero-value")]
    ZeroValue { input: usize },
    /// Rule A3: the file, or the list sent with it, states another value or script than the chain.
    #[error("Input {} states another amount or script than its coin has on the chain. Sync your wallet, then make the transaction again.", .input + 1)]
    HintMismatch { input: usize },
    /// Rules A5 and A10: the script of the coin does not accept the input.
    #[error("Input {} does not have a valid signature for its coin. Sign the transaction again in your wallet.", .input + 1)]
    InvalidSignature { input: usize },
    /// Rules A6 and A7: a signature that leaves parts of the transaction open, so that others can use
    /// it in a transaction of their own.
    #[error("Input {} has a signature of type {sighash}, which anyone could reuse in another transaction. Sign again with the signature type ALL, or DEFAULT for Taproot.", .input + 1)]
    ForeignSighash {
        input: usize,
        /// Name of the type, or its byte in hex.
        sighash: String,
    },
    /// Rule A8: the input stays valid in another transaction, so anyone could have made it.
    #[error("Input {} is valid without a signature over this transaction: anyone could spend this coin, so spending it proves nothing. Leave it out.", .input + 1)]
    NotCommitted { input: usize },
    /// Rule A9: the script takes the signature of any key.
    #[error("Input {} is signed, but its script accepts any key: anyone could spend this coin, so spending it proves nothing. Leave it out.", .input + 1)]
    KeyNotCommitted { input: usize },
    /// A script that the third layer cannot read, so that it cannot tell who signed. Not the signer's fault.
    #[error("Input {} has a script that this server cannot read, so it cannot tell whose signature counts and refuses the file. Move this coin to an ordinary address, or leave it out.", .input + 1)]
    Inconclusive { input: usize },
    /// Rule A4: Bitcoin Core's structural check.
    #[error(
        "The transaction breaks a consensus rule and could never be mined. Make it again in your wallet."
    )]
    InvalidTransaction,
    /// Rule A4: more out than in.
    #[error(
        "The outputs are worth more than the inputs. Make the transaction again in your wallet."
    )]
    OutputsAboveInputs,
    /// Rule B4: the transaction's own lock time, of an unbound file.
    #[error(
        "The transaction is locked until {until}, so it does not show that the coins can be spent now. Make it without a lock time in the future."
    )]
    #[strum(serialize = "locked")]
    LockedUntil {
        /// A block height or a time, in words.
        until: String,
    },
    /// Rule B4: a lock in the coin's script (BIP-0065), whatever the transaction's own lock time is.
    #[error("Input {} is locked by its script until {until}. Wait until then, or leave it out.", .input + 1)]
    AbsoluteLock {
        input: usize,
        /// A block height or a time, in words.
        until: String,
    },
    /// Rule B4: a relative lock (BIP-0068).
    #[error("Input {} is locked for a time after its coin was received, and that time is not over. Wait, or leave it out.", .input + 1)]
    RelativeLock { input: usize },
    /// Rule B4: a relative lock in time, and the source does not know when the coin was received.
    #[error("Input {} is locked for a time after its coin was received, and this server cannot look up when that was. Sign with a key that has no lock, or leave it out.", .input + 1)]
    RelativeLockUnknown { input: usize },
    /// A check failed unexpectedly. Treated as a refusal, never as a proof.
    #[error(
        "The file could not be checked, so it was refused. Try again; if that fails, make a new file."
    )]
    Uncheckable,
}

impl Refusal {
    /// The stable kebab-case name of the rule.
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(error) | Self::Recognized { error, .. } => error.code(),
            refusal => refusal.into(),
        }
    }

    /// The input at fault, from 0, if it is one.
    pub fn input(&self) -> Option<usize> {
        match self {
            Self::File(error) => error.input(),
            Self::NotSigned { input }
            | Self::NoUtxoInformation { input }
            | Self::ScriptTooComplex { input }
            | Self::Incomplete { input }
            | Self::CannotFinalize { input }
            | Self::Missing { input }
            | Self::SpentOrMissing { input }
            | Self::Spent { input }
            | Self::SpentInMempool { input }
            | Self::ZeroValue { input }
            | Self::Unconfirmed { input, .. }
            | Self::Immature { input, .. }
            | Self::HintMismatch { input }
            | Self::InvalidSignature { input }
            | Self::ForeignSighash { input, .. }
            | Self::NotCommitted { input }
            | Self::KeyNotCommitted { input }
            | Self::Inconclusive { input }
            | Self::AbsoluteLock { input, .. }
            | Self::RelativeLock { input }
            | Self::RelativeLockUnknown { input } => Some(*input),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_names_in_kebab_case_or_say_what_they_are_about() {
        let input = 0;
        for (refusal, code) in [
            (Refusal::ScriptTooComplex { input }, "script-too-complex"),
            (Refusal::SpentInMempool { input }, "coin-spent-in-mempool"),
            (
                Refusal::File(psbt_wasm::Error::InvalidMagic),
                "invalid-magic",
            ),
        ] {
            assert_eq!(refusal.code(), code);
        }
    }
}
