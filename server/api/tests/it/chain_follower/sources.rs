//! A source that fails or lies ends no claim. When two sources do not agree about a coin, other users are not delayed (decisions, D12).

use super::*;
use crate::jobs::reverify::reverify;

on_both!(unknown_coins_are_looked_up_less_and_less_often);

/// The shared node behind a proxy.
async fn behind_a_proxy() -> (Fixture<'static>, Arc<Proxy>) {
    let database = TestDatabase::sqlite().await;
    Fixture::behind(Node::shared().await, database).await
}

/// Changes every result of this method from now on.
fn lie(proxy: &Proxy, method: &'static str, change: impl Fn(&mut Value) + Send + Sync + 'static) {
    proxy.lie(move |call, result| {
        if call["method"] == method {
            change(result);
        }
    });
}

/// A source that is down, and rule B6: a node in its initial download knows nothing about recent coins.
#[tokio::test]
async fn a_source_that_is_down_or_syncing_ends_nothing_and_proves_nothing() {
    let (fixture, proxy) = behind_a_proxy().await;
    for down in [true, false] {
        let hal = &fixture.rooms.sign_in().await;
        let coin = fixture.followed(hal).await;
        let another = fixture.coin().await;
        fixture.follow().await;
        fixture.spend(&[coin]).await;
        let cursor = fixture.cursor().await;
        proxy.set_down(down);
        lie(&proxy, "getblockchaininfo", |result| {
            result["initialblockdownload"] = json!(true);
        });
        for _ in 0..3 {
            let step = fixture.rooms.follower.step().await;
            step.expect_err("it knows nothing");
        }
        let refused = fixture.prove(hal, &[another]).await;
        assert_matches!(refused, Err(SubmitError::Chain(_)));
        assert_eq!(standing(hal).await, counting());
        assert_eq!(fixture.cursor().await, cursor);
        proxy.set_down(false);
        proxy.be_honest();
        fixture.expect(hal, ended("spent")).await;
    }
}

/// Two sources that must agree, and the first one's proxy.
async fn two_sources(database: TestDatabase) -> (Fixture<'static>, Arc<Proxy>) {
    let node = Node::shared().await;
    let proxy = Proxy::to(node.url()).await;
    let chain = format!("bitcoind:{},bitcoind:{}", proxy.url, node.url());
    (Fixture::over(node, &chain, database, Some(2)).await, proxy)
}

/// From now on the source claims that this coin is gone, so its state is unknown.
fn deny(proxy: &Proxy, coin: OutPoint) {
    proxy.lie(move |call, result| {
        let asked = [&call["params"][0], &call["params"][1]];
        if call["method"] == "gettxout" && json!(asked) == json!([coin.txid.to_string(), coin.vout])
        {
            *result = Value::Null;
        }
    });
}

impl Fixture<'_> {
    /// Makes the follower look every live claim up again.
    async fn sweep(&self) {
        let all_again = "update chain_cursor set sweep_due = true";
        execute(&self.rooms.store, all_again).await;
        self.follow().await;
        let cursor = self.cursor().await;
        assert_eq!((cursor.sweep_after, cursor.sweep_due), (None, false));
    }
}

/// Rule B6 for the follower.
#[tokio::test]
async fn one_lying_source_ends_no_claim_and_delays_nobody() {
    let (fixture, liar) = two_sources(TestDatabase::sqlite().await).await;
    let (node, hal, eve) = (fixture.node, fixture.hal(), fixture.rooms.sign_in().await);
    let (his, hers) = (fixture.followed(&hal).await, fixture.followed(&eve).await);
    let another = fixture.coin().await;
    deny(&liar, hers);
    let Err(refused) = fixture.prove(&eve, &[another, hers]).await else {
        panic!("nobody knows");
    };
    assert_matches!(refused, SubmitError::UnknownCoin { input: 1 });
    let said = refused.to_string();
    assert!(said.starts_with("Input 2 spends a coin"), "{said}");
    assert_eq!(eve.proofs().await.len(), 1);
    fixture.spend(&[his]).await;
    fixture.expect(&hal, ended("spent")).await;
    // The sweep ends, and reaches the newest block; other tests add blocks to this node meanwhile.
    let before = i64::from(node.tip().await.0);
    fixture.sweep().await;
    assert_eq!(standing(&eve).await, counting());
    assert_eq!(fixture.unknown().await, 1);
    let newest = fixture.cursor().await.block.height;
    let after = i64::from(node.tip().await.0);
    assert!((before..=after).contains(&newest));
    // Others prove their coins meanwhile, and a block that spends hers ends her claim.
    let ada = fixture.rooms.sign_in().await;
    fixture.proven(&ada).await;
    fixture.spend(&[hers]).await;
    fixture.expect(&eve, ended("spent")).await;
    assert_eq!(fixture.unknown().await, 0);

    // What it says about the next block does not count either.
    let other = json!("00".repeat(32));
    lie(&liar, "getblockhash", move |result| *result = other.clone());
    node.mine(1).await;
    let step = fixture.rooms.follower.step().await;
    step.expect_err("the sources do not agree");
    assert_eq!(standing(&ada).await, counting());
    liar.be_honest();
    fixture.rooms.clock.advance(60);
    fixture.expect(&ada, counting()).await;
}

