//! The names under which transactions are remembered.

use bitcoin::Transaction;
use bitcoin::hashes::Hash;

use store::keyed_hash::KeyedHash;

/// Makes the names: nobody without the key can tell which transaction a name stands for.
#[derive(Debug)]
pub(super) struct TransactionHasher(KeyedHash);

impl TransactionHasher {
    pub(super) fn new(secret: KeyedHash) -> Self {
        Self(secret)
    }

    /// The name of a transaction, hex. ScriptSigs and witnesses do not count: those of one
    /// transaction can be changed by others without making it another one.
    #[must_use]
    pub(super) fn hash(&self, transaction: &Transaction) -> String {
        let mut bare = transaction.clone();
        for input in &mut bare.input {
            input.script_sig = bitcoin::ScriptBuf::new();
            input.witness = bitcoin::Witness::new();
        }
        hex::encode(self.0.of(&[&bare.compute_txid().to_byte_array()]))
    }
}
