//! Transactions by txid, which proves that they are the right ones.

use bitcoin::{Transaction, Txid, consensus};
use serde_json::{Value, json};

use super::Electrum;
use crate::ChainError;
use crate::json_rpc::{Reply, RpcError};
use crate::service::{MAX_BLOCK_BYTES, SMALL_ANSWER};

/// A transaction is at most a block, as hex.
const TRANSACTION_LIMIT: usize = 2 * MAX_BLOCK_BYTES + SMALL_ANSWER;

impl Electrum {
    /// What `read` makes of each transaction. Skips those that the server does not know.
    pub(super) async fn each_transaction<T: Send>(
        &self,
        txids: &[Txid],
        read: impl Fn(usize, Transaction) -> Vec<T> + Send + Sync,
    ) -> Result<Vec<T>, ChainError> {
        let params: Vec<Value> = txids.iter().map(|txid| json!([txid, false])).collect();
        let read = |index: usize, reply: Reply<'_>| {
            if matches!(&reply, Err(error) if is_unknown_transaction(error)) {
                return Ok(Vec::new());
            }
            let hex: String = self.service.result(reply)?;
            let decoded = consensus::encode::deserialize_hex(&hex);
            let transaction = self.service.transaction(txids[index], decoded)?;
            Ok(read(index, transaction))
        };
        let method = "blockchain.transaction.get";
        let each = self.each(method, &params, TRANSACTION_LIMIT, read).await?;
        Ok(each.into_iter().flatten().collect())
    }
}

/// Whether the server has no such transaction. The protocol has no code for it:
/// ElectrumX, electrs and Fulcrum repeat the node's message, Blockstream's electrs has its own.
fn is_unknown_transaction(error: &RpcError) -> bool {
    let message = error.message.to_lowercase();
    message.contains("no such mempool") || message.contains("missing transaction")
}