async fn unknown_coins_are_looked_up_less_and_less_often(database: TestDatabase) {
    let (fixture, liar) = two_sources(database).await;
    let (clock, eve) = (&fixture.rooms.clock, fixture.hal());
    let hers = fixture.followed(&eve).await;
    deny(&liar, hers);
    fixture.sweep().await;
    liar.be_honest();
    clock.advance(59);
    fixture.sweep().await;
    assert_eq!(fixture.unknown().await, 1, "not by a sweep, and not yet");
    deny(&liar, hers);
    clock.advance(DAY);
    fixture.follow().await;
    liar.be_honest();
    for (wait, unknown) in [(6 * 60 * 60 - 1, 1), (1, 0)] {
        clock.advance(wait);
        fixture.follow().await;
        assert_eq!(fixture.unknown().await, unknown, "after six hours");
    }
    assert_eq!(standing(&eve).await, counting());
}

#[tokio::test]
async fn the_daily_verification_of_others_goes_on() {
    let (fixture, liar) = two_sources(TestDatabase::sqlite().await).await;
    let (rooms, hal, eve) = (&fixture.rooms, fixture.hal(), fixture.rooms.sign_in().await);
    fixture.proven(&hal).await;
    let hers = fixture.proven(&eve).await;
    for person in [&hal, &eve] {
        set_tier(&rooms.store, &person.id, "premium").await;
    }
    deny(&liar, hers);
    rooms.clock.advance(DAY);
    let proof = async |person: &Member<'_>| {
        let proof = person.newest_proof().await;
        (proof.status, proof.expires_at.0, proof.ended_at)
    };
    let before = proof(&eve).await;
    assert!(reverify(&fixture).await);
    let renewed = rooms.clock.now() + VALIDITY;
    assert_eq!(proof(&hal).await, ("reverified".to_owned(), renewed, None));
    assert_eq!(proof(&eve).await, before, "it stays as it is");
    assert!(!reverify(&fixture).await, "she waits for an hour");
    liar.be_honest();
    rooms.clock.advance(60 * 60);
    fixture.follow().await;
    assert!(reverify(&fixture).await);
    assert_eq!(proof(&eve).await.0, "reverified");
    assert_eq!(proof(&hal).await.1, renewed, "his are not due");
    assert_eq!(standing(&eve).await, counting());
}

/// A pruned node after a long absence.
#[tokio::test]
async fn claims_are_looked_up_when_a_block_is_unavailable() {
    let (fixture, proxy) = behind_a_proxy().await;
    let two = fixture.spent_and_kept().await;
    lie(&proxy, "getblock", |result| *result = Value::Null);
    let still = fixture.node.still().await;
    for _ in 0..2 {
        let step = fixture.rooms.follower.step().await;
        step.expect_err("no block");
        assert_eq!(standing(&two.0).await, counting());
    }
    drop(still);
    fixture.expect_spent_and_kept(&two).await;
}

/// A block, which comes from one source, says that a coin is spent, and the quorum that it is not (decisions, D12).
#[tokio::test]
async fn a_block_ends_no_claim_on_a_coin_that_is_called_unspent() {
    let (fixture, proxy) = behind_a_proxy().await;
    let hal = &fixture.hal();
    let coin = fixture.followed(hal).await;
    let place = json!([coin.txid.to_string(), coin.vout]);
    let mut unspent = fixture.node.call("gettxout", place).await;
    fixture.spend(&[coin]).await;
    let still = fixture.node.still().await;
    unspent["bestblock"] = fixture.node.call("getbestblockhash", json!([])).await;
    lie(&proxy, "gettxout", move |result| *result = unspent.clone());
    while fixture.rooms.follower.step().await.unwrap() == Next::AtOnce {}
    assert_eq!(standing(hal).await, counting());
    assert_eq!(fixture.unknown().await, 1);
    drop(still);
    proxy.be_honest();
    fixture.rooms.clock.advance(60);
    fixture.expect(hal, ended("spent")).await;
}
