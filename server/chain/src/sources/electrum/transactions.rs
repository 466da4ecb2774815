//! Transactions by txid, which proves that they are the right ones.

use bitcoin::{Transaction, Txid, consensus};
use serde_json::{Value, json};

use super::messages::Reply;
use super::server::Server;
use crate::ChainError;
use crate::service::{MAX_BLOCK_BYTES, SMALL_ANSWER};

/// A transaction is at most a block, as hex.
const TRANSACTION_LIMIT: usize = 2 * MAX_BLOCK_BYTES + SMALL_ANSWER;

impl Server {
    /// What `read` makes of each transaction. Skips those that the server does not know.
    pub(super) async fn each_transaction<T: Send>(
        &self,
        txids: &[Txid],
        read: impl Fn(usize, Transaction) -> Vec<T> + Send + Sync,
    ) -> Result<Vec<T>, ChainError> {
        let params: Vec<Value> = txids.iter().map(|txid| json!([txid, false])).collect();
        let read = |index: usize, reply: Reply| {
            if matches!(&reply, Err(error) if error.is_unknown_transaction()) {
                return Ok(Vec::new());
            }
            let hex: String = self.result(reply)?;
            let decoded = consensus::encode::deserialize_hex(&hex);
            let transaction = self.service.transaction(txids[index], decoded)?;
            Ok(read(index, transaction))
        };
        let method = "blockchain.transaction.get";
        let each = self.each(method, &params, TRANSACTION_LIMIT, read).await?;
        Ok(each.into_iter().flatten().collect())
    }
}
