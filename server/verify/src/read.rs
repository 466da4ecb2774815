//! Reads bytes as a well-formed file within the limits.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::psbt::Input;
use bitcoin::{OutPoint, ScriptBuf, Transaction};
use psbt_wasm::{Content, Fault, Keys, Network, ProofFile};

use super::bip322::{self, Kind};
use super::{Refusal, limits, locktime};

/// The most inputs that one file may have (decisions, D13).
pub const MAX_INPUTS: usize = 2_000;

/// What a client says about an input. Compared with the chain, never believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UtxoHint {
    pub outpoint: OutPoint,
    /// Value in sats; 0 with an empty script means 'not stated'.
    pub value_sats: u64,
    pub script_pubkey: ScriptBuf,
}

impl UtxoHint {
    /// Whether it states anything.
    pub fn stated(&self) -> bool {
        self.value_sats != 0 || !self.script_pubkey.is_empty()
    }
}

/// A file that was read. Its coins can now be looked up.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Only the fields that count, and shared, because many files wait for their coins at a time (rule C8).
    pub file: Arc<ProofFile>,
    /// One entry for each input: what the client stated.
    pub hints: Vec<Option<UtxoHint>>,
    /// A message or a transaction, by its form. [`super::binding::carrier`] decides whether a message is the right one.
    pub kind: Kind,
}

impl Candidate {
    /// The coins that the file spends, in the order of its inputs, without the virtual one.
    pub fn outpoints(&self) -> Vec<OutPoint> {
        let inputs = &self.file.unsigned_transaction().input;
        let outpoints = inputs.iter().map(|input| input.previous_output);
        outpoints.skip(self.kind.virtual_inputs()).collect()
    }

    /// Indexes of the [`outpoints`](Self::outpoints) that are locked for a time after they were confirmed
    /// (BIP-0068), so that the chain must be asked when that was.
    pub fn locked_in_time(&self) -> Vec<usize> {
        let transaction = self.file.unsigned_transaction();
        let inputs = transaction.input.iter().skip(self.kind.virtual_inputs());
        inputs
            .enumerate()
            .filter(|(_, input)| locktime::is_locked_in_time(transaction, input.sequence))
            .map(|(index, _)| index)
            .collect()
    }
}

/// Reads the file that a client sent, and refuses at once a file that could never be a proof.
///
/// # Errors
/// When the file is malformed, too large, or has an input without any signature, or when a hint
/// names a coin that the file does not spend or that another hint names.
pub fn read(psbt_base64: &str, hints: Vec<UtxoHint>) -> Result<Candidate, Refusal> {
    let (file, states_coins) = decode(psbt_base64)?;
    let transaction = file.unsigned_transaction();
    if transaction.input.len() > MAX_INPUTS {
        return Err(Refusal::TooManyInputs {
            inputs: transaction.input.len(),
            limit: MAX_INPUTS,
        });
    }
    limits::weight(transaction)?;
    let hints = assign(hints, transaction)?;
    limits::fields(&file)?;
    // The browser removes UTXO fields and sends hints instead.
    let states_coins = states_coins || hints.iter().flatten().any(UtxoHint::stated);
    every_input_signed(&file, states_coins)?;
    let kind = bip322::kind(&file)?;
    Ok(Candidate {
        file: Arc::new(file),
        hints,
        kind,
    })
}

/// Whether the wallet has finalized the input. Empty fields do not count.
pub(super) fn is_final(fields: &Input) -> bool {
    let script_sig = fields.final_script_sig.as_ref();
    let witness = fields.final_script_witness.as_ref();
    script_sig.is_some_and(|script| !script.is_empty())
        || witness.is_some_and(|witness| !witness.is_empty())
}

/// Decodes a file in base64, or (from a developer's script) in any other text form. Also returns whether the file states any coin.
fn decode(text: &str) -> Result<(ProofFile, bool), Refusal> {
    match decode_file(text.as_bytes()) {
        Err(psbt_wasm::Error::InvalidMagic | psbt_wasm::Error::FileTooShort) => {
            let bytes = STANDARD.decode(text.trim()).unwrap_or_else(|_| text.into());
            decode_file(&bytes).map_err(|error| named(error, &bytes))
        }
        read => read.map_err(|error| named(error, text.as_bytes())),
    }
}

/// What the bytes are instead, if that is known, as browsers say it.
fn named(error: psbt_wasm::Error, bytes: &[u8]) -> Refusal {
    let is_text = match error {
        psbt_wasm::Error::InvalidMagic => true,
        psbt_wasm::Error::CouldNotParse(malformed) => {
            matches!(malformed.fault, Fault::Base64 | Fault::Hex)
        }
        _ => false,
    };
    match is_text.then(|| psbt_wasm::recognize(bytes)).flatten() {
        Some(found) => Refusal::Recognized { error, found },
        None => error.into(),
    }
}

/// Strips the file, as browsers do, before it becomes types of the `bitcoin` crate, in which many small fields take thirty times as
/// much memory as they have bytes (rule C8). The reader has compared every previous transaction with its txid.
fn decode_file(bytes: &[u8]) -> Result<(ProofFile, bool), psbt_wasm::Error> {
    let binary = psbt_wasm::decode(bytes)?;
    let file = binary.read(Keys::Form)?;
    file.check_sighash_types()?;
    let states_coins = match file.report(Network::Mainnet) {
        Ok(report) => report.inputs.iter().any(|input| input.source.is_some()),
        // Invalid amounts are refused later.
        Err(_) => true,
    };
    Ok((psbt_wasm::read(&file.strip())?, states_coins))
}

fn assign(
    hints: Vec<UtxoHint>,
    transaction: &Transaction,
) -> Result<Vec<Option<UtxoHint>>, Refusal> {
    let mut by_outpoint = HashMap::new();
    for hint in hints {
        // Two hints could contradict each other, and no client has a reason to send two.
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

/// The cheap half of rule A5; Bitcoin Core's engine decides later whether a signature is valid.
/// A file that does not state its coins gets an error of its own, because wallets cannot sign it.
fn every_input_signed(file: &ProofFile, states_coins: bool) -> Result<(), Refusal> {
    let unsigned = match &file.content {
        Content::Transaction(transaction) => transaction
            .input
            .iter()
            .position(|input| input.script_sig.is_empty() && input.witness.is_empty()),
        Content::Psbt(psbt) => psbt.inputs.iter().position(|input| {
            !is_final(input)
                && input.partial_sigs.is_empty()
                && input.tap_key_sig.is_none()
                && input.tap_script_sigs.is_empty()
        }),
        _ => return Err(Refusal::Uncheckable),
    };
    // A final transaction never states its coins.
    let is_psbt = matches!(file.content, Content::Psbt(_));
    match unsigned {
        Some(input) if !states_coins && is_psbt => Err(Refusal::NoUtxoInformation { input }),
        Some(input) => Err(Refusal::NotSigned { input }),
        None => Ok(()),
    }
}
