//! Bytes to a file that is well-formed and within the limits.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{OutPoint, ScriptBuf, Transaction, TxOut};
use psbt_wasm::{Content, ProofFile};

use super::{Refusal, bip322, limits, locktime};

/// The most inputs that one file may have (decisions, D13).
pub const MAX_INPUTS: usize = 2_000;

/// A client's word on an input. Compared with the chain, never believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UtxoHint {
    pub outpoint: OutPoint,
    /// Value in sats; 0 with an empty script means 'not stated'.
    pub value_sats: u64,
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
    pub file: ProofFile,
    /// One entry for each input: what the client stated beside the file.
    pub hints: Vec<Option<UtxoHint>>,
    /// The output that the first input spends when that is no coin: the output of the rebuilt
    /// `to_spend` of a signed message that this server asked for ([`super::bip322`]). None for any
    /// other file.
    pub virtual_output: Option<TxOut>,
}

impl Candidate {
    /// The number of first inputs that spend no coin: 0 or 1.
    #[must_use]
    pub fn virtual_inputs(&self) -> usize {
        usize::from(self.virtual_output.is_some())
    }

    /// The coins that the file spends, in the order of its inputs, the virtual one left out.
    #[must_use]
    pub fn outpoints(&self) -> Vec<OutPoint> {
        let inputs = &self.file.unsigned_transaction().input;
        let outpoints = inputs.iter().map(|input| input.previous_output);
        outpoints.skip(self.virtual_inputs()).collect()
    }

    /// Which of [`outpoints`](Self::outpoints) are locked for a time after they were confirmed
    /// (BIP-0068), so that the chain must be asked when that was.
    #[must_use]
    pub fn locked_in_time(&self) -> Vec<usize> {
        let transaction = self.file.unsigned_transaction();
        let inputs = transaction.input.iter().skip(self.virtual_inputs());
        inputs
            .enumerate()
            .filter(|(_, input)| locktime::is_locked_in_time(transaction, input.sequence))
            .map(|(index, _)| index)
            .collect()
    }
}

/// Reads the file that a client sent and refuses at once what could never be a proof.
///
/// # Errors
/// When it is no well-formed file, is too large, has an input without any signature, or when a hint
/// names a coin that the file does not spend or that another one names.
pub fn read(psbt_base64: &str, hints: Vec<UtxoHint>) -> Result<Candidate, Refusal> {
    let file = decode(psbt_base64)?;
    let transaction = file.unsigned_transaction();
    if transaction.input.len() > MAX_INPUTS {
        return Err(Refusal::TooManyInputs {
            inputs: transaction.input.len(),
            limit: MAX_INPUTS,
        });
    }
    limits::weight(transaction)?;
    let hints = assign(hints, transaction)?;
    every_input_signed(&file, &hints)?;
    bip322::more_than_a_message(&file)?;
    Ok(Candidate {
        file,
        hints,
        virtual_output: None,
    })
}

/// Decodes text that is a file in base64, or (from a developer's script) the text of a file as it
/// is.
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
    let mut by_outpoint = HashMap::new();
    for hint in hints {
        // Two hints could contradict each other, and nobody has a reason to send two.
        if by_outpoint.insert(hint.outpoint, hint).is_some() {
            return Err(Refusal::UnknownHint);
        }
    }
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
fn every_input_signed(file: &ProofFile, hints: &[Option<UtxoHint>]) -> Result<(), Refusal> {
    let unsigned = match &file.content {
        Content::Transaction(transaction) => transaction
            .input
            .iter()
            .position(|input| input.script_sig.is_empty() && input.witness.is_empty()),
        Content::Psbt(psbt) => psbt.inputs.iter().position(|input| {
            input
                .final_script_sig
                .as_ref()
                .is_none_or(|script| script.is_empty())
                && input
                    .final_script_witness
                    .as_ref()
                    .is_none_or(|witness| witness.is_empty())
                && input.partial_sigs.is_empty()
                && input.tap_key_sig.is_none()
                && input.tap_script_sigs.is_empty()
        }),
        _ => return Err(Refusal::Uncheckable),
    };
    match unsigned {
        Some(input) if !states_coins(file, hints) => Err(Refusal::NoUtxoInformation { input }),
        Some(input) => Err(Refusal::NotSigned { input }),
        None => Ok(()),
    }
}

/// Whether there is a word on any coin, which wallets need to sign. What the browser removes from a file is in its hints.
fn states_coins(file: &ProofFile, hints: &[Option<UtxoHint>]) -> bool {
    let Content::Psbt(psbt) = &file.content else {
        // A final transaction never has one.
        return true;
    };
    hints.iter().flatten().any(UtxoHint::stated)
        || psbt
            .inputs
            .iter()
            .any(|input| input.witness_utxo.is_some() || input.non_witness_utxo.is_some())
}
