//! The state of coins: fetches first each transaction, then the state of each output.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bitcoin::{BlockHash, OutPoint, Txid, consensus};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;

use super::Esplora;
use crate::service::{IN_FLIGHT, MAX_BLOCK_BYTES};
use crate::{ChainError, ChainSource, Coin, CoinHistory, Spent, Unspent};

#[derive(Deserialize)]
struct StatusAnswer {
    confirmed: bool,
    block_height: Option<u32>,
    block_hash: Option<BlockHash>,
}

#[derive(Deserialize)]
struct SpendAnswer {
    spent: bool,
    status: Option<StatusAnswer>,
}

impl Esplora {
    /// The state of each outpoint, in the order given.
    pub(super) async fn states(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        let coins = self.funded(outpoints).await?;
        stream::iter(coins)
            .map(|(outpoint, coin)| self.state(outpoint, coin))
            .buffered(IN_FLIGHT)
            .try_collect()
            .await
    }

    /// What became of each outpoint, in the order given.
    pub(super) async fn coin_histories(
        &self,
        outpoints: &[OutPoint],
    ) -> Result<Vec<CoinHistory>, ChainError> {
        let coins = self.funded(outpoints).await?;
        stream::iter(coins)
            .map(|(outpoint, coin)| self.history(outpoint, coin))
            .buffered(IN_FLIGHT)
            .try_collect()
            .await
    }

    /// Each outpoint in the order given, and the output that it names as if nothing spent it; `None` when there is none.
    async fn funded(
        &self,
        outpoints: &[OutPoint],
    ) -> Result<Vec<(OutPoint, Option<Unspent>)>, ChainError> {
        let mut wanted: BTreeMap<Txid, BTreeSet<u32>> = BTreeMap::new();
        for outpoint in outpoints {
            wanted
                .entry(outpoint.txid)
                .or_default()
                .insert(outpoint.vout);
        }
        let outputs: Vec<Vec<(OutPoint, Unspent)>> = stream::iter(wanted)
            .map(|(txid, vouts)| self.outputs(txid, vouts))
            .buffer_unordered(IN_FLIGHT)
            .try_collect()
            .await?;
        let mut outputs: HashMap<OutPoint, Unspent> = outputs.into_iter().flatten().collect();
        self.clear_stale_blocks(&mut outputs).await?;
        let coins = outpoints.iter();
        let coins = coins.map(|outpoint| (*outpoint, outputs.get(outpoint).cloned()));
        Ok(coins.collect())
    }

    /// These outputs of a transaction, with its block; empty when the server has no such transaction. Does not keep the
    /// transaction, which can fill a block.
    async fn outputs(
        &self,
        txid: Txid,
        vouts: BTreeSet<u32>,
    ) -> Result<Vec<(OutPoint, Unspent)>, ChainError> {
        let service = &self.service;
        // A transaction is at most as large as a block.
        let raw = self.get(&format!("tx/{txid}/raw"), MAX_BLOCK_BYTES).await?;
        let Some(raw) = raw else {
            return Ok(Vec::new());
        };
        let transaction = service.transaction(txid, consensus::deserialize(&raw))?;
        let coins = vouts.into_iter().filter_map(|vout| {
            let coin = Unspent::created_by(&transaction, vout)?;
            Some((OutPoint { txid, vout }, coin))
        });
        let mut coins: Vec<(OutPoint, Unspent)> = coins.collect();
        drop((raw, transaction));
        let status: StatusAnswer = self.json(&format!("tx/{txid}/status")).await?;
        let block = match (status.confirmed, status.block_height, status.block_hash) {
            (false, _, _) => return Ok(coins),
            (true, Some(height), Some(hash)) => (height, hash),
            (true, _, _) => return Err(service.invalid("a confirmed transaction without a block")),
        };
        // The genesis block's coinbase is not in the UTXO set.
        coins.retain(|_| block.0 != 0);
        for (_, coin) in &mut coins {
            (coin.height, coin.block) = (Some(block.0), Some(block.1));
        }
        Ok(coins)
    }

    /// Makes outputs in stale blocks unconfirmed (rule B9): servers keep the transactions of such a block, and some still say
    /// that it confirms them.
    async fn clear_stale_blocks(
        &self,
        outputs: &mut HashMap<OutPoint, Unspent>,
    ) -> Result<(), ChainError> {
        let heights: BTreeSet<u32> = outputs.values().filter_map(|coin| coin.height).collect();
        let hashes: HashMap<u32, Option<BlockHash>> = stream::iter(heights)
            .map(async |height| Ok((height, self.block_hash_at(height).await?)))
            .buffer_unordered(IN_FLIGHT)
            .try_collect()
            .await?;
        for coin in outputs.values_mut() {
            let here = coin.height.and_then(|height| *hashes.get(&height)?);
            if here != coin.block {
                (coin.height, coin.block) = (None, None);
            }
        }
        Ok(())
    }

    /// Whether the coin is spent.
    async fn state(&self, outpoint: OutPoint, coin: Option<Unspent>) -> Result<Coin, ChainError> {
        let Some(coin) = coin else {
            return Ok(Coin::Missing);
        };
        let spend = self.spend(outpoint).await?;
        let confirmed = spend.status.map(|status| status.confirmed);
        match (spend.spent, confirmed) {
            (false, _) => Ok(Coin::Unspent(coin)),
            (true, Some(true)) => Ok(Coin::Spent),
            (true, Some(false)) => Ok(Coin::SpentInMempool),
            (true, None) => Err(self.without_status()),
        }
    }

    /// What became of the coin.
    async fn history(
        &self,
        outpoint: OutPoint,
        coin: Option<Unspent>,
    ) -> Result<CoinHistory, ChainError> {
        let Some(Unspent { output, height, .. }) = coin else {
            return Ok(CoinHistory::Missing);
        };
        let spend = self.spend(outpoint).await?;
        let spent = match (spend.spent, spend.status) {
            (false, _) => Spent::No,
            (true, Some(status)) if !status.confirmed => Spent::No,
            (true, Some(status)) => status.block_height.map_or(Spent::Sometime, Spent::At),
            (true, None) => return Err(self.without_status()),
        };
        Ok(CoinHistory::Known {
            output,
            funded: height,
            spent,
        })
    }

    async fn spend(&self, OutPoint { txid, vout }: OutPoint) -> Result<SpendAnswer, ChainError> {
        self.json(&format!("tx/{txid}/outspend/{vout}")).await
    }

    fn without_status(&self) -> ChainError {
        let reason = "a spent coin without the spender's status";
        self.service.invalid(reason)
    }
}
