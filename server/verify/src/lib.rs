//! Decides whether a file is a proof. No other code does.
//!
//! Only the bytes of the final transaction and the previous outputs from
//! the chain are authoritative. Every field of a PSBT, and everything that a client sends with it, is a hint that must
//! agree with them. The steps, each in a file of its own:
//!
//! 1. [`read`]: bytes to a file that is well-formed and within the limits (rules A1 to A4)
//! 2. [`coins`]: each input spends a coin that is unspent, has a value, is confirmed and spendable (rules A11, B1 to B3),
//!    and every hint agrees with it (A3)
//! 3. [`finalize`]: signatures become the scriptSigs and witnesses of the final transaction
//! 4. [`limits`]: no more work than nodes would do (A1, C8); [`locktime`]: the coins are old enough (B4)
//! 5. [`scripts`], three layers on every input; each catches what the others miss:
//!    [`consensus`], Bitcoin Core's own engine (A4, A5, A10); [`commitment`], the oracle that tests
//!    whether an input is valid in another transaction too (A6, A8); [`policy`], who signed, for what, and
//!    until when the script was locked (A6, A7, A9, B4)

use bitcoin::{OutPoint, Transaction, TxOut};

use chain::{FoundCoins, Tip, Unspent};

pub mod binding;
pub mod bip322;
pub mod coins;
pub mod commitment;
pub mod consensus;
pub mod finalize;
pub mod limits;
pub mod locktime;
pub mod policy;
pub mod read;
mod refusal;
pub mod scripts;

pub use bip322::Kind;
pub use read::{Candidate, UtxoHint, read};
pub use refusal::Refusal;

/// A transaction that proves control over the coins it spends.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The final transaction. Never broadcast, never stored.
    pub transaction: Transaction,
    /// The coins that its inputs spend, in their order.
    pub coins: Vec<Unspent>,
    /// A message or a transaction. The first input of a message claims nothing.
    pub kind: Kind,
    /// The newest block of the look-up, at which the coins are unspent and no script is locked.
    pub tip: Tip,
}

impl Verified {
    /// The coins that the file proves control over.
    pub fn claimed(&self) -> impl Iterator<Item = (OutPoint, &Unspent)> {
        let inputs = self.transaction.input.iter().zip(&self.coins);
        let coins = inputs.map(|(input, coin)| (input.previous_output, coin));
        coins.skip(self.kind.virtual_inputs())
    }

    /// Checks that the transaction could be in the next block, which an unbound file must show (rule B4). A bound
    /// file never could: a signed message is no transaction of any chain, and a still transaction is locked forever.
    ///
    /// # Errors
    /// [`Refusal::LockedUntil`] when its lock time is in the future.
    pub fn final_at_next_block(&self) -> Result<(), Refusal> {
        locktime::transaction(&self.transaction, &self.tip)
    }
}

/// Checks a file against the state of its coins on the chain. Takes a while for large files and
/// never waits for anything, so call it on a thread for blocking work. Whether the transaction's own lock time counts
/// depends on the binding, see [`Verified::final_at_next_block`].
///
/// # Errors
/// The first rule that the file breaks.
pub fn verify(
    candidate: Candidate,
    found: &FoundCoins,
    min_confirmations: u32,
) -> Result<Verified, Refusal> {
    let coins = coins::spendable(&candidate, found, min_confirmations)?;
    let outputs: Vec<TxOut> = coins.iter().map(|coin| coin.output.clone()).collect();
    let transaction = finalize::finalize(&candidate.file, &outputs)?;
    consensus::structure(&transaction, &outputs)?;
    limits::signature_checks(&transaction, &outputs)?;
    policy::lengths(&transaction, &outputs)?;
    locktime::relative(&transaction, &coins, candidate.kind.virtual_inputs(), found)?;
    scripts::check(scripts::processors(), &transaction, &outputs, &found.tip)?;
    Ok(Verified {
        transaction,
        coins,
        kind: candidate.kind,
        tip: found.tip,
    })
}
