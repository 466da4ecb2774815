//! Txids of many transactions at once.
//!
//! A file with many inputs carries many previous transactions, and hashing them is most of the work of reading
//! it. In WebAssembly four of them go through the rounds of SHA-256 side by side, which is twice as quick
//! as one after the other. A single long message gains nothing, and other processors have instructions of their own.

#[cfg(target_arch = "wasm32")]
mod lanes;

use alloc::vec::Vec;

use super::sha256d;
use crate::read::transaction::Tx;

/// The txid of one transaction, in the order of its bytes.
#[inline(never)]
pub(crate) fn txid(tx: &Tx<'_>) -> [u8; 32] {
    sha256d(&tx.without_witness())
}

/// The txids of a transaction and then of its previous transactions.
pub(crate) fn txids(tx: &Tx<'_>, previous: &[Tx<'_>]) -> Vec<[u8; 32]> {
    // One after the other is as quick as two side by side.
    #[cfg(target_arch = "wasm32")]
    if previous.len() > 1 {
        // The transaction is often much longer than the others. It comes first, so that its lane does not end last.
        let transaction = |at: usize| at.checked_sub(1).map_or(tx, |at| &previous[at]);
        let once = lanes::hashes(previous.len() + 1, &|at| transaction(at).without_witness());
        return lanes::hashes(once.len(), &|at| [&once[at], &[], &[]]);
    }
    core::iter::once(tx).chain(previous).map(txid).collect()
}
