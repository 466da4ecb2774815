//! Turns signatures into the scriptSigs and witnesses of a final transaction (BIP-0174, Input Finalizer).
//!
//! Finalizing is not verifying: it only puts the signatures in their places.
//! Uses only miniscript's satisfier. Its finalizer would also run the interpreter on every input, which hashes the whole
//! transaction for each, so that the work grows with the square of the inputs, and would check
//! signatures that the engine checks anyway.

use bitcoin::psbt::Input;
use bitcoin::{Psbt, ScriptBuf, Transaction, TxOut, Witness};
use miniscript::psbt::PsbtInputSatisfier;
use psbt_wasm::{Content, ProofFile};

mod descriptor;
mod taproot;

use super::Refusal;
use super::limits::{self, MAX_LEAF_BYTES, MAX_SCRIPT_BYTES, Work};
use super::read::is_final;
use descriptor::Unfinished;

/// The final transaction of a file.
///
/// # Errors
/// When an input cannot be completed, or the transaction is too heavy.
pub fn finalize(file: &ProofFile, previous_outputs: &[TxOut]) -> Result<Transaction, Refusal> {
    let transaction = match &file.content {
        Content::Transaction(transaction) => transaction.clone(),
        Content::Psbt(psbt) => complete(psbt, previous_outputs)?,
        _ => return Err(Refusal::Uncheckable),
    };
    limits::weight(&transaction)?;
    Ok(transaction)
}

fn complete(psbt: &Psbt, previous_outputs: &[TxOut]) -> Result<Transaction, Refusal> {
    let mut transaction = psbt.unsigned_tx.clone();
    let inputs = transaction.input.len();
    if psbt.inputs.len() != inputs || previous_outputs.len() != inputs {
        return Err(Refusal::Uncheckable);
    }
    let mut work = Work::default();
    for (input, coin) in previous_outputs.iter().enumerate() {
        let fields = &psbt.inputs[input];
        // The wallet's final fields stay as they are.
        let (script_sig, witness) = if is_final(fields) {
            let script_sig = fields.final_script_sig.clone().unwrap_or_default();
            let witness = fields.final_script_witness.clone().unwrap_or_default();
            (script_sig, witness)
        } else {
            add_scripts(&mut work, input, fields, coin)?;
            satisfy(psbt, input, coin)?
        };
        transaction.input[input].script_sig = script_sig;
        transaction.input[input].witness = witness;
    }
    Ok(transaction)
}

/// Adds the cost of matching the signatures of an input with its scripts (rule C8): leaves only if there is no signature for the
/// output key, and the coin's own script only if the file states no other.
fn add_scripts(work: &mut Work, input: usize, fields: &Input, coin: &TxOut) -> Result<(), Refusal> {
    if coin.script_pubkey.is_p2tr() {
        if fields.tap_key_sig.is_none() {
            let signatures = fields.tap_script_sigs.len();
            for (leaf, _) in fields.tap_scripts.values() {
                work.add(input, leaf, MAX_LEAF_BYTES, signatures)?;
            }
        }
        return Ok(());
    }
    let stated = [&fields.redeem_script, &fields.witness_script];
    let bare = stated.iter().all(|script| script.is_none());
    let own = bare.then_some(&coin.script_pubkey);
    for script in stated.into_iter().flatten().chain(own) {
        work.add(input, script, MAX_SCRIPT_BYTES, fields.partial_sigs.len())?;
    }
    Ok(())
}

/// The final fields, from the chain's script and the file's signatures.
fn satisfy(psbt: &Psbt, input: usize, coin: &TxOut) -> Result<(ScriptBuf, Witness), Refusal> {
    let fields = &psbt.inputs[input];
    let satisfier = PsbtInputSatisfier::new(psbt, input);
    if coin.script_pubkey.is_p2tr() {
        let witness = taproot::satisfy(fields, &satisfier).ok_or(Refusal::Incomplete { input })?;
        return Ok((ScriptBuf::new(), witness));
    }
    let descriptor = Unfinished { input, fields }.descriptor(&coin.script_pubkey)?;
    // This transaction is never broadcast, so a malleable witness does no harm.
    let (witness, script_sig) = descriptor
        .get_satisfaction(&satisfier)
        .or_else(|_| descriptor.get_satisfaction_mall(&satisfier))
        .map_err(|_| Refusal::Incomplete { input })?;
    Ok((script_sig, Witness::from_slice(&witness)))
}
