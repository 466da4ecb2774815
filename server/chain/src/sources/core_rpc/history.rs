//! Coins that are not unspent: spent by a block, spent in the mempool, or never existed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bitcoin::{BlockHash, OutPoint, Transaction, Txid, consensus};
use serde::Deserialize;
use serde_json::json;

use super::json_rpc::{JsonRpc, NOT_FOUND, Packing, Reply, UNKNOWN_METHOD};
use crate::service::SMALL_ANSWER;
use crate::{ChainError, Coin, is_unspendable};

/// A transaction is at most a block, as hex and once more as opcodes, whose names have up to 20 characters.
const TRANSACTION: Packing = Packing {
    calls: 1,
    limit: 40 * 1024 * 1024,
};

const INDEXES: Packing = Packing {
    calls: 1,
    limit: SMALL_ANSWER,
};

/// The most transactions that one look-up fetches to find out why coins are gone (rule C8): each may fill a block, and the node reads
/// them one by one. The remaining coins are `SpentOrMissing`; the first gone coin already decides about a file.
const HISTORIES: usize = 50;

#[derive(Deserialize)]
struct TransactionAnswer {
    hex: String,
    /// `None` while it is only in the mempool.
    blockhash: Option<BlockHash>,
    /// 0 in a block that is not (or no longer) in the chain.
    confirmations: Option<u32>,
}

#[derive(Deserialize)]
struct IndexAnswer {
    synced: bool,
}

impl JsonRpc {
    /// The state of coins that `gettxout` does not know, with the mempool and without it.
    pub(super) async fn histories(
        &self,
        outpoints: Vec<OutPoint>,
    ) -> Result<Vec<(OutPoint, Coin)>, ChainError> {
        let mut wanted: BTreeMap<Txid, BTreeSet<u32>> = BTreeMap::new();
        let mut asked = 0;
        for outpoint in &outpoints {
            if !wanted.contains_key(&outpoint.txid) && wanted.len() == HISTORIES {
                break;
            }
            wanted
                .entry(outpoint.txid)
                .or_default()
                .insert(outpoint.vout);
            asked += 1;
        }
        let params = wanted.keys().map(|txid| json!([txid, true]));
        let params: Vec<_> = params.collect();
        let wanted: Vec<_> = wanted.into_iter().collect();
        let read = |index: usize, reply: Reply<'_>| {
            let (txid, vouts): &(Txid, BTreeSet<u32>) = &wanted[index];
            self.history(*txid, vouts, reply)
        };
        let known = self
            .each("getrawtransaction", params, TRANSACTION, read)
            .await?;
        let known: HashMap<OutPoint, Coin> = known.into_iter().flatten().collect();
        let unknown = match outpoints[..asked]
            .iter()
            .all(|outpoint| known.contains_key(outpoint))
        {
            true => Coin::SpentOrMissing,
            false => self.unknown_coin().await?,
        };
        Ok(outpoints
            .into_iter()
            .enumerate()
            .map(|(index, outpoint)| match known.get(&outpoint) {
                Some(coin) => (outpoint, coin.clone()),
                None if index < asked => (outpoint, unknown.clone()),
                None => (outpoint, Coin::SpentOrMissing),
            })
            .collect())
    }

    /// The state of these outputs of a transaction; none when the node does not have it, or only in a stale
    /// block (rule B9). Does not keep the transaction, which can fill a block.
    fn history(
        &self,
        txid: Txid,
        vouts: &BTreeSet<u32>,
        reply: Reply<'_>,
    ) -> Result<Vec<(OutPoint, Coin)>, ChainError> {
        let answer: TransactionAnswer = match reply {
            Err(error) if error.code == NOT_FOUND => return Ok(Vec::new()),
            reply => self.result("getrawtransaction", reply)?,
        };
        let spent = match (answer.blockhash, answer.confirmations) {
            (None, _) => Coin::SpentInMempool,
            (Some(_), None | Some(0)) => return Ok(Vec::new()),
            (Some(_), Some(_)) => Coin::Spent,
        };
        let decoded = consensus::encode::deserialize_hex(&answer.hex);
        let transaction = self.service.transaction(txid, decoded)?;
        let state = |vout: u32| match has_coin(&transaction, vout) {
            true => spent.clone(),
            false => Coin::Missing,
        };
        Ok(vouts
            .iter()
            .map(|vout| (OutPoint::new(txid, *vout), state(*vout)))
            .collect())
    }

    /// The state of a coin whose transaction the node does not know: missing, if the node has a complete index of
    /// all transactions.
    async fn unknown_coin(&self) -> Result<Coin, ChainError> {
        let read = |_, reply: Reply<'_>| match reply {
            Err(error) if error.code == UNKNOWN_METHOD => Ok(HashMap::new()),
            reply => self.result("getindexinfo", reply),
        };
        let indexes = self
            .each("getindexinfo", vec![json!(["txindex"])], INDEXES, read)
            .await?;
        let indexes: Option<HashMap<String, IndexAnswer>> = indexes.into_iter().next();
        let txindex = indexes.and_then(|mut indexes| indexes.remove("txindex"));
        Ok(match txindex {
            Some(IndexAnswer { synced: true }) => Coin::Missing,
            _ => Coin::SpentOrMissing,
        })
    }
}

/// Whether the transaction has an output at `vout` that can be a coin.
fn has_coin(transaction: &Transaction, vout: u32) -> bool {
    let output = usize::try_from(vout)
        .ok()
        .and_then(|vout| transaction.output.get(vout));
    output.is_some_and(|output| !is_unspendable(&output.script_pubkey))
}
