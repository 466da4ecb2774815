//! The state of coins from Core's calls.
//!
//! `gettxout` answers null both for a spent coin and for one that never existed. So there are three questions,
//! each only about what the previous one left open: is the coin unspent, was it unspent without the
//! mempool, and what is known about its transaction.

use std::collections::HashMap;

use bitcoin::OutPoint;
use serde_json::json;

use super::CoreRpc;
use super::json_rpc::Packing;
use super::unspent::TxOutAnswer;
use crate::json_rpc::Reply;
use crate::service::MAX_BLOCK_BYTES;
use crate::{ChainError, Coin};

/// The packing of coins: each is at most a 10,000-byte script, as hex, as opcodes and as a
/// descriptor.
const COINS: Packing = Packing {
    calls: 25,
    limit: MAX_BLOCK_BYTES,
};

impl CoreRpc {
    /// The state of each outpoint, in the order given.
    pub(super) async fn states(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        let answers = self.tx_outs(outpoints, true).await?;
        let gone = unanswered(outpoints, &answers);
        let before_mempool = self.tx_outs(&gone, false).await?;
        let unknown = unanswered(&gone, &before_mempool);
        let mut states: HashMap<OutPoint, Coin> = gone
            .into_iter()
            .map(|outpoint| (outpoint, Coin::SpentInMempool))
            .collect();
        states.extend(self.histories(&unknown).await?);

        let unspent = self.unspent(answers).await?;
        Ok(outpoints
            .iter()
            .zip(unspent)
            .map(|(outpoint, unspent)| match unspent {
                Some(coin) => Coin::Unspent(coin),
                None => states
                    .get(outpoint)
                    .cloned()
                    .unwrap_or(Coin::SpentOrMissing),
            })
            .collect())
    }

    async fn tx_outs(
        &self,
        outpoints: &[OutPoint],
        include_mempool: bool,
    ) -> Result<Vec<Option<TxOutAnswer>>, ChainError> {
        let params = outpoints
            .iter()
            .map(|outpoint| json!([outpoint.txid.to_string(), outpoint.vout, include_mempool]))
            .collect();
        let read = |_, reply: Reply<'_>| match reply {
            Ok(None) => Ok(None),
            reply => self.service.result(reply).map(Some),
        };
        self.each("gettxout", params, COINS, read).await
    }
}

/// The outpoints whose answer was null.
fn unanswered(outpoints: &[OutPoint], answers: &[Option<TxOutAnswer>]) -> Vec<OutPoint> {
    outpoints
        .iter()
        .zip(answers)
        .filter(|(_, answer)| answer.is_none())
        .map(|(outpoint, _)| *outpoint)
        .collect()
}
