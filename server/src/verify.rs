//! Whether a file is a proof: the one place that decides it.
//!
//! The principle: authoritative are the bytes of the final transaction and the previous outputs from
//! the chain. Every field of a PSBT, and everything a client says beside it, is a hint that must
//! agree with them. The steps, each in a file of its own:
//!
//! 1. [`read`]: bytes to a file that is well-formed and within the limits (rules A1 to A4)
//! 2. [`coins`]: each input spends a coin that is there, confirmed and spendable (rules B1 to B3),
//!    and every hint agrees with it (A3)
//! 3. [`finalise`]: signatures become the scriptSigs and witnesses of the final transaction
//! 4. [`consensus`]: Bitcoin Core's own engine accepts the transaction and every input (A4, A5, A10)
//! 5. [`locktime`]: the transaction could be mined in the next block (B4)

use bitcoin::Transaction;

use crate::chain::{Snapshot, Unspent};

pub mod coins;
pub mod consensus;
pub mod finalise;
pub mod locktime;
pub mod read;
mod refusal;

pub use read::{Candidate, UtxoHint, read};
pub use refusal::Refusal;

/// A transaction that proves control over the coins it spends.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The final transaction. Never broadcast, never stored.
    pub transaction: Transaction,
    /// What its inputs spend, in their order.
    pub coins: Vec<Unspent>,
}

/// Checks a file against what the chain says about its coins. Takes a while on large files and
/// never waits for anything, so it belongs on a thread for blocking work.
///
/// # Errors
/// The first rule that the file breaks.
pub fn verify(
    candidate: Candidate,
    snapshot: &Snapshot,
    min_confirmations: u32,
) -> Result<Verified, Refusal> {
    let coins = coins::spendable(&candidate, snapshot, min_confirmations)?;
    let transaction = finalise::finalise(candidate.file, &coins)?;
    consensus::check(&transaction, &coins)?;
    locktime::check(&transaction, &coins, &snapshot.tip)?;
    Ok(Verified { transaction, coins })
}
