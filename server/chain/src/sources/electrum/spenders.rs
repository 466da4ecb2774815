//! Coins that are not there any more. The server's word alone does not make a coin spent: the
//! transaction that spends it is looked for in the history of the coin's script.

use std::collections::{BTreeSet, HashMap, HashSet};

use bitcoin::{BlockHash, OutPoint, Txid};
use serde::Deserialize;
use serde_json::json;

use super::heights::{LIST_LIMIT, heights};
use super::server::Server;
use super::wire::Reply;
use crate::{ChainError, Coin};

/// The most transactions of one script that are searched. Some scripts have a hundred thousand.
const MOST_SEARCHED: usize = 1_000;

/// The number of transactions that are read before looking whether the search is over.
const AT_ONCE: usize = 32;

/// One entry of `blockchain.scripthash.get_history`, which includes the mempool.
#[derive(Deserialize)]
struct HistoryAnswer {
    tx_hash: Txid,
    height: i64,
}

/// The place of a transaction, as the node below the server tells it.
#[derive(Deserialize)]
struct PlaceAnswer {
    /// None while it is only in the mempool.
    blockhash: Option<BlockHash>,
    /// 0 in a block that is not in the chain.
    confirmations: Option<u32>,
}

/// Nothing is known about these.
fn unknown(outpoints: HashSet<OutPoint>) -> impl Iterator<Item = (OutPoint, Coin)> {
    outpoints.into_iter().map(|rest| (rest, Coin::Unknown))
}

/// A transaction is at most a block, told in hex and once more in words.
const VERBOSE_LIMIT: usize = 40 * 1024 * 1024;

impl Server {
    /// The state of coins of one script that the server does not count among the unspent ones.
    pub(super) async fn spenders(
        &self,
        script_hash: &str,
        mut outpoints: HashSet<OutPoint>,
    ) -> Result<HashMap<OutPoint, Coin>, ChainError> {
        let service = &self.service;
        let Some(answers) = self.history(script_hash).await? else {
            return Ok(unknown(outpoints).collect());
        };
        let told = answers.into_iter().map(|told| (told.tx_hash, told.height));
        let heights = heights(service, told)?;
        let mut states = HashMap::new();
        let absent: BTreeSet<Txid> = outpoints
            .iter()
            .map(|spent| spent.txid)
            .filter(|txid| !heights.contains_key(txid))
            .collect();
        for txid in absent {
            let state = match self.is_stale(txid).await? {
                true => Coin::Missing,
                false => {
                    let source = service.name();
                    tracing::warn!(source, "the index of a chain source lags behind its node");
                    Coin::Unknown
                }
            };
            let gone = outpoints.extract_if(|spent| spent.txid == txid);
            states.extend(gone.map(|gone| (gone, state.clone())));
        }
        // A coin is spent after it was funded: the mempool comes first (it has no height), then the
        // oldest blocks.
        let first = outpoints
            .iter()
            .filter_map(|spent| heights[&spent.txid])
            .min();
        let mut history: Vec<(Option<u32>, Txid)> = heights
            .into_iter()
            .map(|(txid, height)| (height, txid))
            .filter(|(height, _)| height.is_none() || *height >= first)
            .collect();
        history.sort_unstable();

        let searched = &history[..history.len().min(MOST_SEARCHED)];
        for part in searched.chunks(AT_ONCE) {
            if outpoints.is_empty() {
                break;
            }
            for (spent, coin) in self.spends(part, &outpoints).await? {
                outpoints.remove(&spent);
                states.insert(spent, coin);
            }
        }
        if searched.len() == history.len() {
            // A transaction in the mempool may have gone since; asked again, the server knows.
            states.extend(unknown(outpoints));
            return Ok(states);
        }
        states.extend(
            outpoints
                .into_iter()
                .map(|rest| (rest, Coin::SpentOrMissing)),
        );
        Ok(states)
    }

    /// The transactions that concern a script; none when the server does not answer about it.
    async fn history(&self, script_hash: &str) -> Result<Option<Vec<HistoryAnswer>>, ChainError> {
        let read = |_, reply| self.unless_refused(reply);
        let method = "blockchain.scripthash.get_history";
        let params = [json!([script_hash])];
        let answers = self.each(method, &params, LIST_LIMIT, read).await?;
        Ok(answers.into_iter().next().flatten())
    }

    /// Whether the node below the server has the transaction only in a block that is not in the chain (any more), which is no
    /// block (rule B9). Servers pass the question on; one that cannot lags for all that is known.
    async fn is_stale(&self, txid: Txid) -> Result<bool, ChainError> {
        let read = |_, reply: Reply| match reply {
            Ok(result) => self.service.json(result.get().as_bytes()).map(Some),
            Err(_) => Ok(None),
        };
        let method = "blockchain.transaction.get";
        let params = [json!([txid, true])];
        let answers = self.each(method, &params, VERBOSE_LIMIT, read).await?;
        let place: Option<PlaceAnswer> = answers.into_iter().next().flatten();
        Ok(place.is_some_and(|place| {
            place.blockhash.is_some() && place.confirmations.unwrap_or(0) == 0
        }))
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
