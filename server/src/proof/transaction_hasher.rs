//! The names under which transactions are remembered.

use bitcoin::Transaction;
use bitcoin::hashes::Hash;

use crate::clock::UnixTime;
use crate::keyed_hash::KeyedHash;
use crate::store::Store;

/// Makes the names: nobody without the key can tell which transaction a name stands for.
#[derive(Debug)]
pub struct TransactionHasher(KeyedHash);

impl TransactionHasher {
    /// Reads the key, or makes it on first start.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load(store: &Store, now: UnixTime) -> Result<Self, sqlx::Error> {
        Ok(Self(KeyedHash::load(store, "transaction-hash", now).await?))
    }

    /// The name of a transaction, hex. ScriptSigs and witnesses do not count: those of one
    /// transaction can be changed by others without making it another one.
    #[must_use]
    pub fn hash(&self, transaction: &Transaction) -> String {
        let mut bare = transaction.clone();
        for input in &mut bare.input {
            input.script_sig = bitcoin::ScriptBuf::new();
            input.witness = bitcoin::Witness::new();
        }
        hex::encode(self.0.of(&[&bare.compute_txid().to_byte_array()]))
    }
}
