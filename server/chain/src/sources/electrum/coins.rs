//! The state of coins: fetches each transaction, then the unspent outputs of each script, then the transactions that spend the
//! other outputs.

use std::collections::{BTreeMap, HashMap, HashSet};

use bitcoin::hashes::{Hash, sha256};
use bitcoin::{OutPoint, Script, Transaction, Txid, consensus};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Electrum;
use crate::json_rpc::{Reply, RpcError};
use crate::service::{MAX_BLOCK_BYTES, SMALL_ANSWER, Service};
use crate::{ChainError, Coin, Unspent};

/// The size limit of a list, in bytes: about 60,000 unspent outputs or transactions of one script.
pub(super) const LIST_LIMIT: usize = 8 * 1024 * 1024;

/// A transaction is at most a block, as hex.
const TRANSACTION_LIMIT: usize = 2 * MAX_BLOCK_BYTES + SMALL_ANSWER;

/// One entry of `blockchain.scripthash.listunspent`.
#[derive(Deserialize)]
struct UnspentAnswer {
    tx_hash: Txid,
    tx_pos: u32,
    height: i64,
    value: u64,
}

/// Outputs, before it is known whether they are unspent and in which blocks they are.
type Outputs = HashMap<OutPoint, Unspent>;

impl Electrum {
    /// The state of each outpoint, in the order given.
    pub(super) async fn states(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        let mut outputs = self.outputs(outpoints).await?;
        let mut scripts: BTreeMap<&Script, HashSet<OutPoint>> = BTreeMap::new();
        for (outpoint, output) in &outputs {
            let script = output.output.script_pubkey.as_script();
            scripts.entry(script).or_default().insert(*outpoint);
        }
        let lists = self.unspent(scripts.keys().copied(), &outputs).await?;
        let (mut unspent, mut states) = (HashMap::new(), HashMap::new());
        for ((script, mut spent), list) in scripts.into_iter().zip(lists) {
            let Some(list) = list else {
                states.extend(spent.into_iter().map(|coin| (coin, Coin::Unknown)));
                continue;
            };
            spent.retain(|outpoint| !list.contains_key(outpoint));
            unspent.extend(list);
            if !spent.is_empty() {
                states.extend(self.spenders(&script_hash(script), spent).await?);
            }
        }
        let blocks = unspent.values().copied().flatten().collect();
        let blocks = self.block_hashes(blocks).await?;
        for (outpoint, height) in unspent {
            let Some(mut coin) = outputs.remove(&outpoint) else {
                continue;
            };
            // The genesis block's coinbase is not in the UTXO set.
            if coin.coinbase && height.is_none() {
                continue;
            }
            coin.height = height;
            coin.block = height.and_then(|height| blocks.get(&height).copied());
            states.insert(outpoint, Coin::Unspent(coin));
        }
        Ok(outpoints
            .iter()
            .map(|outpoint| states.get(outpoint).cloned().unwrap_or(Coin::Missing))
            .collect())
    }

    /// The outputs at those outpoints whose transactions the server has.
    async fn outputs(&self, outpoints: &[OutPoint]) -> Result<Outputs, ChainError> {
        let mut wanted: BTreeMap<Txid, Vec<u32>> = BTreeMap::new();
        for outpoint in outpoints {
            wanted.entry(outpoint.txid).or_default().push(outpoint.vout);
        }
        let (txids, vouts): (Vec<Txid>, Vec<Vec<u32>>) = wanted.into_iter().unzip();
        let found = self
            .each_transaction(&txids, |index, transaction| {
                // Keeps only these outputs: a transaction can fill a block.
                let wanted = vouts[index].iter();
                wanted
                    .filter_map(|vout| {
                        let outpoint = OutPoint::new(txids[index], *vout);
                        Some((outpoint, Unspent::created_by(&transaction, *vout)?))
                    })
                    .collect()
            })
            .await?;
        Ok(found.into_iter().collect())
    }

    /// For each script its unspent outputs, with the height of the block that funded each (none while unconfirmed); none when the server
    /// refuses to answer about it.
    async fn unspent(
        &self,
        scripts: impl Iterator<Item = &Script>,
        outputs: &Outputs,
    ) -> Result<Vec<Option<HashMap<OutPoint, Option<u32>>>>, ChainError> {
        let params: Vec<Value> = scripts.map(|script| json!([script_hash(script)])).collect();
        let read = |_, reply: Reply<'_>| {
            let Some(entries) = self.unless_refused::<Vec<UnspentAnswer>>(reply)? else {
                return Ok(None);
            };
            let mut unspent = Vec::new();
            for entry in entries {
                let outpoint = OutPoint::new(entry.tx_hash, entry.tx_pos);
                let Some(output) = outputs.get(&outpoint) else {
                    continue;
                };
                if output.output.value.to_sat() != entry.value {
                    return Err(self.service.invalid("a coin of another value"));
                }
                unspent.push((outpoint, entry.height));
            }
            heights(&self.service, unspent).map(Some)
        };
        let method = "blockchain.scripthash.listunspent";
        self.each(method, &params, LIST_LIMIT, read).await
    }

    /// What `read` makes of each transaction. Skips those that the server does not know.
    pub(super) async fn each_transaction<T: Send>(
        &self,
        txids: &[Txid],
        read: impl Fn(usize, Transaction) -> Vec<T> + Send + Sync,
    ) -> Result<Vec<T>, ChainError> {
        let params: Vec<Value> = txids.iter().map(|txid| json!([txid, false])).collect();
        let read = |index: usize, reply: Reply<'_>| {
            if matches!(&reply, Err(error) if is_unknown_transaction(error)) {
                return Ok(Vec::new());
            }
            let hex: String = self.service.result(reply)?;
            let decoded = consensus::encode::deserialize_hex(&hex);
            let transaction = self.service.transaction(txids[index], decoded)?;
            Ok(read(index, transaction))
        };
        let method = "blockchain.transaction.get";
        let each = self.each(method, &params, TRANSACTION_LIMIT, read).await?;
        Ok(each.into_iter().flatten().collect())
    }
}

/// The protocol's script hash: the script's SHA-256 with the bytes in reverse order, in hex.
fn script_hash(script: &Script) -> String {
    let mut hash = sha256::Hash::hash(script.as_bytes()).to_byte_array();
    hash.reverse();
    hex::encode(hash)
}

/// The height of each entry; none while it is unconfirmed, which is 0 or -1 in the protocol. While a server
/// processes a block, it may list an entry twice: then the block counts.
pub(super) fn heights<K: Eq + std::hash::Hash>(
    service: &Service,
    entries: impl IntoIterator<Item = (K, i64)>,
) -> Result<HashMap<K, Option<u32>>, ChainError> {
    let mut heights = HashMap::new();
    for (key, height) in entries {
        let height = match height {
            ..=0 => None,
            _ => Some(u32::try_from(height).map_err(|_| service.invalid("a height that is none"))?),
        };
        let known = heights.entry(key).or_default();
        *known = height.max(*known);
    }
    Ok(heights)
}

/// Whether the server has no such transaction. The protocol has no code for it:
/// ElectrumX, electrs and Fulcrum repeat the node's message, Blockstream's electrs has its own.
fn is_unknown_transaction(error: &RpcError) -> bool {
    let message = error.message.to_lowercase();
    message.contains("no such mempool") || message.contains("missing transaction")
}
