//! The still transaction: it carries the statement, moves nothing, and no node accepts it.

use alloc::{vec, vec::Vec};

use bitcoin::absolute::LockTime;
use bitcoin::{Amount, Transaction, TxOut};

use crate::read::duplicates::{firsts, start};
use crate::statement::{self, LOCK_TIME};

/// What keeps a transaction with the right statement from being still. Outputs and inputs count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Motion {
    /// The statement is not the only push of an output without value, or not there.
    #[error("not as the one direct push of an OP_RETURN output without value")]
    Form,
    /// There is another output without value.
    #[error("more than one output has no value")]
    Valueless,
    /// Another lock time, which could pass.
    #[error("the lock time of its transaction is {found} instead of {LOCK_TIME}")]
    LockTime {
        /// As the transaction has it.
        found: u32,
    },
    /// Every input is final, so the lock time does not count (BIP-0065).
    #[error("every input has the sequence 0xffffffff, so the lock time does not count")]
    Sequences,
    /// An output pays a script that no input spends.
    #[error("output {} pays an address that no input spends from", .output + 1)]
    Elsewhere {
        /// Which output.
        output: usize,
    },
    /// A script gets back more or less than its coins have.
    #[error(
        "the address of input {} gets back {back} sats instead of the {had} sats of its coins; there must be no fee",
        .input + 1
    )]
    Sum {
        /// The first input that spends the script.
        input: usize,
        /// What its coins are worth, in sats.
        had: u64,
        /// What the outputs pay to it, in sats.
        back: u64,
    },
}

/// What the coins of a script are worth, and what the outputs pay back to it, in sats.
#[derive(Clone, Copy, Default)]
struct Account {
    had: u64,
    back: u64,
}

/// Whether a transaction that spends these outputs, in the order of its inputs, is still and carries `line`.
///
/// Nobody signs such a transaction for any other reason. That each script gets back exactly what it had keeps payments,
/// payjoins, coinjoins and closings out; with an allowance for fees, a payjoin between addresses that are used again would pass.
///
/// # Errors
/// The first rule that is broken.
pub fn is_still<'a>(
    transaction: &Transaction,
    spent: impl Iterator<Item = &'a TxOut>,
    line: &str,
) -> Result<(), Motion> {
    has_form(transaction, line)?;
    moves_nothing(&transaction.output, spent)
}

/// The rules that need nothing of what it spends.
pub(super) fn has_form(transaction: &Transaction, line: &str) -> Result<(), Motion> {
    let script = statement::script(line).ok_or(Motion::Form)?;
    let valueless = transaction.output.iter().filter(|it| is_valueless(it));
    if !(valueless.clone()).any(|it| it.script_pubkey.as_bytes() == script) {
        return Err(Motion::Form);
    }
    if valueless.count() > 1 {
        return Err(Motion::Valueless);
    }
    if transaction.lock_time != LockTime::from_consensus(LOCK_TIME) {
        let found = transaction.lock_time.to_consensus_u32();
        return Err(Motion::LockTime { found });
    }
    if !transaction.is_lock_time_enabled() {
        return Err(Motion::Sequences);
    }
    Ok(())
}

fn is_valueless(output: &TxOut) -> bool {
    output.value == Amount::ZERO
}

fn moves_nothing<'a>(
    outputs: &[TxOut],
    spent: impl Iterator<Item = &'a TxOut>,
) -> Result<(), Motion> {
    let spent: Vec<&TxOut> = spent.collect();
    let of_spent = spent.iter().map(|it| it.script_pubkey.as_bytes());
    let of_outputs = outputs.iter().map(|it| it.script_pubkey.as_bytes());
    let scripts: Vec<&[u8]> = of_spent.chain(of_outputs).collect();
    // Each script has its account where the first input that spends it is.
    let firsts = firsts(&scripts, start);
    let (of_inputs, of_outputs) = firsts.split_at(spent.len());
    let mut accounts = vec![Account::default(); spent.len()];
    for (first, coin) in of_inputs.iter().zip(&spent) {
        let account = &mut accounts[*first];
        // More than all money there is, is refused elsewhere.
        account.had = account.had.saturating_add(coin.value.to_sat());
    }
    for (output, (first, paid)) in of_outputs.iter().zip(outputs).enumerate() {
        if is_valueless(paid) {
            continue;
        }
        let account = accounts.get_mut(*first);
        let account = account.ok_or(Motion::Elsewhere { output })?;
        account.back = account.back.saturating_add(paid.value.to_sat());
    }
    let moved = |account: &Account| account.had != account.back;
    match accounts.iter().position(moved) {
        None => Ok(()),
        Some(input) => {
            let Account { had, back } = accounts[input];
            Err(Motion::Sum { input, had, back })
        }
    }
}
