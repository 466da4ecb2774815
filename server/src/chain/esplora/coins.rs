//! The state of coins from Esplora's answers: first each transaction, then each output.

use std::collections::{BTreeSet, HashMap};

use bitcoin::{BlockHash, OutPoint, Transaction, Txid, consensus};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;

use super::super::service::{IN_FLIGHT, MAX_BLOCK_BYTES};
use super::super::{ChainError, Coin, Unspent, is_unspendable};
use super::Esplora;

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

/// A transaction that the server really has, and the block it is in.
struct Funding {
    transaction: Transaction,
    block: Option<(u32, BlockHash)>,
}

impl Esplora {
    /// The state of each outpoint, in the order given.
    pub(super) async fn look_up(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        let txids: BTreeSet<Txid> = outpoints.iter().map(|outpoint| outpoint.txid).collect();
        let fundings: HashMap<Txid, Funding> = stream::iter(txids)
            .map(|txid| self.funding(txid))
            .buffer_unordered(IN_FLIGHT)
            .try_filter_map(async |funding| Ok(funding))
            .try_collect()
            .await?;
        let coins: Vec<(OutPoint, Option<Unspent>)> = outpoints
            .iter()
            .map(|outpoint| {
                let funding = fundings.get(&outpoint.txid);
                (
                    *outpoint,
                    funding.and_then(|funding| funding.coin(outpoint.vout)),
                )
            })
            .collect();
        stream::iter(coins)
            .map(|(outpoint, coin)| self.state(outpoint, coin))
            .buffered(IN_FLIGHT)
            .try_collect()
            .await
    }

    /// The transaction and its block, or nothing when the server has no such transaction.
    async fn funding(&self, txid: Txid) -> Result<Option<(Txid, Funding)>, ChainError> {
        let service = &self.api.service;
        // A transaction fills at most a block.
        let raw = self
            .api
            .get(&format!("tx/{txid}/raw"), MAX_BLOCK_BYTES)
            .await?;
        let Some(raw) = raw else {
            return Ok(None);
        };
        let transaction: Transaction = consensus::deserialize(&raw)
            .map_err(|_| service.invalid("a transaction that cannot be decoded"))?;
        if transaction.compute_txid() != txid {
            return Err(service.invalid("another transaction than asked for"));
        }
        let status: StatusAnswer = self.api.json(&format!("tx/{txid}/status")).await?;
        let block = match (status.confirmed, status.block_height, status.block_hash) {
            (false, _, _) => None,
            (true, Some(height), Some(hash)) => {
                let hash = hash
                    .parse()
                    .map_err(|_| service.invalid("a block hash that is none"))?;
                Some((height, hash))
            }
            (true, _, _) => return Err(service.invalid("a confirmed transaction without a block")),
        };
        Ok(Some((txid, Funding { transaction, block })))
    }

    /// Whether something spends the coin.
    async fn state(&self, outpoint: OutPoint, coin: Option<Unspent>) -> Result<Coin, ChainError> {
        let Some(coin) = coin else {
            return Ok(Coin::Missing);
        };
        let OutPoint { txid, vout } = outpoint;
        let spend: SpendAnswer = self.api.json(&format!("tx/{txid}/outspend/{vout}")).await?;
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
                .api
                .service
                .invalid("a spent coin without the spender's status")),
        }
    }
}

impl Funding {
    /// The coin at `vout`, spent or not; `None` when there is none.
    fn coin(&self, vout: u32) -> Option<Unspent> {
        let output = self.transaction.output.get(usize::try_from(vout).ok()?)?;
        // The genesis block's coinbase was never added to the set of coins.
        if is_unspendable(&output.script_pubkey) || matches!(self.block, Some((0, _))) {
            return None;
        }
        Some(Unspent {
            output: output.clone(),
            height: self.block.map(|(height, _)| height),
            block: self.block.map(|(_, hash)| hash),
            coinbase: self.transaction.is_coinbase(),
        })
    }
}
