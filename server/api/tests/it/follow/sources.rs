//! A source in trouble, or one that lies, ends nothing.

use serde_json::{Value, json};

use super::*;
use crate::support::rpc_proxy::RpcProxy;

#[tokio::test]
async fn a_source_that_is_down_ends_nothing() {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let rooms = rooms_with(
        &format!("bitcoind:{}", proxy.url),
        TestDatabase::sqlite().await,
        None,
    )
    .await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    let another = wallet.fund(AddressType::Bech32, COIN).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;
    proxy.set_down(true);
    for _ in 0..3 {
        rooms.follower.step().await.expect_err("nobody answers");
    }
    let refused = prove(node, &hal, &wallet, &[another]).await;
    assert!(matches!(refused, Err(SubmitError::Chain(_))), "{refused:?}");
    assert_eq!(standing(&hal).await, counting());
    proxy.set_down(false);
    follow(node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

/// Rule B6: a node that is at its initial download knows nothing of the coins of today.
#[tokio::test]
async fn a_node_that_is_syncing_ends_nothing_and_proves_nothing() {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let rooms = rooms_with(
        &format!("bitcoind:{}", proxy.url),
        TestDatabase::sqlite().await,
        None,
    )
    .await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    let another = wallet.fund(AddressType::Bech32, COIN).await;
    follow(node, &rooms.follower).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;
    let cursor = rooms.store.cursor("regtest").await.expect("a database");
    proxy.lie(|call, result| {
        if call["method"] == "getblockchaininfo" {
            result["initialblockdownload"] = json!(true);
        }
    });
    rooms.follower.step().await.expect_err("it is syncing");
    let refused = prove(node, &hal, &wallet, &[another]).await;
    assert!(matches!(refused, Err(SubmitError::Chain(_))), "{refused:?}");
    assert_eq!(standing(&hal).await, counting());
    let now = rooms.store.cursor("regtest").await.expect("a database");
    assert_eq!(now, cursor);
    proxy.be_honest();
    follow(node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

/// Rule B6, for what follows the chain: two sources must agree, and one says that every coin is gone.
#[tokio::test]
async fn one_source_that_lies_ends_nothing() {
    let node = Node::shared().await;
    let liar = RpcProxy::start(node.url()).await;
    let chain = format!("bitcoind:{},bitcoind:{}", liar.url, node.url());
    let rooms = rooms_with(&chain, TestDatabase::sqlite().await, Some(2)).await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    proven(node, &hal, &wallet).await;
    follow(node, &rooms.follower).await;
    liar.lie(|call, result| {
        if call["method"] == "gettxout" {
            *result = Value::Null;
        }
    });
    // Everything is looked up again.
    let all_again = "update chain_cursor set sweep_due = true";
    crate::jobs::execute(&rooms.store, all_again).await;
    follow(node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, counting());
    let now = rooms.clock.now();
    let unknown = async || rooms.store.unknown_claims("regtest", now).await;
    assert_eq!(unknown().await.expect("a database"), 1);
    // Nor does its word on which block comes next.
    liar.lie(|call, result| {
        if call["method"] == "getblockhash" {
            *result = json!("00".repeat(32));
        }
    });
    node.mine(1).await;
    rooms
        .follower
        .step()
        .await
        .expect_err("the sources do not agree");
    assert_eq!(standing(&hal).await, counting());
    liar.be_honest();
    rooms.clock.advance(60);
    follow(node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, counting());
    assert_eq!(unknown().await.expect("a database"), 0);
}

/// As with a pruned node after a long absence.
#[tokio::test]
async fn a_block_that_is_not_to_be_had_has_every_claim_looked_up() {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let rooms = rooms_with(
        &format!("bitcoind:{}", proxy.url),
        TestDatabase::sqlite().await,
        None,
    )
    .await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    proven(node, &eve, &wallet).await;
    follow(node, &rooms.follower).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;
    proxy.lie(|call, result| {
        if call["method"] == "getblock" {
            *result = Value::Null;
        }
    });
    let _still = node.still().await;
    for _ in 0..2 {
        rooms.follower.step().await.expect_err("no block");
        assert_eq!(standing(&hal).await, counting());
    }
    while rooms.follower.step().await.expect("it goes on") == Next::AtOnce {}
    assert_eq!(standing(&hal).await, ended("spent"));
    assert_eq!(standing(&eve).await, counting());
}
