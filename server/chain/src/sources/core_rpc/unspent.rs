//! Unspent coins: exact values, and the block that funded each.

use std::collections::{BTreeSet, HashMap};

use bitcoin::{Amount, BlockHash, Denomination, ScriptBuf, TxOut};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::CoreRpc;
use super::json_rpc::Packing;
use crate::json_rpc::Reply;
use crate::service::SMALL_ANSWER;
use crate::{ChainError, Unspent};

/// The packing of block hashes, about 100 bytes each.
const BLOCKS: Packing = Packing {
    calls: 100,
    limit: 4 * SMALL_ANSWER,
};

/// The answer of `gettxout`.
#[derive(Deserialize)]
pub(super) struct TxOutAnswer {
    bestblock: String,
    confirmations: u32,
    /// BTC as a decimal number; kept as text, because a float is not exact.
    value: Box<RawValue>,
    #[serde(rename = "scriptPubKey")]
    script: ScriptAnswer,
    coinbase: bool,
}

#[derive(Deserialize)]
struct ScriptAnswer {
    hex: String,
}

#[derive(Deserialize)]
struct HeaderAnswer {
    height: u32,
}

impl CoreRpc {
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
        let best: HeaderAnswer = self
            .call("getblockheader", json!([bestblock]), SMALL_ANSWER)
            .await?;
        let coin = |answer| self.coin(answer, best.height);
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
        let read = |_, reply: Reply<'_>| {
            let hash: String = self.service.result(reply)?;
            self.service.block_hash(&hash)
        };
        let hashes = self.each("getblockhash", params, BLOCKS, read).await?;
        Ok(heights.into_iter().zip(hashes).collect())
    }

    /// The coin, without the hash of its block. `best` is the height of the node's best block.
    fn coin(&self, answer: &TxOutAnswer, best: u32) -> Result<Unspent, ChainError> {
        let invalid = |reason| self.service.invalid(reason);
        let value = Amount::from_str_in(answer.value.get(), Denomination::Bitcoin)
            .ok()
            .filter(|value| *value <= Amount::MAX_MONEY)
            .ok_or_else(|| invalid("a value that is no amount"))?;
        let script_pubkey = ScriptBuf::from_hex(&answer.script.hex)
            .map_err(|_| invalid("a script that is not hex"))?;
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
                script_pubkey,
            },
            height,
            block: None,
            coinbase: answer.coinbase,
        })
    }
}
