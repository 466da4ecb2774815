//! The names under which transactions are remembered.

use bitcoin::Transaction;
use bitcoin::hashes::Hash;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::clock::UnixTime;
use crate::state::StartError;
use crate::store::Store;

/// Makes the names: nobody without the key can tell which transaction a name stands for.
pub struct TransactionHasher(Hmac<Sha256>);

impl std::fmt::Debug for TransactionHasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TransactionHasher")
    }
}

impl TransactionHasher {
    /// Reads the key, or makes it on first start.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load(store: &Store, now: UnixTime) -> Result<Self, StartError> {
        let key = store.secret("transaction-hash", now).await?;
        Ok(Self(
            Hmac::new_from_slice(&key).expect("HMAC takes a key of any length (RFC 2104)"),
        ))
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
        let mut mac = self.0.clone();
        mac.update(&bare.compute_txid().to_byte_array());
        hex::encode(mac.finalize().into_bytes())
    }
}
