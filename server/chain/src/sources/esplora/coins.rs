//! The state of coins: fetches first each transaction, then the state of each output.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bitcoin::{BlockHash, OutPoint, Transaction, Txid, consensus};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;

use super::api::Api;
use crate::service::{IN_FLIGHT, MAX_BLOCK_BYTES};
use crate::{ChainError, Coin, Unspent, is_unspendable};

#[derive(Deserialize)]
struct StatusAnswer {
    confirmed: bool,
    block_height: Option<u32>,
    block_hash: Option<String>,
}

#[derive(Deserialize)]
struct SpendAnswer {
    spent: bool,
    status: Option<StatusAnswer>,
}

impl Api {
    /// The state of each outpoint, in the order given.
    pub(super) async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
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
        let coins: Vec<(OutPoint, Option<Unspent>)> = outpoints
            .iter()
            .map(|outpoint| (*outpoint, outputs.get(outpoint).cloned()))
            .collect();
        stream::iter(coins)
            .map(|(outpoint, coin)| self.state(outpoint, coin))
            .buffered(IN_FLIGHT)
            .try_collect()
            .await
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
        let mut outputs = outputs_of(
            &service.transaction(txid, consensus::deserialize(&raw))?,
            &vouts,
        );
        drop(raw);
        let status: StatusAnswer = self.json(&format!("tx/{txid}/status")).await?;
        let block = match (status.confirmed, status.block_height, status.block_hash) {
            (false, _, _) => None,
            (true, Some(height), Some(hash)) => Some((height, service.block_hash(&hash)?)),
            (true, _, _) => return Err(service.invalid("a confirmed transaction without a block")),
        };
        if let Some((height, hash)) = block {
            // The genesis block's coinbase is not in the UTXO set.
            outputs.retain(|_| height != 0);
            for coin in &mut outputs {
                (coin.1.height, coin.1.block) = (Some(height), Some(hash));
            }
        }
        let named = outputs.into_iter();
        Ok(named
            .map(|(vout, coin)| (OutPoint { txid, vout }, coin))
            .collect())
    }

    /// Makes outputs in stale blocks unconfirmed (rule B9): servers keep the transactions of such a block, and some still say
    /// that it confirms them.
    async fn clear_stale_blocks(
        &self,
        outputs: &mut HashMap<OutPoint, Unspent>,
    ) -> Result<(), ChainError> {
        let heights: BTreeSet<u32> = outputs.values().filter_map(|coin| coin.height).collect();
        let hashes: HashMap<u32, Option<BlockHash>> = stream::iter(heights)
            .map(async |height| {
                let path = format!("block-height/{height}");
                Ok((height, self.find_block_hash(&path).await?))
            })
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
        let OutPoint { txid, vout } = outpoint;
        let spend: SpendAnswer = self.json(&format!("tx/{txid}/outspend/{vout}")).await?;
        match spend {
            SpendAnswer { spent: false, .. } => Ok(Coin::Unspent(coin)),
            SpendAnswer {
                status: Some(status),
                ..
            } if status.confirmed => Ok(Coin::Spent),
            SpendAnswer {
                status: Some(_), ..
            } => Ok(Coin::SpentInMempool),
            SpendAnswer { status: None, .. } => Err(self
                .service
                .invalid("a spent coin without the spender's status")),
        }
    }
}

/// The spendable outputs at `vouts`, as unconfirmed coins.
fn outputs_of(transaction: &Transaction, vouts: &BTreeSet<u32>) -> Vec<(u32, Unspent)> {
    let coinbase = transaction.is_coinbase();
    let outputs = vouts.iter().filter_map(|vout| {
        let output = transaction.output.get(usize::try_from(*vout).ok()?)?;
        Some((*vout, output))
    });
    outputs
        .filter(|(_, output)| !is_unspendable(&output.script_pubkey))
        .map(|(vout, output)| {
            let coin = Unspent {
                output: output.clone(),
                height: None,
                block: None,
                coinbase,
            };
            (vout, coin)
        })
        .collect()
}
