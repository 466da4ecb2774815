//! A server with Esplora's REST API over a real node, quirks included: for a transaction or an
//! output that does not exist, `outspend` and `status` answer as if it existed and were unspent, and
//! only the transaction itself is 404.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use axum::{Router, middleware};
use bitcoin::{Amount, Block, OutPoint, Txid, consensus};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::faults::serve;
use super::node::Node;

/// The spenders of coins in one block: transaction and input index.
type Spends = HashMap<OutPoint, (Txid, usize)>;

#[derive(Clone, Debug)]
pub(crate) struct EsploraServer {
    node: &'static Node,
    /// Blocks never change, so each is read once.
    blocks: Arc<Mutex<HashMap<String, Arc<Spends>>>>,
}

impl EsploraServer {
    /// Starts it; the result is its base URL.
    pub(crate) async fn start(node: &'static Node) -> String {
        let server = Self {
            node,
            blocks: Arc::default(),
        };
        let router = Router::new()
            .route("/blocks/tip/hash", get(tip_hash))
            .route("/blocks/tip/height", get(tip_height))
            .route("/block-height/{height}", get(block_hash))
            .route("/block/{hash}", get(block))
            .route("/block/{hash}/raw", get(block_raw))
            .route("/block/{hash}/header", get(block_header))
            .route("/tx/{txid}", get(transaction))
            .route("/tx/{txid}/raw", get(transaction_raw))
            .route("/tx/{txid}/hex", get(transaction_hex))
            .route("/tx/{txid}/status", get(transaction_status))
            .route("/tx/{txid}/outspend/{vout}", get(outspend))
            .route("/tx/{txid}/outspends", get(outspends))
            // The public instances allow pages of other sites to read their responses.
            .layer(middleware::map_response(for_any_origin))
            .with_state(server);
        format!("http://{}", serve(router).await)
    }

    async fn ask(&self, method: &str, params: Value) -> Option<Value> {
        self.node.try_call("", method, params).await.ok()
    }

    async fn hex(&self, method: &str, params: Value) -> Option<String> {
        let answer = self.ask(method, params).await?;
        Some(answer.as_str()?.to_owned())
    }

    /// The status of a transaction, in the API's format.
    async fn status(&self, txid: &str) -> Value {
        let unconfirmed = json!({"confirmed": false});
        let Some(transaction) = self.ask("getrawtransaction", json!([txid, 1])).await else {
            return unconfirmed;
        };
        let block = &transaction["blockhash"];
        if block.is_null() {
            return unconfirmed;
        }
        let header = self.node.call("getblockheader", json!([block])).await;
        json!({
            "confirmed": true,
            "block_height": header["height"],
            "block_hash": block,
            "block_time": header["time"],
        })
    }

    /// The spender of a coin: in the mempool, or in a block after the one that funded it.
    async fn spender(&self, coin: OutPoint) -> Option<(String, usize, Value)> {
        let here = json!([coin.txid.to_string(), coin.vout, true]);
        if !self.ask("gettxout", here).await?.is_null() {
            return None;
        }
        let outpoint = json!({"txid": coin.txid.to_string(), "vout": coin.vout});
        let in_mempool = self
            .ask("gettxspendingprevout", json!([[outpoint]]))
            .await?;
        if let Some(txid) = in_mempool[0]["spendingtxid"].as_str() {
            return Some((txid.to_owned(), 0, json!({"confirmed": false})));
        }
        let funding = self.status(&coin.txid.to_string()).await;
        let first = funding["block_height"].as_u64()?;
        let (last, _) = self.node.tip().await;
        for height in first..=u64::from(last) {
            let hash = self.hex("getblockhash", json!([height])).await?;
            if let Some((txid, vin)) = self.spends(&hash).await?.get(&coin) {
                let txid = txid.to_string();
                let status = self.status(&txid).await;
                return Some((txid, *vin, status));
            }
        }
        None
    }

