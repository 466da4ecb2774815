//! The few paths of Esplora's REST API that `/verify` asks, for the embedded chain, so that development shows a proof that passes every check.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::http::error::Error;
use crate::http::extract::Path;
use bitcoin::{BlockHash, TxOut, Txid};
use chain::ChainSource;
use chain::sources::development::{Block, DevelopmentChain, FUNDING_HEIGHT, TIP_HEIGHT};

type Embedded = State<Option<Arc<DevelopmentChain>>>;

fn missing() -> Error {
    Error::not_found("The development chain does not have this.")
}

pub async fn get_tip_height(State(chain): Embedded) -> Result<String, Error> {
    chain.ok_or_else(missing)?;
    Ok(TIP_HEIGHT.to_string())
}

pub async fn get_block_hash(
    State(chain): Embedded,
    Path(height): Path<u32>,
) -> Result<String, Error> {
    let hash = chain.ok_or_else(missing)?.block_hash_at(height).await;
    let hash = hash.ok().flatten().ok_or_else(missing)?;
    Ok(hash.to_string())
}

/// As many blocks as Esplora sends at once, from this height down.
pub async fn get_blocks(
    State(chain): Embedded,
    Path(height): Path<u32>,
) -> Result<Json<Vec<Value>>, Error> {
    let chain = chain.ok_or_else(missing)?;
    chain.block_at(height).ok_or_else(missing)?;
    let heights = (height.saturating_sub(9)..=height).rev();
    let blocks = heights.filter_map(|height| chain.block_at(height));
    Ok(Json(blocks.map(shown).collect()))
}

pub async fn get_block(
    State(chain): Embedded,
    Path(hash): Path<String>,
) -> Result<Json<Value>, Error> {
    let hash: BlockHash = hash.parse().map_err(|_| missing())?;
    let block = chain.ok_or_else(missing)?.block(hash).ok_or_else(missing)?;
    Ok(Json(shown(block)))
}

/// A block in Esplora's form, as far as it has one.
fn shown(block: Block) -> Value {
    json!({ "id": block.hash, "height": block.height, "timestamp": block.time, "mediantime": block.median_time })
}

pub async fn get_transaction(
    State(chain): Embedded,
    Path(txid): Path<String>,
) -> Result<Json<Value>, Error> {
    let outputs = outputs(chain, &txid)?;
    let status = json!({ "confirmed": true, "block_height": FUNDING_HEIGHT });
    Ok(Json(
        json!({ "txid": txid, "vout": outputs, "status": status }),
    ))
}

/// Nothing on this chain is ever spent.
pub async fn get_spends(
    State(chain): Embedded,
    Path(txid): Path<String>,
) -> Result<Json<Vec<Value>>, Error> {
    let outputs = outputs(chain, &txid)?;
    Ok(Json(vec![json!({ "spent": false }); outputs.len()]))
}

pub async fn get_spend(
    State(chain): Embedded,
    Path((txid, vout)): Path<(String, usize)>,
) -> Result<Json<Value>, Error> {
    outputs(chain, &txid)?.get(vout).ok_or_else(missing)?;
    Ok(Json(json!({ "spent": false })))
}

/// The outputs of a transaction in Esplora's form.
fn outputs(chain: Option<Arc<DevelopmentChain>>, txid: &str) -> Result<Vec<Value>, Error> {
    let txid: Txid = txid.parse().map_err(|_| missing())?;
    let outputs = chain.ok_or_else(missing)?.outputs_of(txid);
    if outputs.is_empty() {
        return Err(missing());
    }
    let output = |output: TxOut| json!({ "scriptpubkey": output.script_pubkey.to_hex_string(), "value": output.value.to_sat() });
    Ok(outputs.into_iter().map(output).collect())
}
