//! Coins that are not unspent. The server's word is not enough for a spent coin: this
//! finds the transaction that spends it in the history of the coin's script.

use std::collections::{BTreeSet, HashMap, HashSet};

use bitcoin::{BlockHash, OutPoint, Txid};
use serde::Deserialize;
use serde_json::json;

use super::Electrum;
use super::coins::{LIST_LIMIT, heights};
use crate::json_rpc::Reply;
use crate::{ChainError, Coin};

/// The most transactions of one script to search. Some scripts have a hundred thousand.
const MAX_SEARCHED: usize = 1_000;

/// How many transactions to fetch at a time, before checking whether the search is over.
const BATCH: usize = 32;

/// One entry of `blockchain.scripthash.get_history`, which includes the mempool.
#[derive(Deserialize)]
struct HistoryAnswer {
    tx_hash: Txid,
    height: i64,
}

/// The block of a transaction, according to the server's node.
#[derive(Deserialize)]
struct BlockAnswer {
    /// None while the transaction is unconfirmed.
    blockhash: Option<BlockHash>,
    /// 0 in a block that is not in the chain.
    confirmations: Option<u32>,
}

/// A transaction is at most a block, as hex and once more as opcodes.
const VERBOSE_LIMIT: usize = 40 * 1024 * 1024;

impl Electrum {
    /// The state of a script's coins that are not in the server's list of unspent ones.
    pub(super) async fn spenders(
        &self,
        script_hash: &str,
        mut outpoints: HashSet<OutPoint>,
    ) -> Result<HashMap<OutPoint, Coin>, ChainError> {
        let service = &self.service;
        let Some(answers) = self.history(script_hash).await? else {
            let unknown = outpoints.into_iter().map(|coin| (coin, Coin::Unknown));
            return Ok(unknown.collect());
        };
        let answers = answers.into_iter().map(|it| (it.tx_hash, it.height));
        let heights = heights(service, answers)?;
        let mut states = HashMap::new();
        let txids = outpoints.iter().map(|spent| spent.txid);
        let absent: BTreeSet<Txid> = txids.filter(|txid| !heights.contains_key(txid)).collect();
        for txid in absent {
            let state = match self.is_stale(txid).await? {
                true => Coin::Missing,
                false => {
                    let source = service.name();
                    tracing::warn!(source, "the index of a chain source is behind its node");
                    Coin::Unknown
                }
            };
            let absent = outpoints.extract_if(|spent| spent.txid == txid);
            states.extend(absent.map(|coin| (coin, state.clone())));
        }
        // A coin is spent after it was funded: first the mempool, which has no height, then the oldest blocks.
        let funded = outpoints.iter().filter_map(|spent| heights[&spent.txid]);
        let first = funded.min();
        let history = heights.into_iter().map(|(txid, height)| (height, txid));
        let history = history.filter(|(height, _)| height.is_none() || *height >= first);
        let mut history: Vec<(Option<u32>, Txid)> = history.collect();
        history.sort_unstable();

        let searched = &history[..history.len().min(MAX_SEARCHED)];
        for part in searched.chunks(BATCH) {
            if outpoints.is_empty() {
                break;
            }
            for (spent, coin) in self.spends(part, &outpoints).await? {
                outpoints.remove(&spent);
                states.insert(spent, coin);
            }
        }
        let rest = match searched.len() == history.len() {
            // The transaction may have left the mempool since; a later look-up will tell.
            true => Coin::Unknown,
            false => Coin::SpentOrMissing,
        };
        states.extend(outpoints.into_iter().map(|coin| (coin, rest.clone())));
        Ok(states)
    }

    /// The transactions of a script; none when the server refuses to answer about it.
    async fn history(&self, script_hash: &str) -> Result<Option<Vec<HistoryAnswer>>, ChainError> {
        let read = |reply: Reply<'_>| self.unless_refused(reply);
        let method = "blockchain.scripthash.get_history";
        let params = json!([script_hash]);
        self.one(method, params, LIST_LIMIT, read).await
    }

    /// Whether the server's node has the transaction only in a stale block (rule B9). Servers pass the request on to their node; one that
    /// does not is taken to be behind.
    async fn is_stale(&self, txid: Txid) -> Result<bool, ChainError> {
        let read = |reply: Reply<'_>| match reply {
            Err(_) => Ok(None),
            reply => self.service.result(reply).map(Some),
        };
        let method = "blockchain.transaction.get";
        let params = json!([txid, true]);
        let block: Option<BlockAnswer> = self.one(method, params, VERBOSE_LIMIT, read).await?;
        Ok(block.is_some_and(|it| it.blockhash.is_some() && it.confirmations.unwrap_or(0) == 0))
    }

    /// The outpoints that these transactions spend.
    async fn spends(
        &self,
        history: &[(Option<u32>, Txid)],
        outpoints: &HashSet<OutPoint>,
    ) -> Result<Vec<(OutPoint, Coin)>, ChainError> {
        let txids: Vec<Txid> = history.iter().map(|(_, txid)| *txid).collect();
        self.each_transaction(&txids, |index, transaction| {
            let state = match history[index].0 {
                Some(_) => Coin::Spent,
                None => Coin::SpentInMempool,
            };
            let inputs = transaction.input.iter().map(|input| input.previous_output);
            inputs
                .filter(|spent| outpoints.contains(spent))
                .map(|spent| (spent, state.clone()))
                .collect()
        })
        .await
    }
}