    /// The same in the API's format.
    async fn spend(&self, coin: OutPoint) -> Value {
        match self.spender(coin).await {
            Some((txid, vin, status)) => {
                json!({"spent": true, "txid": txid, "vin": vin, "status": status})
            }
            None => json!({"spent": false}),
        }
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
        let spends = Arc::new(spends);
        self.blocks
            .lock()
            .await
            .insert(hash.to_owned(), spends.clone());
        Some(spends)
    }
}

type Server = State<EsploraServer>;

async fn tip_hash(server: Server) -> Response {
    server.node.tip().await.1.to_string().into_response()
}

async fn tip_height(server: Server) -> Response {
    server.node.tip().await.0.to_string().into_response()
}

async fn block_hash(server: Server, Path(height): Path<u32>) -> Response {
    found(server.hex("getblockhash", json!([height])).await)
}

async fn block(server: Server, Path(hash): Path<String>) -> Response {
    let header = server.ask("getblockheader", json!([hash])).await;
    found(header.map(|header| {
        Json(json!({
            "id": header["hash"],
            "height": header["height"],
            "version": header["version"],
            "timestamp": header["time"],
            "tx_count": header["nTx"],
            "merkle_root": header["merkleroot"],
            "previousblockhash": header["previousblockhash"],
            "mediantime": header["mediantime"],
        }))
    }))
}

async fn block_header(server: Server, Path(hash): Path<String>) -> Response {
    found(server.hex("getblockheader", json!([hash, false])).await)
}

async fn block_raw(server: Server, Path(hash): Path<String>) -> Response {
    found(bytes(server.hex("getblock", json!([hash, 0])).await))
}

async fn transaction(server: Server, Path(txid): Path<String>) -> Response {
    let found = server.ask("getrawtransaction", json!([txid, 1])).await;
    let Some(transaction) = found else {
        return (StatusCode::NOT_FOUND, "Transaction not found").into_response();
    };
    let outputs = transaction["vout"].as_array().into_iter().flatten();
    let outputs: Vec<_> = outputs
        .map(|output| {
            let bitcoin = output["value"].as_f64().unwrap_or_default();
            let value = Amount::from_btc(bitcoin).map(Amount::to_sat).ok();
            json!({"scriptpubkey": output["scriptPubKey"]["hex"], "value": value})
        })
        .collect();
    let status = server.status(&txid).await;
    Json(json!({"txid": txid, "vout": outputs, "status": status})).into_response()
}

async fn transaction_raw(server: Server, Path(txid): Path<String>) -> Response {
    found(bytes(server.hex("getrawtransaction", json!([txid])).await))
}

async fn transaction_hex(server: Server, Path(txid): Path<String>) -> Response {
    found(server.hex("getrawtransaction", json!([txid])).await)
}

async fn transaction_status(server: Server, Path(txid): Path<String>) -> Response {
    Json(server.status(&txid).await).into_response()
}

async fn outspend(server: Server, Path((txid, vout)): Path<(String, u32)>) -> Response {
    let Ok(txid) = txid.parse() else {
        return (StatusCode::BAD_REQUEST, "Invalid hex string").into_response();
    };
    Json(server.spend(OutPoint { txid, vout }).await).into_response()
}

async fn outspends(server: Server, Path(txid): Path<Txid>) -> Response {
    let params = json!([txid.to_string(), 1]);
    let Some(transaction) = server.ask("getrawtransaction", params).await else {
        return (StatusCode::NOT_FOUND, "Transaction not found").into_response();
    };
    let outputs = transaction["vout"].as_array().map_or(0, Vec::len);
    let mut spends = Vec::with_capacity(outputs);
    for vout in 0..u32::try_from(outputs).expect("few") {
        spends.push(server.spend(OutPoint { txid, vout }).await);
    }
    Json(spends).into_response()
}

fn bytes(hex: Option<String>) -> Option<Vec<u8>> {
    hex::decode(hex?).ok()
}

fn found(answer: Option<impl IntoResponse>) -> Response {
    match answer {
        Some(answer) => answer.into_response(),
        None => (StatusCode::NOT_FOUND, "not found").into_response(),
    }
}

async fn for_any_origin(mut response: Response) -> Response {
    let any = HeaderValue::from_static("*");
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, any);
    response
}
