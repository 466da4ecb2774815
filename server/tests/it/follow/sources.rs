//! A source in trouble, or one that lies, ends nothing.

use serde_json::json;

use super::*;
use crate::support::database::on_both;
use crate::support::rpc_proxy::RpcProxy;

on_both!(
    a_source_that_is_down_ends_nothing,
    one_source_that_lies_ends_nothing,
    a_block_that_is_not_to_be_had_has_every_claim_looked_up,
);

async fn a_source_that_is_down_ends_nothing(database: TestDatabase) {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let app = app_with(&format!("bitcoind:{}", proxy.url), database, &[]).await;
    let hal = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    let another = wallet.fund(AddressType::Bech32, COIN).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;
    proxy.set_down(true);
    for _ in 0..3 {
        jobs::follow::step(&app.state)
            .await
            .expect_err("nobody answers");
    }
    let refused = prove(node, &hal, &wallet, &[another]).await;
    assert_eq!(refused.status, 503, "{refused:?}");
    assert_eq!(standing(&hal).await, counting(0.3));
    proxy.set_down(false);
    follow(node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

/// Rule B6, for what follows the chain: two sources must agree, and one says that every coin is gone.
async fn one_source_that_lies_ends_nothing(database: TestDatabase) {
    let node = Node::shared().await;
    let liar = RpcProxy::start(node.url()).await;
    let chain = format!("bitcoind:{},bitcoind:{}", liar.url, node.url());
    let app = app_with(&chain, database, &["--chain-quorum=2"]).await;
    let hal = app.sign_in().await;
    let wallet = node.wallet().await;
    proven(node, &hal, &wallet).await;
    follow(node, &app.state).await;
    liar.lie(|call, result| {
        if call["method"] == "gettxout" {
            *result = Value::Null;
        }
    });
    // Everything is looked up again.
    let all_again = "update chain_cursor set sweep_due = true";
    crate::jobs::execute(&app.state.store, all_again).await;
    {
        let _still = node.still().await;
        while let Ok(next) = jobs::follow::step(&app.state).await {
            assert_eq!(next, Next::AtOnce, "the sources do not agree");
        }
    }
    assert_eq!(standing(&hal).await, counting(0.3));
    // Nor does its word on which block comes next.
    liar.lie(|call, result| {
        if call["method"] == "getblockhash" {
            *result = json!("00".repeat(32));
        }
    });
    node.mine(1).await;
    jobs::follow::step(&app.state)
        .await
        .expect_err("the sources do not agree");
    assert_eq!(standing(&hal).await, counting(0.3));
    liar.be_honest();
    follow(node, &app.state).await;
    assert_eq!(standing(&hal).await, counting(0.3));
}

/// As with a pruned node after a long absence.
async fn a_block_that_is_not_to_be_had_has_every_claim_looked_up(database: TestDatabase) {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let app = app_with(&format!("bitcoind:{}", proxy.url), database, &[]).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    proven(node, &eve, &wallet).await;
    follow(node, &app.state).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;
    proxy.lie(|call, result| {
        if call["method"] == "getblock" {
            *result = Value::Null;
        }
    });
    let _still = node.still().await;
    for _ in 0..2 {
        jobs::follow::step(&app.state).await.expect_err("no block");
        assert_eq!(standing(&hal).await, counting(0.3));
    }
    while jobs::follow::step(&app.state).await.expect("it goes on") == Next::AtOnce {}
    assert_eq!(standing(&hal).await, ended("spent"));
    assert_eq!(standing(&eve).await, counting(0.3));
}
