//! The first layer: Bitcoin Core's validation engine, on the transaction and on each of its inputs.

use bitcoin::amount::CheckedSum;
use bitcoin::consensus::encode;
use bitcoin::{Amount, Transaction, TxOut};
use bitcoinkernel::core::TxCheckResult;
use bitcoinkernel::prelude::*;
use bitcoinkernel::{
    KernelError, PrecomputedTransactionData, ScriptPubkey, ScriptVerifyError, VERIFY_ALL,
    verify as verify_script,
};

use super::Refusal;

/// A transaction and its previous outputs, prepared for the engine.
pub struct Spend {
    transaction: bitcoinkernel::Transaction,
    previous_outputs: Vec<bitcoinkernel::TxOut>,
    precomputed: PrecomputedTransactionData,
}

impl Spend {
    /// `previous_outputs` are those of every input, in order: Taproot signatures commit to all of
    /// them (BIP-0341).
    ///
    /// # Errors
    /// [`Refusal::Uncheckable`] when their number is not that of the inputs, or when the
    /// engine cannot read the transaction.
    pub fn new(transaction: &Transaction, previous_outputs: &[TxOut]) -> Result<Self, Refusal> {
        if transaction.input.is_empty() || transaction.input.len() != previous_outputs.len() {
            return Err(Refusal::Uncheckable);
        }
        let transaction = read(transaction)?;
        let previous_outputs = previous_outputs.iter().map(previous_output);
        let previous_outputs: Vec<_> = previous_outputs.collect::<Result<_, _>>()?;
        let precomputed = PrecomputedTransactionData::new(&transaction, &previous_outputs)
            .map_err(uncheckable)?;
        Ok(Self {
            transaction,
            previous_outputs,
            precomputed,
        })
    }

    /// Whether the script of the coin that `input` spends accepts it, with all consensus rules.
    ///
    /// # Errors
    /// [`Refusal::Uncheckable`] when the engine gave no verdict, which counts neither as a yes nor as a no.
    pub fn accepts(&self, input: usize) -> Result<bool, Refusal> {
        let previous_output = self.previous_outputs.get(input);
        let previous_output = previous_output.ok_or(Refusal::Uncheckable)?;
        let verdict = verify_script(
            &previous_output.script_pubkey(),
            Some(previous_output.value()),
            &self.transaction,
            input,
            Some(VERIFY_ALL),
            &self.precomputed,
        );
        match verdict {
            Ok(()) => Ok(true),
            Err(KernelError::ScriptVerify(ScriptVerifyError::Invalid)) => Ok(false),
            Err(error) => Err(uncheckable(error)),
        }
    }
}

/// Checks the structure and the amounts, as a node does before it runs scripts (rule A4).
///
/// # Errors
/// When the structure is invalid or the outputs are worth more than the inputs.
pub fn structure(transaction: &Transaction, previous_outputs: &[TxOut]) -> Result<(), Refusal> {
    let inputs = sum(previous_outputs)?;
    let outputs = sum(&transaction.output)?;
    if outputs > inputs {
        return Err(Refusal::OutputsAboveInputs);
    }
    match read(transaction)?.check() {
        TxCheckResult::Valid => Ok(()),
        TxCheckResult::Invalid(_) => Err(Refusal::InvalidTransaction),
    }
}

/// The sum, if it is at most 21 million BTC.
fn sum(outputs: &[TxOut]) -> Result<Amount, Refusal> {
    let sum = outputs.iter().map(|output| output.value).checked_sum();
    sum.filter(|sum| *sum <= Amount::MAX_MONEY)
        .ok_or(Refusal::InvalidTransaction)
}

fn previous_output(output: &TxOut) -> Result<bitcoinkernel::TxOut, Refusal> {
    let script = ScriptPubkey::new(output.script_pubkey.as_bytes()).map_err(uncheckable)?;
    let value = i64::try_from(output.value.to_sat()).map_err(|_| Refusal::Uncheckable)?;
    Ok(bitcoinkernel::TxOut::new(&script, value))
}

/// The transaction as the engine has it.
fn read(transaction: &Transaction) -> Result<bitcoinkernel::Transaction, Refusal> {
    bitcoinkernel::Transaction::new(&encode::serialize(transaction)).map_err(uncheckable)
}

fn uncheckable(error: KernelError) -> Refusal {
    tracing::warn!(%error, "the validation engine failed");
    Refusal::Uncheckable
}
