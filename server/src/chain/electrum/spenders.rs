//! Coins that are not there any more. The server's word alone does not make a coin spent: the
//! transaction that spends it is looked for in the history of the coin's script.

use std::collections::{HashMap, HashSet};

use bitcoin::{OutPoint, Txid};
use serde::Deserialize;
use serde_json::json;

use super::super::{ChainError, Coin};
use super::Electrum;
use super::coins::LIST_LIMIT;
use super::wire::Call;

/// How many transactions of one script are searched. Some scripts have a hundred thousand.
const MOST_SEARCHED: usize = 1_000;

/// How many are read before looking whether the search is over.
const AT_ONCE: usize = 32;

/// One entry of `blockchain.scripthash.get_history`, which includes the mempool.
#[derive(Deserialize)]
struct HistoryAnswer {
    tx_hash: Txid,
    /// 0 or -1 while it is only in the mempool.
    height: i64,
}

impl Electrum {
    /// The state of coins of one script that the server does not count among the unspent ones.
    pub(super) async fn spenders(
        &self,
        script_hash: &str,
        mut outpoints: HashSet<OutPoint>,
    ) -> Result<HashMap<OutPoint, Coin>, ChainError> {
        let service = &self.server.service;
        let call = Call::new("blockchain.scripthash.get_history", json!([script_hash]));
        let answers: Vec<HistoryAnswer> = self.server.call(call, LIST_LIMIT).await?;
        // While a server takes in a block, it may tell a transaction twice: the block counts.
        let mut heights: HashMap<Txid, Option<u32>> = HashMap::new();
        for answer in answers {
            let height = self.height(answer.height)?;
            let known = heights.entry(answer.tx_hash).or_default();
            *known = height.max(*known);
        }
        if !outpoints
            .iter()
            .all(|spent| heights.contains_key(&spent.txid))
        {
            return Err(service.unreachable("its index lags behind its node"));
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

        let mut states = HashMap::new();
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
        if !outpoints.is_empty() && searched.len() == history.len() {
            // A transaction in the mempool may have gone since; asked again, the server knows.
            return Err(service.unreachable("neither the coin nor what spends it"));
        }
        states.extend(
            outpoints
                .into_iter()
                .map(|rest| (rest, Coin::SpentOrMissing)),
        );
        Ok(states)
    }

    /// Which of the outpoints these transactions spend.
    async fn spends(
        &self,
        history: &[(Option<u32>, Txid)],
        outpoints: &HashSet<OutPoint>,
    ) -> Result<Vec<(OutPoint, Coin)>, ChainError> {
        let txids: Vec<Txid> = history.iter().map(|(_, txid)| *txid).collect();
        let spends = self
            .each_transaction(&txids, |index, transaction| {
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
            .await?;
        Ok(spends.into_iter().flatten().collect())
    }
}
