//! When coins were spent, by a node with an index of spenders. The nodes of other tests have none, so this one is a stand-in that answers as
//! Bitcoin Core 31 documents it.

#![allow(
    clippy::unwrap_used,
    reason = "a test says what it expects by panicking"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use bitcoin::absolute::LockTime;
use bitcoin::consensus::encode::serialize_hex;
use bitcoin::hashes::Hash;
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, BlockHash, OutPoint, ScriptBuf, Transaction, TxIn, TxOut, Txid, WPubkeyHash,
};
use chain::sources::core_rpc::CoreRpc;
use chain::{ChainSource, CoinHistory, Spent};
use serde_json::{Value, json};

/// A payment to this many outputs.
fn payment(outputs: u8) -> Transaction {
    let output = |number: u8| TxOut {
        value: Amount::from_sat(1_000),
        script_pubkey: ScriptBuf::new_p2wpkh(&WPubkeyHash::hash(&[number])),
    };
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: vec![TxIn::default()],
        output: (0..outputs).map(output).collect(),
    }
}

fn block(number: u8) -> BlockHash {
    BlockHash::from_byte_array([number; 32])
}

/// Answers one call: `txid` was mined in block 7, and its outputs are spent in block 9, in the mempool, and nobody knows where.
fn answer(call: &Value, transaction: &Transaction) -> Result<Value, Value> {
    let params = &call["params"];
    match call["method"].as_str().unwrap() {
        "gettxout" => Ok(Value::Null),
        "getrawtransaction" if params[0] == transaction.compute_txid().to_string() => Ok(json!({
            "hex": serialize_hex(transaction),
            "blockhash": block(7),
            "confirmations": 3,
        })),
        "getrawtransaction" => Err(json!({
            "code": -5,
            "message": "No such mempool or blockchain transaction. Use gettransaction for wallet transactions.",
        })),
        "gettxspendingprevout" => {
            assert_eq!(params[1], json!({"mempool_only": false}));
            let outpoint = &params[0][0];
            let spender = Txid::from_byte_array([3; 32]);
            match outpoint["vout"].as_u64().unwrap() {
                0 => Ok(
                    json!([{"txid": outpoint["txid"], "vout": 0, "spendingtxid": spender, "blockhash": block(9)}]),
                ),
                1 => Ok(json!([{"txid": outpoint["txid"], "vout": 1, "spendingtxid": spender}])),
                _ => Err(
                    json!({"code": -1, "message": "No spending tx for the outpoint in mempool, and txospenderindex is unavailable."}),
                ),
            }
        }
        "getblockheader" => {
            let height = if params[0] == block(7).to_string() {
                107
            } else {
                109
            };
            Ok(json!({"height": height, "mediantime": 0, "previousblockhash": block(1)}))
        }
        method => panic!("{method}"),
    }
}

fn serve(mut stream: TcpStream, transaction: &Transaction) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let calls: Vec<Value> = serde_json::from_slice(&body).ok()?;
        let answers: Vec<Value> = calls
            .iter()
            .map(|call| match answer(call, transaction) {
                Ok(result) => json!({"id": call["id"], "result": result, "error": null}),
                Err(error) => json!({"id": call["id"], "result": null, "error": error}),
            })
            .collect();
        let text = Value::from(answers).to_string();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", text.len());
        stream.write_all((head + &text).as_bytes()).ok()?;
    }
}

#[tokio::test]
async fn a_node_with_an_index_of_spenders_says_when_a_coin_was_spent() {
    let transaction = payment(3);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = transaction.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let transaction = served.clone();
            thread::spawn(move || serve(stream, &transaction));
        }
    });
    let node = CoreRpc::new(&url, outbound::client().unwrap()).unwrap();
    let txid = transaction.compute_txid();
    let mut outpoints: Vec<OutPoint> = (0..3).map(|vout| OutPoint { txid, vout }).collect();
    outpoints.push(OutPoint { txid, vout: 3 });
    outpoints.push(OutPoint::new(Txid::from_byte_array([5; 32]), 0));
    let histories = node.histories(&outpoints).await.unwrap();
    let known = |vout: usize, spent| CoinHistory::Known {
        output: transaction.output[vout].clone(),
        funded: Some(107),
        spent,
    };
    let expected = [
        known(0, Spent::At(109)),
        known(1, Spent::Sometime),
        known(2, Spent::Sometime),
        CoinHistory::Missing,
        CoinHistory::Missing,
    ];
    assert_eq!(histories, expected);
}
