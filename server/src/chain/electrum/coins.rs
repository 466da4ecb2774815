//! The state of coins: each transaction, then the unspent outputs of each script, then what spent
//! those that are not among them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bitcoin::hashes::{Hash, sha256};
use bitcoin::{OutPoint, Script, Transaction, TxOut, Txid};
use serde::Deserialize;
use serde_json::json;

use super::super::{ChainError, Coin, Unspent, is_unspendable};
use super::Electrum;
use super::wire::Call;

/// About 60,000 unspent outputs or transactions of one script.
pub(super) const LIST_LIMIT: usize = 8 * 1024 * 1024;

/// One entry of `blockchain.scripthash.listunspent`.
#[derive(Deserialize)]
struct UnspentAnswer {
    tx_hash: Txid,
    tx_pos: u32,
    /// 0 or -1 while it is only in the mempool.
    height: i64,
    value: u64,
}

/// An output that is asked for.
struct Output {
    output: TxOut,
    coinbase: bool,
}

impl Electrum {
    /// The state of each outpoint, in the order given.
    pub(super) async fn look_up(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        let outputs = self.outputs(outpoints).await?;
        let scripts: Vec<&Script> = outputs
            .values()
            .map(|output| output.output.script_pubkey.as_script())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let unspent = self.unspent(&scripts, &outputs).await?;
        let mut spent: BTreeMap<&Script, HashSet<OutPoint>> = BTreeMap::new();
        for (outpoint, output) in &outputs {
            if !unspent.contains_key(outpoint) {
                let script = output.output.script_pubkey.as_script();
                spent.entry(script).or_default().insert(*outpoint);
            }
        }
        let mut states: HashMap<OutPoint, Coin> = HashMap::new();
        for (script, outpoints) in spent {
            states.extend(self.spenders(&script_hash(script), outpoints).await?);
        }
        let heights = unspent.values().filter_map(|height| *height).collect();
        let blocks = self.block_hashes(heights).await?;
        for (outpoint, height) in unspent {
            let output = &outputs[&outpoint];
            // The genesis block's coinbase was never added to the set of coins.
            let coin = if output.coinbase && height.is_none() {
                Coin::Missing
            } else {
                Coin::Unspent(Unspent {
                    output: output.output.clone(),
                    height,
                    block: height.and_then(|height| blocks.get(&height).copied()),
                    coinbase: output.coinbase,
                })
            };
            states.insert(outpoint, coin);
        }
        Ok(outpoints
            .iter()
            .map(|outpoint| states.get(outpoint).cloned().unwrap_or(Coin::Missing))
            .collect())
    }

    /// Those of the outpoints that are outputs of transactions that the server really has.
    async fn outputs(
        &self,
        outpoints: &[OutPoint],
    ) -> Result<HashMap<OutPoint, Output>, ChainError> {
        let mut wanted: BTreeMap<Txid, Vec<u32>> = BTreeMap::new();
        for outpoint in outpoints {
            wanted.entry(outpoint.txid).or_default().push(outpoint.vout);
        }
        let (txids, vouts): (Vec<Txid>, Vec<Vec<u32>>) = wanted.into_iter().unzip();
        let found = self
            .each_transaction(&txids, |index, transaction| {
                // Only what is asked for is kept: a transaction can fill a block.
                let wanted = vouts[index].iter();
                wanted
                    .filter_map(|vout| {
                        let outpoint = OutPoint::new(txids[index], *vout);
                        Some((outpoint, output(&transaction, *vout)?))
                    })
                    .collect()
            })
            .await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Which of the outputs nothing spends, and the height of the block that funded each; none while it is
    /// only in the mempool.
    async fn unspent(
        &self,
        scripts: &[&Script],
        outputs: &HashMap<OutPoint, Output>,
    ) -> Result<HashMap<OutPoint, Option<u32>>, ChainError> {
        let calls: Vec<Call> = scripts
            .iter()
            .map(|script| {
                Call::new(
                    "blockchain.scripthash.listunspent",
                    json!([script_hash(script)]),
                )
            })
            .collect();
        let read = |_, reply| {
            let entries: Vec<UnspentAnswer> = self.server.result(reply)?;
            let mut unspent = Vec::new();
            for entry in entries {
                let outpoint = OutPoint::new(entry.tx_hash, entry.tx_pos);
                let Some(output) = outputs.get(&outpoint) else {
                    continue;
                };
                if output.output.value.to_sat() != entry.value {
                    return Err(self.server.service.invalid("a coin of another value"));
                }
                unspent.push((outpoint, self.height(entry.height)?));
            }
            Ok(unspent)
        };
        let unspent = self.server.exchange(&calls, LIST_LIMIT, read).await?;
        // While a server takes in a block, it may tell a coin twice: the block counts.
        let mut heights: HashMap<OutPoint, Option<u32>> = HashMap::new();
        for (outpoint, height) in unspent.into_iter().flatten() {
            let known = heights.entry(outpoint).or_default();
            *known = height.max(*known);
        }
        Ok(heights)
    }

    /// A height as the protocol tells it; none for the mempool.
    pub(super) fn height(&self, height: i64) -> Result<Option<u32>, ChainError> {
        match height {
            ..=0 => Ok(None),
            _ => u32::try_from(height)
                .map(Some)
                .map_err(|_| self.server.service.invalid("a height that is none")),
        }
    }
}

/// The output at `vout` when it can be a coin.
fn output(transaction: &Transaction, vout: u32) -> Option<Output> {
    let output = transaction.output.get(usize::try_from(vout).ok()?)?;
    (!is_unspendable(&output.script_pubkey)).then(|| Output {
        output: output.clone(),
        coinbase: transaction.is_coinbase(),
    })
}

/// How the protocol names a script: its SHA-256 with the bytes in reverse order, in hex.
fn script_hash(script: &Script) -> String {
    let mut hash = sha256::Hash::hash(script.as_bytes()).to_byte_array();
    hash.reverse();
    hex::encode(hash)
}
