//! B1 to B3 and B5: coins that are not there, no longer there, or not there yet.

use std::sync::Arc;

use bitcoin::hashes::Hash;
use bitcoin::{Amount, Network, OutPoint, Txid};
use chain::sources::core_rpc::CoreRpc;
use chain::{Chain, ChainError};
use serde_json::json;

use crate::forge::{Lock, Single, coin, coins, input, spend};
use crate::support::http_client;
use crate::support::node::{AddressType, Node};
use crate::verdict::{assert_accepted, assert_refused, verdict, verdict_of};

#[tokio::test]
async fn a_coin_that_a_block_spends_is_refused() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32, Amount::ONE_BTC); 2])
        .await;
    let proof = wallet.proof(&coins, true).await;
    assert_accepted(&verdict(node, proof.base64()).await, "still there");
    let spender = wallet.spend(&coins[1..]).await.compute_txid();
    node.confirm(&[spender]).await;
    assert_refused(&verdict(node, proof.base64()).await, "coin-spent", 1);
}

/// Somebody wraps the coins of a payment that is on its way.
#[tokio::test]
async fn a_coin_that_the_mempool_spends_is_refused() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32m, Amount::ONE_BTC); 2])
        .await;
    let proof = wallet.proof(&coins, true).await;
    wallet.spend(&coins[..1]).await;
    assert_refused(
        &verdict(node, proof.base64()).await,
        "coin-spent-in-mempool",
        0,
    );
}

/// The proof itself has been sent: anybody could have taken it from the mempool.
#[tokio::test]
async fn a_proof_that_was_broadcast() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
    let proof = wallet.proof(&[coin], true).await;
    node.broadcast(&proof.transaction()).await;
    assert_refused(
        &verdict(node, proof.base64()).await,
        "coin-spent-in-mempool",
        0,
    );
    assert_refused(
        &verdict_of(node, &proof.transaction()).await,
        "coin-spent-in-mempool",
        0,
    );
    node.confirm(&[proof.transaction().compute_txid()]).await;
    assert_refused(&verdict(node, proof.base64()).await, "coin-spent", 0);
}

#[tokio::test]
async fn a_coin_that_is_not_confirmed() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let first = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
    let unconfirmed = OutPoint::new(wallet.spend(&[first]).await.compute_txid(), 0);
    let proof = wallet.proof(&[unconfirmed], true).await;
    assert_refused(&verdict(node, proof.base64()).await, "coin-unconfirmed", 0);
    node.confirm(&[unconfirmed.txid]).await;
    assert_accepted(&verdict(node, proof.base64()).await, "confirmed");
}

/// The block that funded the coin is no longer part of the chain.
#[tokio::test]
async fn a_coin_of_a_block_that_was_orphaned() {
    let node = Node::start().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
    let proof = wallet.proof(&[coin], true).await;
    assert_accepted(&verdict(&node, proof.base64()).await, "confirmed");
    let (_, funding) = node.tip().await;
    node.call("invalidateblock", json!([funding.to_string()]))
        .await;
    assert_refused(&verdict(&node, proof.base64()).await, "coin-unconfirmed", 0);
}

#[tokio::test]
async fn a_coin_that_never_was() {
    let node = Node::shared().await;
    let single = Single::new(Lock::TrKey);
    let mut coins = coins(node, &[single.script_pubkey()]).await;
    let mut made_up = coins[0].clone();
    made_up.outpoint = OutPoint::new(Txid::hash(b"made up"), 0);
    made_up.output.value = Amount::from_int_btc(1_000);
    coins.push(made_up);
    let mut transaction = spend(&coins);
    for input in 0..2 {
        single.sign(&mut transaction, &coins, input, 0x00);
    }
    assert_refused(&verdict_of(node, &transaction).await, "coin-missing", 1);
}

/// An output of the very transaction: it can be no coin before it is mined.
#[tokio::test]
async fn a_mining_reward_before_its_time_is_refused() {
    let node = Node::start().await;
    let single = Single::new(Lock::Wpkh);
    let outpoint = node.mine_to(&single.script_pubkey()).await;
    let reward = node
        .call(
            "gettxout",
            json!([outpoint.txid.to_string(), outpoint.vout]),
        )
        .await;
    let value = Amount::from_btc(reward["value"].as_f64().expect("a value")).expect("an amount");
    let mut young = coin(&node, single.script_pubkey()).await;
    young.outpoint = outpoint;
    young.output.value = value;
    let coins = [young];
    let mut transaction = spend(&coins);
    transaction.input = vec![input(outpoint)];
    single.sign(&mut transaction, &coins, 0, 0x01);
    assert_refused(&verdict_of(&node, &transaction).await, "coin-immature", 0);
    // `coin` mined two blocks on top; at depth 99 the next block cannot spend it, at 100 it can.
    node.mine(96).await;
    assert_refused(&verdict_of(&node, &transaction).await, "coin-immature", 0);
    let verdict_of_node = node
        .call("testmempoolaccept", json!([[hex(&transaction)]]))
        .await;
    assert_eq!(verdict_of_node[0]["allowed"], false);
    node.mine(1).await;
    assert_accepted(&verdict_of(&node, &transaction).await, "mature");
}

fn hex(transaction: &bitcoin::Transaction) -> String {
    bitcoin::consensus::encode::serialize_hex(transaction)
}

/// B5: a chain of the same rules, other coins.
#[tokio::test]
async fn a_coin_of_another_network_is_refused() {
    let node = Node::shared().await;
    let elsewhere = Node::start().await;
    let wallet = elsewhere.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
    let proof = wallet.proof(&[coin], true).await;
    assert_accepted(&verdict(&elsewhere, proof.base64()).await, "at home");
    assert_refused(&verdict(node, proof.base64()).await, "coin-missing", 0);
}

/// B5: the server does not start on a source of another network.
#[tokio::test]
async fn no_server_starts_on_a_source_of_another_network() {
    let node = Node::shared().await;
    let source = Arc::new(CoreRpc::new(node.url(), http_client()).expect("a URL"));
    for network in [Network::Bitcoin, Network::Signet, Network::Testnet4] {
        let refused = Chain::connect(source.clone(), network).await;
        assert!(
            matches!(refused, Err(ChainError::Invalid { .. })),
            "{refused:?}"
        );
    }
}
