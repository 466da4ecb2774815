//! Files that the chain refutes, and chains without an answer.

use bitcoin::hashes::Hash;
use bitcoin::{OutPoint, Txid};
use serde_json::json;

use super::{COIN, app_on, app_with_chain, refused, some_proof, submit};
use crate::support::node::{AddressType, Node};
use crate::support::rpc_proxy::RpcProxy;

#[tokio::test]
async fn coins_that_are_gone_or_never_were_are_refused() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = wallet.proof(&[coin], true).await;

    // A coin of no transaction.
    let mut psbt = file.decode();
    psbt.unsigned_tx.input[0].previous_output = OutPoint::new(Txid::all_zeros(), 5);
    psbt.inputs[0].non_witness_utxo = None;
    let answer = submit(node, &person, &psbt.serialize()).await;
    refused(&person, &answer, 422, "coin-missing").await;

    // A coin that is not spendable yet.
    let other = wallet.fund(AddressType::Bech32, COIN).await;
    let spending = wallet.spend(&[other]).await.compute_txid();
    let young = wallet.proof(&[OutPoint::new(spending, 0)], true).await;
    let answer = submit(node, &person, &young.binary()).await;
    refused(&person, &answer, 422, "coin-unconfirmed").await;

    // The proof's own transaction is broadcast, and then mined.
    let txid = node.broadcast(&file.transaction()).await;
    let answer = submit(node, &person, &file.binary()).await;
    refused(&person, &answer, 422, "coin-spent-in-mempool").await;
    node.confirm(&[txid]).await;
    let answer = submit(node, &person, &file.binary()).await;
    refused(&person, &answer, 422, "coin-spent").await;
}

#[tokio::test]
async fn what_the_client_says_must_agree_with_the_chain() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = wallet.proof(&[coin], true).await;
    let script = file.decode().inputs[0]
        .witness_utxo
        .clone()
        .unwrap()
        .script_pubkey;
    let utxo = |value: u64, script: &str, vout: u32| json!([{"txid": coin.txid.to_string(), "vout": vout, "value_sats": value, "scriptPubKey": script}]);
    let right = script.to_hex_string();
    for (utxos, status, code) in [
        (
            utxo(COIN.to_sat() + 1, &right, coin.vout),
            422,
            "hint-mismatch",
        ),
        (utxo(COIN.to_sat(), "51", coin.vout), 422, "hint-mismatch"),
        (
            utxo(COIN.to_sat(), &right, coin.vout + 1),
            400,
            "unknown-hint",
        ),
    ] {
        let _still = node.still().await;
        let answer = person.submit_as("a.psbt", file.base64(), utxos).await;
        refused(&person, &answer, status, code).await;
    }
    // 'Not stated', and the truth.
    let _still = node.still().await;
    let unstated = person
        .submit_as("a.psbt", file.base64(), utxo(0, "", coin.vout))
        .await;
    assert_eq!(unstated.body["status"], "success", "{unstated:?}");
    let stated = utxo(COIN.to_sat(), &right, coin.vout);
    let stated = person.submit_as("a.psbt", file.base64(), stated).await;
    assert_eq!(stated.body["status"], "already-verified", "{stated:?}");
}

#[tokio::test]
async fn a_source_in_trouble_changes_nothing() {
    let node = Node::start().await;
    let app = app_on(&node).await;
    let person = app.sign_in().await;
    let file = some_proof(&node.wallet().await).await.binary();
    drop(node);
    let answer = person.submit(&file).await;
    refused(&person, &answer, 503, "chain-unavailable").await;
}

/// Rule B6. The reason is public, so it names no hosts and contains no passwords.
#[tokio::test]
async fn a_node_that_is_syncing_proves_nothing_and_everybody_is_told_why() {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let app = app_with_chain(&format!("bitcoind:{}", proxy.url)).await;
    let person = app.sign_in().await;
    let file = some_proof(&node.wallet().await).await.binary();
    proxy.lie(|call, result| {
        if call["method"] == "getblockchaininfo" {
            result["initialblockdownload"] = json!(true);
        }
    });
    let answer = submit(node, &person, &file).await;
    refused(&person, &answer, 503, "chain-syncing").await;
    let ready = app.get("/readyz").await;
    assert_eq!(ready.status, 200, "the board is served: {ready:?}");
    assert_eq!(ready.body["troubles"][0]["code"], "chain-syncing");
    for told in [
        &answer.body["message"],
        &ready.body["troubles"][0]["message"],
    ] {
        let told = told.as_str().expect("a sentence");
        assert!(told.contains("still downloading the chain"), "{told}");
    }
    let said = format!("{} {}", answer.body, ready.body);
    assert!(
        !said.contains("127.0.0.1") && !said.contains("p@ss"),
        "{said}"
    );
    proxy.be_honest();
    let answer = submit(node, &person, &file).await;
    assert_eq!(answer.body["status"], "success", "{answer:?}");
}
