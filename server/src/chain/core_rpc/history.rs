//! Coins that are not there: spent by a block, spent by the mempool, or never there.

use std::collections::{BTreeSet, HashMap};

use bitcoin::{OutPoint, Transaction, Txid, consensus};
use serde::Deserialize;
use serde_json::json;

use super::super::service::SMALL_ANSWER;
use super::super::{ChainError, Coin, is_unspendable};
use super::CoreRpc;
use super::json_rpc::{Call, Packing, Reply};

/// A transaction is at most a block, told in hex; two calls are made for each.
const TRANSACTIONS: Packing = Packing {
    calls: 6,
    limit: 32 * 1024 * 1024,
};

const INDEXES: Packing = Packing {
    calls: 1,
    limit: SMALL_ANSWER,
};

/// What the node knows of a transaction.
enum History {
    InBlock(Transaction),
    InMempool(Transaction),
    Unknown,
}

#[derive(Deserialize)]
struct IndexAnswer {
    synced: bool,
}

impl CoreRpc {
    /// The state of coins that neither the blocks nor the mempool have left to be spent.
    pub(super) async fn histories(
        &self,
        outpoints: Vec<OutPoint>,
    ) -> Result<Vec<(OutPoint, Coin)>, ChainError> {
        let txids: BTreeSet<Txid> = outpoints.iter().map(|outpoint| outpoint.txid).collect();
        let histories = self.transactions(txids).await?;
        let unknown = if histories.values().any(History::is_unknown) {
            self.unknown_coin().await?
        } else {
            Coin::SpentOrMissing
        };
        Ok(outpoints
            .into_iter()
            .map(|outpoint| {
                let coin = histories
                    .get(&outpoint.txid)
                    .and_then(|history| history.coin(outpoint.vout))
                    .unwrap_or_else(|| unknown.clone());
                (outpoint, coin)
            })
            .collect())
    }

    async fn transactions(
        &self,
        txids: BTreeSet<Txid>,
    ) -> Result<HashMap<Txid, History>, ChainError> {
        let calls = txids
            .iter()
            .map(ToString::to_string)
            .flat_map(|txid| {
                [
                    ("getrawtransaction", json!([txid, false])),
                    ("getmempoolentry", json!([txid])),
                ]
            })
            .map(|(method, params)| Call { method, params })
            .collect();
        let mut replies = self.rpc.batch(calls, TRANSACTIONS).await?.into_iter();
        let mut histories = HashMap::new();
        for txid in txids {
            if let (Some(raw), Some(entry)) = (replies.next(), replies.next()) {
                histories.insert(txid, self.history(txid, raw, entry)?);
            }
        }
        Ok(histories)
    }

    fn history(&self, txid: Txid, raw: Reply, entry: Reply) -> Result<History, ChainError> {
        let service = &self.rpc.service;
        let text: String = match raw {
            Err(error) if error.is_not_found() => return Ok(History::Unknown),
            raw => self.rpc.result("getrawtransaction", raw)?,
        };
        let transaction: Transaction = consensus::encode::deserialize_hex(&text)
            .map_err(|_| service.invalid("a transaction that cannot be decoded"))?;
        if transaction.compute_txid() != txid {
            return Err(service.invalid("another transaction than asked for"));
        }
        match entry {
            Ok(_) => Ok(History::InMempool(transaction)),
            Err(error) if error.is_not_found() => Ok(History::InBlock(transaction)),
            Err(error) => Err(self.rpc.refused(&error)),
        }
    }

    /// What it means that the node does not know a transaction: only with a complete index of all
    /// transactions does it mean that there is none.
    async fn unknown_coin(&self) -> Result<Coin, ChainError> {
        let params = [json!(["txindex"])].into_iter();
        let reply = self.rpc.each("getindexinfo", params, INDEXES).await?.pop();
        let indexes: HashMap<String, IndexAnswer> = match reply {
            Some(Err(error)) if error.is_unknown_method() => HashMap::new(),
            Some(reply) => self.rpc.result("getindexinfo", reply)?,
            None => HashMap::new(),
        };
        Ok(match indexes.get("txindex") {
            Some(IndexAnswer { synced: true }) => Coin::Missing,
            _ => Coin::SpentOrMissing,
        })
    }
}

impl History {
    fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    /// The state of the output at `vout`; `None` when nothing is known of the transaction.
    fn coin(&self, vout: u32) -> Option<Coin> {
        let (transaction, spent) = match self {
            Self::InBlock(transaction) => (transaction, Coin::Spent),
            Self::InMempool(transaction) => (transaction, Coin::SpentInMempool),
            Self::Unknown => return None,
        };
        let output = usize::try_from(vout)
            .ok()
            .and_then(|vout| transaction.output.get(vout))
            .filter(|output| !is_unspendable(&output.script_pubkey));
        Some(output.map_or(Coin::Missing, |_| spent))
    }
}
