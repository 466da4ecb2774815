//! Coins that are there: exact values, and the block that funded each.

use std::collections::{BTreeSet, HashMap};

use bitcoin::{Amount, BlockHash, Denomination, ScriptBuf, TxOut};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::json_rpc::{JsonRpc, Packing, Reply};
use crate::service::SMALL_ANSWER;
use crate::{ChainError, Unspent};

/// The packing of headers and hashes, about 600 bytes each.
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

impl JsonRpc {
    /// Reads the answers and gives each coin the block that funded it; Core tells only how deep
    /// that block lies below its best one.
    pub(super) async fn unspent(
        &self,
        answers: Vec<Option<TxOutAnswer>>,
    ) -> Result<Vec<Option<Unspent>>, ChainError> {
        let best = self.best_heights(&answers).await?;
        let mut coins = Vec::with_capacity(answers.len());
        for answer in answers {
            coins.push(match answer {
                Some(answer) => Some(self.coin(&answer, &best)?),
                None => None,
            });
        }
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

    /// Heights of the best blocks that the answers are true for: one, unless the tip just moved.
    async fn best_heights(
        &self,
        answers: &[Option<TxOutAnswer>],
    ) -> Result<HashMap<String, u32>, ChainError> {
        let hashes: BTreeSet<&String> = answers
            .iter()
            .flatten()
            .map(|answer| &answer.bestblock)
            .collect();
        let headers: Vec<HeaderAnswer> = self
            .all(
                "getblockheader",
                hashes.iter().map(|hash| json!([hash])).collect(),
            )
            .await?;
        Ok(hashes
            .into_iter()
            .cloned()
            .zip(headers.into_iter().map(|header| header.height))
            .collect())
    }

    async fn blocks_at(
        &self,
        heights: BTreeSet<u32>,
    ) -> Result<HashMap<u32, BlockHash>, ChainError> {
        let hashes: Vec<String> = self
            .all(
                "getblockhash",
                heights.iter().map(|height| json!([height])).collect(),
            )
            .await?;
        heights
            .into_iter()
            .zip(hashes)
            .map(|(height, hash)| Ok((height, self.service.block_hash(&hash)?)))
            .collect()
    }

    /// The same call for many parameters; each must succeed.
    async fn all<T: DeserializeOwned + Send>(
        &self,
        method: &'static str,
        params: Vec<Value>,
    ) -> Result<Vec<T>, ChainError> {
        let read = |_, reply: Reply<'_>| self.result(method, reply);
        self.each(method, params, BLOCKS, read).await
    }

    fn coin(
        &self,
        answer: &TxOutAnswer,
        best: &HashMap<String, u32>,
    ) -> Result<Unspent, ChainError> {
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
                best.get(&answer.bestblock)
                    .and_then(|best| best.checked_sub(depth - 1))
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
