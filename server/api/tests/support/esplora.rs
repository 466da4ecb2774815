//! A server with Esplora's REST API over a real node, quirks included: for a transaction or an
//! output that does not exist, `outspend` and `status` answer as if it existed and were unspent, and
//! only the transaction itself is 404.

use axum::http::{StatusCode, Uri, header};
use axum::response::{Json, Response};
use bitcoin::{Block, consensus};
use tokio::sync::Mutex;

use crate::support::prelude::*;

/// The spenders of coins in one block: transaction and input index.
type Spends = HashMap<OutPoint, (Txid, usize)>;

#[derive(Clone)]
pub(crate) struct EsploraServer {
    node: &'static Node,
    /// Blocks never change, so each is read once.
    blocks: Arc<Mutex<HashMap<String, Arc<Spends>>>>,
}

impl EsploraServer {
    /// Starts it; the result is its base URL.
    pub(crate) async fn start(node: &'static Node) -> String {
        let blocks = Arc::default();
        let server = Self { node, blocks };
        let router = Router::new().fallback(move |uri: Uri| async move {
            let path: Vec<&str> = uri.path().split('/').skip(1).collect();
            let answer = server.answer(&path).await;
            let missing = || (StatusCode::NOT_FOUND, "not found").into_response();
            let answer = answer.unwrap_or_else(missing);
            // The public instances allow pages of other sites to read their responses.
            ([(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")], answer)
        });
        serve(router).await
    }

    async fn ask(&self, method: &str, params: Value) -> Option<Value> {
        self.node.try_call("", method, params).await.ok()
    }

    async fn hex(&self, method: &str, params: Value) -> Option<String> {
        Some(self.ask(method, params).await?.as_str()?.to_owned())
    }

    /// The status of a transaction, in the API's format.
    async fn status(&self, txid: &str) -> Value {
        let transaction = self.ask("getrawtransaction", json!([txid, 1])).await;
        let transaction = transaction.unwrap_or_default();
        let Some(block) = transaction["blockhash"].as_str() else {
            return json!({"confirmed": false});
        };
        let header = self.node.call("getblockheader", json!([block])).await;
        let (height, time) = (&header["height"], &header["time"]);
        json!({"confirmed": true, "block_height": height, "block_hash": block, "block_time": time})
    }

    /// The API's description of the transaction that spends a coin: in the mempool, or in a later block.
    async fn spender(&self, coin: OutPoint) -> Option<Value> {
        let txid = coin.txid.to_string();
        let here = json!([txid, coin.vout, true]);
        if !self.ask("gettxout", here).await?.is_null() {
            return None;
        }
        let outpoint = json!([[{"txid": txid, "vout": coin.vout}]]);
        let in_mempool = self.ask("gettxspendingprevout", outpoint).await?;
        if let Some(txid) = in_mempool[0]["spendingtxid"].as_str() {
            let status = json!({"confirmed": false});
            return Some(json!({"spent": true, "txid": txid, "vin": 0, "status": status}));
        }
        let first = self.status(&txid).await["block_height"].as_u64()?;
        for height in first..=u64::from(self.node.tip().await.0) {
            let hash = self.hex("getblockhash", json!([height])).await?;
            if let Some((txid, vin)) = self.spends(&hash).await?.get(&coin) {
                let status = self.status(&txid.to_string()).await;
                return Some(json!({"spent": true, "txid": txid, "vin": vin, "status": status}));
            }
        }
        None
    }

    async fn spend(&self, coin: OutPoint) -> Value {
        let spender = self.spender(coin).await;
        spender.unwrap_or_else(|| json!({"spent": false}))
    }

    async fn spends(&self, hash: &str) -> Option<Arc<Spends>> {
        if let Some(known) = self.blocks.lock().await.get(hash) {
            return Some(known.clone());
        }
        let hex = self.hex("getblock", json!([hash, 0])).await?;
        let block: Block = consensus::encode::deserialize_hex(&hex).ok()?;
        let mut spends = Spends::new();
        for transaction in &block.txdata {
            let txid = transaction.compute_txid();
            for (vin, input) in transaction.input.iter().enumerate() {
                spends.insert(input.previous_output, (txid, vin));
            }
        }
        let mut blocks = self.blocks.lock().await;
        let spends = blocks.entry(hash.to_owned()).or_insert(spends.into());
        Some(spends.clone())
    }

    async fn answer(&self, path: &[&str]) -> Option<Response> {
        Some(match *path {
            ["blocks", "tip", "hash"] => self.node.tip().await.1.to_string().into_response(),
            ["blocks", "tip", "height"] => self.node.tip().await.0.to_string().into_response(),
            ["block-height", height] => {
                let height: u32 = height.parse().ok()?;
                let hash = self.hex("getblockhash", json!([height])).await;
                hash?.into_response()
            }
            ["blocks", start] => self.blocks(start.parse().ok()?).await?,
            ["block", hash] => Json(self.block(hash).await?).into_response(),
            ["block", hash, "header"] => {
                let header = self.hex("getblockheader", json!([hash, false])).await;
                header?.into_response()
            }
            ["block", hash, "raw"] => {
                let block = self.hex("getblock", json!([hash, 0])).await?;
                hex::decode(block).ok()?.into_response()
            }
            ["tx", txid] => self.transaction(txid).await?,
            ["tx", txid, "hex"] => self.raw(txid).await?.into_response(),
            ["tx", txid, "raw"] => hex::decode(self.raw(txid).await?).ok()?.into_response(),
            ["tx", txid, "status"] => Json(self.status(txid).await).into_response(),
            ["tx", txid, "outspend", vout] => {
                let (Ok(txid), Ok(vout)) = (txid.parse(), vout.parse()) else {
                    return Some((StatusCode::BAD_REQUEST, "Invalid hex string").into_response());
                };
                Json(self.spend(OutPoint { txid, vout }).await).into_response()
            }
            ["tx", txid, "outspends"] => {
                let transaction = self.ask("getrawtransaction", json!([txid, 1])).await?;
                let txid = txid.parse().ok()?;
                let mut spends = Vec::new();
                for (vout, _) in (0..).zip(transaction["vout"].as_array()?) {
                    spends.push(self.spend(OutPoint { txid, vout }).await);
                }
                Json(spends).into_response()
            }
            _ => return None,
        })
    }

    async fn raw(&self, txid: &str) -> Option<String> {
        self.hex("getrawtransaction", json!([txid])).await
    }

    /// Ten blocks, from this height down.
    async fn blocks(&self, start: u32) -> Option<Response> {
        let mut blocks = Vec::new();
        for height in (start.saturating_sub(9)..=start).rev() {
            let hash = self.hex("getblockhash", json!([height])).await?;
            blocks.push(self.block(&hash).await?);
        }
        Some(Json(blocks).into_response())
    }

    async fn block(&self, hash: &str) -> Option<Value> {
        let header = self.ask("getblockheader", json!([hash])).await?;
        Some(json!({
            "id": header["hash"], "height": header["height"], "version": header["version"], "timestamp": header["time"],
            "tx_count": header["nTx"], "merkle_root": header["merkleroot"],
            "previousblockhash": header["previousblockhash"], "mediantime": header["mediantime"],
        }))
    }

    async fn transaction(&self, txid: &str) -> Option<Response> {
        let transaction = self.ask("getrawtransaction", json!([txid, 1])).await?;
        let outputs = transaction["vout"].as_array()?.iter().map(|output| {
            let bitcoin = output["value"].as_f64().unwrap_or_default();
            let value = Amount::from_btc(bitcoin).map(Amount::to_sat).ok();
            json!({"scriptpubkey": output["scriptPubKey"]["hex"], "value": value})
        });
        let (outputs, status): (Vec<_>, _) = (outputs.collect(), self.status(txid).await);
        Some(Json(json!({"txid": txid, "vout": outputs, "status": status})).into_response())
    }
}
