//! The three layers on every input.

use std::num::NonZeroUsize;

use bitcoin::{Transaction, TxOut};

use super::commitment::Alterations;
use super::consensus::Spend;
use super::{Refusal, parallel, policy};
use chain::Tip;

/// Checks the script of every input, on every processor. Locks in them must be over at `tip`.
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

/// The same in at most `jobs` jobs at a time.
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
        // In the order in which the user should fix things: the type of a signature before what
        // follows from it.
        policy::signature_types(input, fields, script)?;
        alterations.check(input)?;
        policy::conditions(input, transaction, script, tip)
    })
}
