//! When coins were funded and spent. Of a spent coin the node needs `-txindex` for the first and `-txospenderindex` for the second.

use std::collections::HashMap;

use bitcoin::{BlockHash, OutPoint, consensus};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::json;

use super::coins::unanswered;
use super::history::{TRANSACTION, TransactionAnswer};
use super::json_rpc::Reply;
use super::{CoreRpc, Packing};
use crate::service::{IN_FLIGHT, SMALL_ANSWER};
use crate::{ChainError, CoinHistory, Spent, Unspent};

/// The packing of spenders, one txid and one block hash each.
const SPENDERS: Packing = Packing {
    calls: 25,
    limit: SMALL_ANSWER,
};

/// One item of the answer of `gettxspendingprevout`.
#[derive(Deserialize)]
struct SpenderAnswer {
    /// `None` while it is only in the mempool, and when the node has no index of spenders.
    blockhash: Option<BlockHash>,
}

impl CoreRpc {
    /// What became of each outpoint, in the order given.
    pub(super) async fn coin_histories(
        &self,
        outpoints: &[OutPoint],
    ) -> Result<Vec<CoinHistory>, ChainError> {
        let answers = self.tx_outs(outpoints, false).await?;
        let gone = self.gone(&unanswered(outpoints, &answers)).await?;
        let unspent = self.unspent(answers).await?;
        let histories = outpoints.iter().zip(unspent);
        let histories = histories.map(|(outpoint, unspent)| match unspent {
            Some(Unspent { output, height, .. }) => CoinHistory::Known {
                output,
                funded: height,
                spent: Spent::No,
            },
            None => gone.get(outpoint).cloned().unwrap_or(CoinHistory::Unknown),
        });
        Ok(histories.collect())
    }

    /// What became of outpoints that are in no block's unspent outputs.
    async fn gone(
        &self,
        outpoints: &[OutPoint],
    ) -> Result<HashMap<OutPoint, CoinHistory>, ChainError> {
        let params = outpoints
            .iter()
            .map(|outpoint| json!([outpoint.txid, true]));
        let read = |index: usize, reply: Reply<'_>| self.created(outpoints[index], reply);
        let created = self.each("getrawtransaction", params.collect(), TRANSACTION, read);
        let created = created.await?;
        let spenders = self.spenders(outpoints).await?;
        let blocks = created
            .iter()
            .map(|created| created.as_ref().ok().and_then(|it| it.1));
        let blocks = self.heights(blocks.chain(spenders.iter().copied())).await?;
        let height = |block: Option<BlockHash>| block.and_then(|hash| blocks.get(&hash).copied());
        let created = created.into_iter().zip(&spenders).zip(outpoints);
        let histories = created.map(|((created, spender), outpoint)| {
            let history = match created {
                Err(none) => none,
                Ok((output, block)) => CoinHistory::Known {
                    output,
                    funded: height(block),
                    spent: match (block, spender) {
                        // Nothing in a block spends what is in none.
                        (None, _) => Spent::No,
                        (Some(_), spender) => height(*spender).map_or(Spent::Sometime, Spent::At),
                    },
                },
            };
            (*outpoint, history)
        });
        Ok(histories.collect())
    }

    /// An output of a transaction, and the transaction's block; or that there is none.
    #[allow(
        clippy::type_complexity,
        reason = "a pair, or what there is in its place"
    )]
    fn created(
        &self,
        outpoint: OutPoint,
        reply: Reply<'_>,
    ) -> Result<Result<(bitcoin::TxOut, Option<BlockHash>), CoinHistory>, ChainError> {
        let answer: TransactionAnswer = match reply {
            Err(error) if error.is_nowhere() == Some(true) => return Ok(Err(CoinHistory::Missing)),
            Err(error) if error.is_nowhere().is_some() => {
                return Ok(Err(CoinHistory::SpentOrMissing));
            }
            reply => self.service.result(reply)?,
        };
        if answer.blockhash.is_some() && answer.confirmations.unwrap_or(0) == 0 {
            return Ok(Err(CoinHistory::Missing));
        }
        let decoded = consensus::encode::deserialize_hex(&answer.hex);
        let transaction = self.service.transaction(outpoint.txid, decoded)?;
        let coin = Unspent::created_by(&transaction, outpoint.vout);
        Ok(coin.map_or(Err(CoinHistory::Missing), |coin| {
            Ok((coin.output, answer.blockhash))
        }))
    }

    /// The block that spends each outpoint, if the node has an index of spenders. Nodes without it refuse the question.
    async fn spenders(&self, outpoints: &[OutPoint]) -> Result<Vec<Option<BlockHash>>, ChainError> {
        let ask = |outpoint: &OutPoint| {
            let outpoint = json!([{"txid": outpoint.txid, "vout": outpoint.vout}]);
            json!([outpoint, {"mempool_only": false}])
        };
        let params = outpoints.iter().map(ask).collect();
        let read = |_, reply: Reply<'_>| match reply {
            Err(_) => Ok(None),
            reply => {
                let answers: Vec<SpenderAnswer> = self.service.result(reply)?;
                Ok(answers
                    .into_iter()
                    .next()
                    .and_then(|answer| answer.blockhash))
            }
        };
        self.each("gettxspendingprevout", params, SPENDERS, read)
            .await
    }

    /// The heights of blocks.
    async fn heights(
        &self,
        blocks: impl Iterator<Item = Option<BlockHash>>,
    ) -> Result<HashMap<BlockHash, u32>, ChainError> {
        let blocks: std::collections::HashSet<BlockHash> = blocks.flatten().collect();
        stream::iter(blocks)
            .map(async |block| Ok((block, self.header(block).await?.height)))
            .buffer_unordered(IN_FLIGHT)
            .try_collect()
            .await
    }
}
