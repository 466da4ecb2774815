//! Keyed hashes of transactions.

use bitcoin::Transaction;
use bitcoin::hashes::Hash;

use store::keyed_hash::KeyedHash;

/// Hashes transactions with a secret key, so that nobody without the key can tell which transaction a hash is of.
#[derive(Debug)]
pub(super) struct TransactionHasher(KeyedHash);

impl TransactionHasher {
    pub(super) fn new(secret: KeyedHash) -> Self {
        Self(secret)
    }

    /// The keyed hash of a transaction, hex. ScriptSigs and witnesses do not count, because others can change
    /// those without changing what the transaction does.
    #[must_use]
    pub(super) fn hash(&self, transaction: &Transaction) -> String {
        let mut bare = transaction.clone();
        for input in &mut bare.input {
            input.script_sig = bitcoin::ScriptBuf::new();
            input.witness = bitcoin::Witness::new();
        }
        hex::encode(self.0.hash(&[&bare.compute_txid().to_byte_array()]))
    }
}
