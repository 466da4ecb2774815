//! A source that fails or lies ends no claim.

use serde_json::Value;

use super::*;

/// Rooms over the shared node behind a proxy.
async fn behind_a_proxy() -> (&'static Node, Arc<RpcProxy>, Rooms) {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let chain = format!("bitcoind:{}", proxy.url);
    let rooms = rooms_with(&chain, TestDatabase::sqlite().await, None).await;
    (node, proxy, rooms)
}

/// A source that is down, and rule B6: a node in its initial download knows nothing about recent coins.
#[tokio::test]
async fn a_source_that_is_down_or_syncing_ends_nothing_and_proves_nothing() {
    let (node, proxy, rooms) = behind_a_proxy().await;
    for down in [true, false] {
        let scene = Scene::new(node, &rooms).await;
        let hal = &scene.hal;
        let coin = scene.proven(hal).await;
        let another = scene.wallet.fund(AddressType::Bech32, COIN).await;
        follow(node, &rooms.follower).await;
        scene.spend(&[coin]).await;
        let cursor = scene.cursor().await;
        proxy.set_down(down);
        proxy.lie(|call, result| {
            if call["method"] == "getblockchaininfo" {
                result["initialblockdownload"] = json!(true);
            }
        });
        for _ in 0..3 {
            rooms.follower.step().await.expect_err("it knows nothing");
        }
        let refused = prove(node, hal, &scene.wallet, &[another]).await;
        assert_matches!(refused, Err(SubmitError::Chain(_)));
        assert_eq!(standing(hal).await, counting());
        assert_eq!(scene.cursor().await, cursor);
        proxy.set_down(false);
        proxy.be_honest();
        scene.expect(hal, ended("spent")).await;
    }
}

/// Rule B6 for the follower: two sources must agree, and one claims that every coin is gone.
#[tokio::test]
async fn one_source_that_lies_ends_nothing() {
    let node = Node::shared().await;
    let liar = RpcProxy::start(node.url()).await;
    let chain = format!("bitcoind:{},bitcoind:{}", liar.url, node.url());
    let rooms = rooms_with(&chain, TestDatabase::sqlite().await, Some(2)).await;
    let scene = Scene::new(node, &rooms).await;
    let hal = &scene.hal;
    scene.proven(hal).await;
    liar.lie(|call, result| {
        if call["method"] == "gettxout" {
            *result = Value::Null;
        }
    });
    // Everything is looked up again.
    let all_again = "update chain_cursor set sweep_due = true";
    crate::jobs::execute(&rooms.store, all_again).await;
    scene.expect(hal, counting()).await;
    let now = rooms.clock.now();
    let unknown = async || rooms.store.unknown_claims("regtest", now).await;
    assert_eq!(unknown().await.expect("a database"), 1);
    // Its claim about the next block does not count either.
    liar.lie(|call, result| {
        if call["method"] == "getblockhash" {
            *result = json!("00".repeat(32));
        }
    });
    node.mine(1).await;
    let step = rooms.follower.step().await;
    step.expect_err("the sources do not agree");
    assert_eq!(standing(hal).await, counting());
    liar.be_honest();
    rooms.clock.advance(60);
    scene.expect(hal, counting()).await;
    assert_eq!(unknown().await.expect("a database"), 0);
}

/// A pruned node after a long absence.
#[tokio::test]
async fn a_block_that_is_not_to_be_had_has_every_claim_looked_up() {
    let (node, proxy, rooms) = behind_a_proxy().await;
    let scene = Scene::new(node, &rooms).await;
    let (hal, eve) = (&scene.hal, rooms.sign_in().await);
    let coin = scene.proven(hal).await;
    scene.proven(&eve).await;
    scene.spend(&[coin]).await;
    proxy.lie(|call, result| {
        if call["method"] == "getblock" {
            *result = Value::Null;
        }
    });
    let _still = node.still().await;
    for _ in 0..2 {
        rooms.follower.step().await.expect_err("no block");
        assert_eq!(standing(hal).await, counting());
    }
    while rooms.follower.step().await.expect("it goes on") == Next::AtOnce {}
    assert_eq!(standing(hal).await, ended("spent"));
    assert_eq!(standing(&eve).await, counting());
}
