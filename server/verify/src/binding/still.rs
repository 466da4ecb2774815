//! The still transaction: it carries the statement, moves nothing, and no node takes it (proofs, section 2).

use std::collections::HashMap;

use bitcoin::absolute::LockTime;
use bitcoin::{Amount, Script, Transaction, TxOut};
use psbt_wasm::statement::{self, LOCK_TIME};

/// What keeps a transaction with the right statement from being still. Outputs count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Motion {
    /// The statement is in an output of another form.
    #[error("not as the only push, and a direct one, of an OP_RETURN output without value")]
    Form,
    /// Another output without value.
    #[error("more than one output has no value")]
    Valueless,
    /// A lock time that could pass.
    #[error("the lock time of its transaction is {found} in place of {LOCK_TIME}")]
    LockTime {
        /// As the transaction has it.
        found: u32,
    },
    /// Without one that is not final, the lock time does not count (BIP-0065).
    #[error("every input has the sequence 0xffffffff, so the lock time does not count")]
    Sequences,
    /// An output to a script that no input spends.
    #[error("output {} pays an address that no input spends from", .output + 1)]
    Elsewhere {
        /// Which output.
        output: usize,
    },
    /// A script that gets back more or less than it had.
    #[error("the address of input {} gets back {back} sats in place of the {had} that its coins are worth; there must be no fee", .input + 1)]
    Sum {
        /// The first input that spends the script, from 0.
        input: usize,
        /// What its coins are worth, in sats.
        had: u64,
        /// What the outputs pay to it, in sats.
        back: u64,
    },
}

/// What a script loses and gains, in sats.
struct Account {
    input: usize,
    had: u64,
    back: u64,
}

/// Whether a transaction that spends these outputs, in the order of its inputs, is still and carries `line`.
///
/// Nobody signs such a transaction for any other reason. That each script gets back exactly what it had keeps payments,
/// payjoins, coinjoins and closings out; with an allowance for fees, a payjoin between addresses that are used again would pass.
///
/// # Errors
/// The first demand that is not met.
pub fn check<'a>(
    transaction: &Transaction,
    spent: impl Iterator<Item = &'a TxOut>,
    line: &str,
) -> Result<(), Motion> {
    let (valueless, paying): (Vec<_>, Vec<_>) = (transaction.output.iter().enumerate())
        .partition(|(_, output)| output.value == Amount::ZERO);
    let script = statement::script(line).ok_or(Motion::Form)?;
    if !valueless
        .iter()
        .any(|(_, output)| output.script_pubkey.as_bytes() == script)
    {
        return Err(Motion::Form);
    }
    if valueless.len() > 1 {
        return Err(Motion::Valueless);
    }
    if transaction.lock_time != LockTime::from_consensus(LOCK_TIME) {
        let found = transaction.lock_time.to_consensus_u32();
        return Err(Motion::LockTime { found });
    }
    if !transaction.is_lock_time_enabled() {
        return Err(Motion::Sequences);
    }
    let mut accounts: HashMap<&Script, Account> = HashMap::new();
    for (input, output) in spent.enumerate() {
        let account = accounts.entry(&output.script_pubkey).or_insert(Account {
            input,
            had: 0,
            back: 0,
        });
        // Sums of both sides are within 21 million BTC (rule A4).
        account.had += output.value.to_sat();
    }
    for (output, paid) in paying {
        let script = paid.script_pubkey.as_script();
        let account = accounts
            .get_mut(script)
            .ok_or(Motion::Elsewhere { output })?;
        account.back += paid.value.to_sat();
    }
    let moved = accounts
        .into_values()
        .filter(|account| account.had != account.back);
    match moved.min_by_key(|account| account.input) {
        None => Ok(()),
        Some(Account { input, had, back }) => Err(Motion::Sum { input, had, back }),
    }
}
