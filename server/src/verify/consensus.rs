//! Bitcoin Core's own validation engine, on the transaction and on every input of it.

use bitcoin::consensus::encode;
use bitcoin::{Amount, Transaction};
use bitcoinkernel::core::TxCheckResult;
use bitcoinkernel::prelude::*;
use bitcoinkernel::{
    PrecomputedTransactionData, ScriptPubkey, TxOut, VERIFY_ALL, verify as verify_script,
};

use super::Refusal;
use crate::chain::Unspent;

/// Checks the transaction as a node would before mining it: structure, amounts, and each input's
/// script with all consensus rules, given every previous output (taproot signatures commit to all
/// of them, BIP-0341).
///
/// # Errors
/// When the structure is invalid, the outputs are worth more than the inputs, or an input's script
/// does not accept.
pub fn check(transaction: &Transaction, coins: &[Unspent]) -> Result<(), Refusal> {
    if transaction.input.len() != coins.len() {
        return Err(Refusal::Uncheckable);
    }
    amounts(transaction, coins)?;
    let kernel_transaction =
        bitcoinkernel::Transaction::new(&encode::serialize(transaction)).map_err(uncheckable)?;
    if kernel_transaction.check() != TxCheckResult::Valid {
        return Err(Refusal::InvalidTransaction);
    }
    let prevouts: Vec<TxOut> = coins.iter().map(previous_output).collect::<Result<_, _>>()?;
    let precomputed =
        PrecomputedTransactionData::new(&kernel_transaction, &prevouts).map_err(uncheckable)?;
    for (input, prevout) in prevouts.iter().enumerate() {
        verify_script(
            &prevout.script_pubkey(),
            Some(prevout.value()),
            &kernel_transaction,
            input,
            Some(VERIFY_ALL),
            &precomputed,
        )
        .map_err(|_| Refusal::InvalidSignature { input })?;
    }
    Ok(())
}

/// Rule A4, with sums that cannot overflow: at most 21 million BTC on either side.
fn amounts(transaction: &Transaction, coins: &[Unspent]) -> Result<(), Refusal> {
    let inputs = sum(coins.iter().map(|coin| coin.output.value))?;
    let outputs = sum(transaction.output.iter().map(|output| output.value))?;
    if outputs > inputs {
        return Err(Refusal::OutputsAboveInputs);
    }
    Ok(())
}

fn sum(mut amounts: impl Iterator<Item = Amount>) -> Result<Amount, Refusal> {
    amounts
        .try_fold(Amount::ZERO, |sum, amount| {
            sum.checked_add(amount).filter(|sum| *sum <= Amount::MAX_MONEY)
        })
        .ok_or(Refusal::InvalidTransaction)
}

fn previous_output(coin: &Unspent) -> Result<TxOut, Refusal> {
    let script = ScriptPubkey::new(coin.output.script_pubkey.as_bytes()).map_err(uncheckable)?;
    let value = i64::try_from(coin.output.value.to_sat()).map_err(|_| Refusal::Uncheckable)?;
    Ok(TxOut::new(&script, value))
}

fn uncheckable(error: bitcoinkernel::KernelError) -> Refusal {
    tracing::warn!(%error, "the validation engine could not be asked");
    Refusal::Uncheckable
}
