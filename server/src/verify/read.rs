//! Bytes to a file that is well-formed and within the limits.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{OutPoint, ScriptBuf, Transaction};
use psbt_wasm::{Content, ProofFile};

use super::Refusal;

/// How many inputs one file may have (decisions, D13).
pub const MAX_INPUTS: usize = 2_000;

/// What a client says about an input. Compared with the chain, never believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UtxoHint {
    /// Which coin.
    pub outpoint: OutPoint,
    /// Value in sats; 0 with an empty script means 'not stated'.
    pub value_sats: u64,
    /// The scriptPubKey.
    pub script_pubkey: ScriptBuf,
}

impl UtxoHint {
    /// Whether it says anything at all.
    #[must_use]
    pub fn stated(&self) -> bool {
        self.value_sats != 0 || !self.script_pubkey.is_empty()
    }
}

/// A file that deserves a look at the chain.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The file.
    pub file: ProofFile,
    /// One entry for each input: what the client stated beside the file.
    pub hints: Vec<Option<UtxoHint>>,
}

impl Candidate {
    /// The coins that the file spends, in the order of its inputs.
    #[must_use]
    pub fn outpoints(&self) -> Vec<OutPoint> {
        let inputs = &self.file.unsigned_transaction().input;
        inputs.iter().map(|input| input.previous_output).collect()
    }
}

/// Reads the file that a client sent and refuses at once what could never be a proof.
///
/// # Errors
/// When it is no well-formed file, is too large, has an input without any signature, or when a hint
/// names a coin that the file does not spend.
pub fn read(psbt_base64: &str, hints: Vec<UtxoHint>) -> Result<Candidate, Refusal> {
    let file = decode(psbt_base64)?;
    let transaction = file.unsigned_transaction();
    if transaction.input.len() > MAX_INPUTS {
        return Err(Refusal::TooManyInputs {
            inputs: transaction.input.len(),
            limit: MAX_INPUTS,
        });
    }
    let hints = assign(hints, transaction)?;
    every_input_signed(&file)?;
    Ok(Candidate { file, hints })
}

/// The text is a file in base64, or (from a developer's script) the text of a file as it is.
fn decode(text: &str) -> Result<ProofFile, psbt_wasm::Error> {
    match psbt_wasm::read(text.as_bytes()) {
        Err(psbt_wasm::Error::InvalidMagic | psbt_wasm::Error::FileTooShort) => {
            let bytes = STANDARD.decode(text.trim()).unwrap_or_else(|_| text.into());
            psbt_wasm::read(&bytes)
        }
        read => read,
    }
}

fn assign(
    hints: Vec<UtxoHint>,
    transaction: &Transaction,
) -> Result<Vec<Option<UtxoHint>>, Refusal> {
    let mut by_outpoint: std::collections::HashMap<_, _> =
        hints.into_iter().map(|hint| (hint.outpoint, hint)).collect();
    let assigned = transaction
        .input
        .iter()
        .map(|input| by_outpoint.remove(&input.previous_output))
        .collect();
    if by_outpoint.is_empty() {
        Ok(assigned)
    } else {
        Err(Refusal::UnknownHint)
    }
}

/// Rule A5, the cheap half: whether a signature is valid is decided later, by Bitcoin Core's engine.
fn every_input_signed(file: &ProofFile) -> Result<(), Refusal> {
    let unsigned = match &file.content {
        Content::Transaction(transaction) => transaction
            .input
            .iter()
            .position(|input| input.script_sig.is_empty() && input.witness.is_empty()),
        Content::Psbt(psbt) => psbt.inputs.iter().position(|input| {
            input.final_script_sig.as_ref().is_none_or(|script| script.is_empty())
                && input.final_script_witness.as_ref().is_none_or(|witness| witness.is_empty())
                && input.partial_sigs.is_empty()
                && input.tap_key_sig.is_none()
                && input.tap_script_sigs.is_empty()
        }),
        _ => return Err(Refusal::Uncheckable),
    };
    match unsigned {
        Some(input) => Err(Refusal::NotSigned { input }),
        None => Ok(()),
    }
}
