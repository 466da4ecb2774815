//! Limits on the work that a file may ask for (rule A1): as much as nodes relay, so no wallet's
//! transaction is refused that could be sent.

use std::collections::HashMap;

use bitcoin::{OutPoint, Transaction, TxOut};

use super::Refusal;

/// The heaviest transaction that is looked at, in weight units (Core's `MAX_STANDARD_TX_WEIGHT`).
pub const MAX_WEIGHT: u64 = 400_000;

/// The highest cost of signature operations (BIP-0141; Core's `MAX_STANDARD_TX_SIGOPS_COST`).
pub const MAX_SIGOPS_COST: usize = 16_000;

/// The most signature operations in scripts that are not witnesses. Each hashes nearly
/// the whole transaction again, so the work grows with the square of its size (BIP-0054; Core's
/// `MAX_TX_LEGACY_SIGOPS`).
pub const MAX_LEGACY_SIGOPS: usize = 2_500;

/// Checks the weight. Before a file is finalised, that of the unsigned transaction is a lower bound.
///
/// # Errors
/// When the transaction is too heavy.
pub fn weight(transaction: &Transaction) -> Result<(), Refusal> {
    let weight = transaction.weight().to_wu();
    if weight > MAX_WEIGHT {
        return Err(Refusal::TooHeavy {
            weight,
            limit: MAX_WEIGHT,
        });
    }
    Ok(())
}

/// Checks the number of signature checks that the scripts can ask for.
///
/// # Errors
/// When they are too many.
pub fn signature_checks(
    transaction: &Transaction,
    previous_outputs: &[TxOut],
) -> Result<(), Refusal> {
    let outpoints = transaction.input.iter().map(|input| input.previous_output);
    let spent: HashMap<OutPoint, &TxOut> = outpoints.zip(previous_outputs).collect();
    let cost = transaction.total_sigop_cost(|outpoint| spent.get(outpoint).copied().cloned());
    if cost > MAX_SIGOPS_COST || legacy_sigops(transaction, previous_outputs) > MAX_LEGACY_SIGOPS {
        return Err(Refusal::TooComplex);
    }
    Ok(())
}

/// BIP-0054 counts what could be run of scriptSig, scriptPubKey and redeem script.
fn legacy_sigops(transaction: &Transaction, previous_outputs: &[TxOut]) -> usize {
    let inputs = transaction.input.iter().zip(previous_outputs);
    inputs
        .map(|(input, coin)| {
            let script = &coin.script_pubkey;
            let redeem_script = script
                .is_p2sh()
                .then(|| input.script_sig.redeem_script())
                .flatten();
            input.script_sig.count_sigops()
                + script.count_sigops()
                + redeem_script.map_or(0, bitcoin::Script::count_sigops)
        })
        .sum()
}
