//! Coins that are not unspent: spent by a block, spent in the mempool, or never existed.

use std::collections::HashMap;

use bitcoin::{BlockHash, OutPoint, consensus};
use serde::Deserialize;
use serde_json::json;

use super::json_rpc::{Reply, RpcError};
use super::{CoreRpc, Packing};
use crate::{ChainError, Coin, Unspent};

/// A transaction is at most a block, as hex and once more as opcodes, whose names have up to 20 characters.
pub(super) const TRANSACTION: Packing = Packing {
    calls: 1,
    limit: 40 * 1024 * 1024,
};

/// The most coins of one look-up whose transactions are fetched to find out why they are gone (rule C8): each may fill a block, and the
/// node reads them one by one. The remaining coins are `SpentOrMissing`; the first gone coin already decides about a file.
const HISTORIES: usize = 50;

/// Core's code for "no such transaction" (`RPC_INVALID_ADDRESS_OR_KEY`).
const NOT_FOUND: i64 = -5;

/// In that error's message, when the node has a complete index of all transactions; it has no code of its own.
const NOWHERE: &str = "No such mempool or blockchain transaction";

#[derive(Deserialize)]
pub(super) struct TransactionAnswer {
    pub(super) hex: String,
    /// `None` while it is only in the mempool.
    pub(super) blockhash: Option<BlockHash>,
    /// 0 in a block that is not (or no longer) in the chain.
    pub(super) confirmations: Option<u32>,
}

impl RpcError {
    /// For an error that a transaction is not found: whether there is none, and not only none that the node keeps.
    pub(super) fn is_nowhere(&self) -> Option<bool> {
        (self.code == NOT_FOUND).then(|| self.message.contains(NOWHERE))
    }
}

impl CoreRpc {
    /// The state of coins that `gettxout` does not know, with the mempool and without it.
    pub(super) async fn histories(
        &self,
        outpoints: &[OutPoint],
    ) -> Result<HashMap<OutPoint, Coin>, ChainError> {
        let (asked, rest) = outpoints.split_at(outpoints.len().min(HISTORIES));
        let params = asked.iter().map(|outpoint| json!([outpoint.txid, true]));
        let read = |index: usize, reply: Reply<'_>| self.history(asked[index], reply);
        let known = self.each("getrawtransaction", params.collect(), TRANSACTION, read);
        let known = asked.iter().copied().zip(known.await?);
        let rest = rest
            .iter()
            .map(|outpoint| (*outpoint, Coin::SpentOrMissing));
        Ok(known.chain(rest).collect())
    }

    /// The state of an output of a transaction. One that is only in a stale block is in no block (rule B9). Does not keep the transaction,
    /// which can fill a block.
    fn history(&self, outpoint: OutPoint, reply: Reply<'_>) -> Result<Coin, ChainError> {
        let answer: TransactionAnswer = match reply {
            Err(error) if error.is_nowhere() == Some(true) => return Ok(Coin::Missing),
            Err(error) if error.is_nowhere() == Some(false) => return Ok(Coin::SpentOrMissing),
            reply => self.service.result(reply)?,
        };
        let spent = match (answer.blockhash, answer.confirmations) {
            (None, _) => Coin::SpentInMempool,
            (Some(_), None | Some(0)) => return Ok(Coin::Missing),
            (Some(_), Some(_)) => Coin::Spent,
        };
        let decoded = consensus::encode::deserialize_hex(&answer.hex);
        let transaction = self.service.transaction(outpoint.txid, decoded)?;
        let coin = Unspent::created_by(&transaction, outpoint.vout);
        Ok(coin.map_or(Coin::Missing, |_| spent))
    }
}
