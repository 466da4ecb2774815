//! A source that fails or lies ends no claim.

use super::*;

/// The shared node behind a proxy.
async fn behind_a_proxy() -> (Arc<Proxy>, Scene<'static>) {
    let node = Node::shared().await;
    let proxy = Proxy::to(node.url()).await;
    let scene = Scene::behind(node, &proxy, TestDatabase::sqlite().await).await;
    (proxy, scene)
}

/// A source that is down, and rule B6: a node in its initial download knows nothing about recent coins.
#[tokio::test]
async fn a_source_that_is_down_or_syncing_ends_nothing_and_proves_nothing() {
    let (proxy, scene) = behind_a_proxy().await;
    for down in [true, false] {
        let hal = &scene.rooms.sign_in().await;
        let coin = scene.followed(hal).await;
        let another = scene.coin().await;
        scene.follow().await;
        scene.spend(&[coin]).await;
        let cursor = scene.cursor().await;
        proxy.set_down(down);
        proxy.lie(|call, result| {
            if call["method"] == "getblockchaininfo" {
                result["initialblockdownload"] = json!(true);
            }
        });
        for _ in 0..3 {
            let step = scene.rooms.follower.step().await;
            step.expect_err("it knows nothing");
        }
        let refused = scene.prove(hal, &[another]).await;
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
    let liar = Proxy::to(node.url()).await;
    let chain = format!("bitcoind:{},bitcoind:{}", liar.url, node.url());
    let scene = Scene::over(node, &chain, TestDatabase::sqlite().await, Some(2)).await;
    let hal = &scene.hal();
    scene.followed(hal).await;
    liar.lie(|call, result| {
        if call["method"] == "gettxout" {
            *result = Value::Null;
        }
    });
    scene.look_up_everything().await;
    scene.expect(hal, counting()).await;
    assert_eq!(scene.unknown().await, 1);
    // Its claim about the next block does not count either.
    liar.lie(|call, result| {
        if call["method"] == "getblockhash" {
            *result = json!("00".repeat(32));
        }
    });
    node.mine(1).await;
    let step = scene.rooms.follower.step().await;
    step.expect_err("the sources do not agree");
    assert_eq!(standing(hal).await, counting());
    liar.be_honest();
    scene.rooms.clock.advance(60);
    scene.expect(hal, counting()).await;
    assert_eq!(scene.unknown().await, 0);
}

/// A pruned node after a long absence.
#[tokio::test]
async fn a_block_that_is_not_to_be_had_has_every_claim_looked_up() {
    let (proxy, scene) = behind_a_proxy().await;
    let (hal, eve) = (scene.hal(), scene.rooms.sign_in().await);
    let coin = scene.followed(&hal).await;
    scene.followed(&eve).await;
    scene.spend(&[coin]).await;
    proxy.lie(|call, result| {
        if call["method"] == "getblock" {
            *result = Value::Null;
        }
    });
    let still = scene.node.still().await;
    for _ in 0..2 {
        let step = scene.rooms.follower.step().await;
        step.expect_err("no block");
        assert_eq!(standing(&hal).await, counting());
    }
    drop(still);
    scene.expect(&hal, ended("spent")).await;
    assert_eq!(standing(&eve).await, counting());
}

/// A block, which comes from one source, says that a coin is spent, and the quorum that it is not (decisions, D12).
#[tokio::test]
async fn a_block_ends_no_claim_on_a_coin_that_is_called_unspent() {
    let (proxy, scene) = behind_a_proxy().await;
    let hal = &scene.hal();
    let coin = scene.followed(hal).await;
    let place = json!([coin.txid.to_string(), coin.vout]);
    let mut unspent = scene.node.call("gettxout", place).await;
    scene.spend(&[coin]).await;
    let still = scene.node.still().await;
    unspent["bestblock"] = scene.node.call("getbestblockhash", json!([])).await;
    proxy.lie(move |call, result| {
        if call["method"] == "gettxout" {
            *result = unspent.clone();
        }
    });
    while scene.rooms.follower.step().await.unwrap() == Next::AtOnce {}
    assert_eq!(standing(hal).await, counting());
    assert_eq!(scene.unknown().await, 1);
    drop(still);
    proxy.be_honest();
    scene.rooms.clock.advance(60);
    scene.expect(hal, ended("spent")).await;
}
