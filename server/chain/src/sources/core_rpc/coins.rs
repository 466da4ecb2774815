//! The state of coins from Core's calls.
//!
//! `gettxout` answers null both for a spent coin and for one that never existed. So there are three questions,
//! each only about what the previous one left open: is the coin unspent, was it unspent without the
//! mempool, and what is known about its transaction.

use std::collections::{BTreeSet, HashMap};

use bitcoin::{Amount, BlockHash, Denomination, OutPoint, ScriptBuf, TxOut};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::json_rpc::Reply;
use super::{BLOCKS, CoreRpc, Packing};
use crate::service::MAX_BLOCK_BYTES;
use crate::{ChainError, Coin, Unspent};

/// The packing of coins: each is at most a 10,000-byte script, as hex, as opcodes and as a
/// descriptor.
const COINS: Packing = Packing {
    calls: 25,
    limit: MAX_BLOCK_BYTES,
};

/// The answer of `gettxout`.
#[derive(Deserialize)]
pub(super) struct TxOutAnswer {
    bestblock: BlockHash,
    confirmations: u32,
    /// BTC as a decimal number; kept as text, because a float is not exact.
    value: Box<RawValue>,
    #[serde(rename = "scriptPubKey")]
    script: ScriptAnswer,
    coinbase: bool,
}

#[derive(Deserialize)]
struct ScriptAnswer {
    hex: ScriptBuf,
}

impl CoreRpc {
    /// The state of each outpoint, in the order given.
    pub(super) async fn states(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        let answers = self.tx_outs(outpoints, true).await?;
        let gone = unanswered(outpoints, &answers);
        let before_mempool = self.tx_outs(&gone, false).await?;
        let unknown = unanswered(&gone, &before_mempool);
        let histories = self.histories(&unknown).await?;
        let unspent = self.unspent(answers).await?;
        Ok(outpoints
            .iter()
            .zip(unspent)
            .map(|(outpoint, unspent)| match unspent {
                Some(coin) => Coin::Unspent(coin),
                None => histories
                    .get(outpoint)
                    .cloned()
                    .unwrap_or(Coin::SpentInMempool),
            })
            .collect())
    }

    pub(super) async fn tx_outs(
        &self,
        outpoints: &[OutPoint],
        include_mempool: bool,
    ) -> Result<Vec<Option<TxOutAnswer>>, ChainError> {
        let params = outpoints
            .iter()
            .map(|outpoint| json!([outpoint.txid, outpoint.vout, include_mempool]))
            .collect();
        let read = |_, reply: Reply<'_>| match reply {
            Ok(None) => Ok(None),
            reply => self.service.result(reply).map(Some),
        };
        self.each("gettxout", params, COINS, read).await
    }

    /// Reads the answers and gives each coin the block that funded it. Core says only how deep
    /// that block is below its best one.
    pub(super) async fn unspent(
        &self,
        answers: Vec<Option<TxOutAnswer>>,
    ) -> Result<Vec<Option<Unspent>>, ChainError> {
        let mut found = answers.iter().flatten();
        let Some(TxOutAnswer { bestblock, .. }) = found.next() else {
            return Ok(answers.iter().map(|_| None).collect());
        };
        if found.any(|answer| answer.bestblock != *bestblock) {
            return Err(ChainError::Moved);
        }
        let best = self.header(*bestblock).await?.height;
        let coin = |answer| self.coin(answer, best);
        let mut coins: Vec<Option<Unspent>> = answers
            .iter()
            .map(|answer| answer.as_ref().map(coin).transpose())
            .collect::<Result<_, _>>()?;
        let heights = coins
            .iter()
            .flatten()
            .filter_map(|coin| coin.height)
            .collect();
        let blocks = self.blocks_at(heights).await?;
        for coin in coins.iter_mut().flatten() {
            coin.block = coin.height.and_then(|height| blocks.get(&height).copied());
        }
        Ok(coins)
    }

    async fn blocks_at(
        &self,
        heights: BTreeSet<u32>,
    ) -> Result<HashMap<u32, BlockHash>, ChainError> {
        let params = heights.iter().map(|height| json!([height])).collect();
        let read = |_, reply: Reply<'_>| self.service.result(reply);
        let hashes: Vec<BlockHash> = self.each("getblockhash", params, BLOCKS, read).await?;
        Ok(heights.into_iter().zip(hashes).collect())
    }

    /// The coin, without the hash of its block. `best` is the height of the node's best block.
    fn coin(&self, answer: &TxOutAnswer, best: u32) -> Result<Unspent, ChainError> {
        let invalid = |reason| self.service.invalid(reason);
        let value = Amount::from_str_in(answer.value.get(), Denomination::Bitcoin)
            .ok()
            .filter(|value| *value <= Amount::MAX_MONEY)
            .ok_or_else(|| invalid("a value that is no amount"))?;
        let height = match answer.confirmations {
            0 => None,
            depth => Some(
                best.checked_sub(depth - 1)
                    .ok_or_else(|| invalid("a coin older than the chain"))?,
            ),
        };
        Ok(Unspent {
            output: TxOut {
                value,
                script_pubkey: answer.script.hex.clone(),
            },
            height,
            block: None,
            coinbase: answer.coinbase,
        })
    }
}

/// The outpoints whose answer was null.
pub(super) fn unanswered(outpoints: &[OutPoint], answers: &[Option<TxOutAnswer>]) -> Vec<OutPoint> {
    outpoints
        .iter()
        .zip(answers)
        .filter(|(_, answer)| answer.is_none())
        .map(|(outpoint, _)| *outpoint)
        .collect()
}
