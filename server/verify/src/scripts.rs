//! Runs the three layers on every input.

use std::num::NonZeroUsize;

use bitcoin::{Transaction, TxOut};

use super::commitment::Alterations;
use super::consensus::Spend;
use super::{Refusal, parallel, policy};
use chain::Tip;

/// Checks the script of every input, on all processors. Locks in the scripts must be over at `tip`.
///
/// # Errors
/// For the first input that one of the layers refuses.
pub fn check(
    transaction: &Transaction,
    previous_outputs: &[TxOut],
    tip: &Tip,
) -> Result<(), Refusal> {
    check_on(parallel::processors(), transaction, previous_outputs, tip)
}

/// As [`check`], with at most `jobs` jobs at a time.
///
/// # Errors
/// For the first input that one of the layers refuses.
pub fn check_on(
    jobs: NonZeroUsize,
    transaction: &Transaction,
    previous_outputs: &[TxOut],
    tip: &Tip,
) -> Result<(), Refusal> {
    let spend = Spend::new(transaction, previous_outputs)?;
    let alterations = Alterations::new(transaction, previous_outputs)?;
    parallel::each_input(transaction.input.len(), jobs, |input| {
        let fields = &transaction.input[input];
        let script = &previous_outputs[input].script_pubkey;
        if !spend.accepts(input)? {
            return Err(Refusal::InvalidSignature { input });
        }
        // The type of a signature comes before its consequences, so that the message names the cause.
        policy::signature_types(input, fields, script)?;
        alterations.check(input)?;
        policy::conditions(input, transaction, script, tip)
    })
}
