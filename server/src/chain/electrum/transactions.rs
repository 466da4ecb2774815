//! Transactions by their ids, which prove that they are the right ones.

use bitcoin::{Transaction, Txid, consensus};
use serde_json::json;

use super::super::ChainError;
use super::super::service::{MAX_BLOCK_BYTES, SMALL_ANSWER};
use super::Electrum;
use super::wire::{Call, Reply};

/// A transaction is at most a block, told in hex.
const TRANSACTION_LIMIT: usize = 2 * MAX_BLOCK_BYTES + SMALL_ANSWER;

impl Electrum {
    /// What `read` makes of each transaction; one that the server does not know is left out.
    pub(super) async fn each_transaction<T: Send>(
        &self,
        txids: &[Txid],
        read: impl Fn(usize, Transaction) -> Vec<T> + Send + Sync,
    ) -> Result<Vec<Vec<T>>, ChainError> {
        let calls: Vec<Call> = txids
            .iter()
            .map(|txid| {
                Call::new(
                    "blockchain.transaction.get",
                    json!([txid.to_string(), false]),
                )
            })
            .collect();
        let read = |index: usize, reply: Reply| {
            if matches!(&reply, Err(error) if error.is_unknown_transaction()) {
                return Ok(Vec::new());
            }
            let service = &self.server.service;
            let hex: String = self.server.result(reply)?;
            let transaction: Transaction = consensus::encode::deserialize_hex(&hex)
                .map_err(|_| service.invalid("a transaction that cannot be decoded"))?;
            if transaction.compute_txid() != txids[index] {
                return Err(service.invalid("another transaction than asked for"));
            }
            Ok(read(index, transaction))
        };
        self.server.exchange(&calls, TRANSACTION_LIMIT, read).await
    }
}
