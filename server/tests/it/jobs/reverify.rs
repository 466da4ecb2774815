//! The daily re-verification of premium users (decisions, D14).

use std::time::Duration;

use serde_json::{Value, json};
use server::AppState;
use server::clock::Clock;
use server::jobs::{self, Next};

use super::set_tier;
use crate::follow::{COIN, app_on, app_with, follow, prove, proven, spend, standing};
use crate::support::app::{NOW, Person, TestApp};
use crate::support::database::{TestDatabase, on_both};
use crate::support::node::{AddressType, Node};
use crate::support::rpc_proxy::RpcProxy;

const DAY: i64 = 24 * 60 * 60;

on_both!(
    a_premium_proof_does_not_expire_while_its_coins_stay,
    some_spent_lowers_the_amount,
    all_spent_ends_the_proof,
    free_users_are_not_verified_again,
    a_source_that_is_down_delays_and_ends_nothing,
    replicas_share_the_work_and_nobody_does_it_twice,
    the_users_of_a_replica_that_died_are_taken_over,
    many_coins_are_looked_up_in_portions,
);

/// Verifies everybody who is due, while nobody mines; answers whether there was anybody.
async fn reverify(node: &Node, state: &AppState) -> bool {
    let _still = node.still().await;
    let mut anybody = false;
    while jobs::reverify::step(state).await.expect("it is verified") == Next::AtOnce {
        anybody = true;
    }
    anybody
}

async fn premium<'a>(app: &'a TestApp) -> Person<'a> {
    let person = app.sign_in().await;
    set_tier(&app.state.store, &person.id, "premium").await;
    person
}

async fn newest_proof(app: &TestApp, person: &Person<'_>) -> server::store::proofs::Proof {
    let proofs = app.state.store.proofs(&person.id, 1, 0).await;
    proofs.expect("a database").remove(0)
}

async fn a_premium_proof_does_not_expire_while_its_coins_stay(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let hal = premium(&app).await;
    proven(node, &hal, &node.wallet().await).await;
    assert!(
        !reverify(node, &app.state).await,
        "not on the day of the proof"
    );
    for day in 1..=100 {
        app.state.clock.advance(DAY);
        if day % 45 == 1 {
            assert!(reverify(node, &app.state).await, "day {day}");
            assert!(!reverify(node, &app.state).await, "once a day");
            let now = app.state.clock.now();
            let proof = newest_proof(&app, &hal).await;
            assert_eq!(
                (proof.status.as_str(), proof.expires_at, proof.ended_at),
                ("reverified", now + 90 * DAY, None)
            );
            assert_eq!(proof.created_at, NOW);
            let profile = app.state.store.profile(&hal.id).await;
            let profile = profile.expect("a database").expect("a profile");
            assert_eq!(
                (profile.last_auto_reverify, profile.last_verified),
                (Some(now), Some(now))
            );
        }
    }
    jobs::expire::step(&app.state).await.expect("a database");
    let profile = app.state.store.profile(&hal.id).await;
    let profile = profile.expect("a database").expect("a profile");
    assert_eq!(profile.holdings_sats, Some(30_000_000));
}

/// Two coins in one proof, of which so many are spent before the next day.
async fn after_spending(app: &TestApp, spent: usize) -> (Person<'_>, server::store::proofs::Proof) {
    let node = Node::shared().await;
    let hal = premium(app).await;
    let wallet = node.wallet().await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 2]).await;
    prove(node, &hal, &wallet, &coins).await;
    let spender = spend(&wallet, &coins[..spent]).await;
    node.confirm(&[spender]).await;
    app.state.clock.advance(DAY);
    assert!(reverify(node, &app.state).await);
    let proof = newest_proof(app, &hal).await;
    (app.still_signed_in(&hal).await, proof)
}

async fn some_spent_lowers_the_amount(database: TestDatabase) {
    let app = app_on(Node::shared().await, database).await;
    let (hal, proof) = after_spending(&app, 1).await;
    assert_eq!(
        (proof.status.as_str(), proof.amount_sats, proof.ended_at),
        ("partial-reverify", 30_000_000, None)
    );
    assert_eq!(hal.profile().await["bitcoin_holdings"], json!(0.3));
    // What is gone stays gone the day after.
    app.state.clock.advance(DAY);
    assert!(reverify(Node::shared().await, &app.state).await);
    let proof = newest_proof(&app, &hal).await;
    assert_eq!(proof.status, "partial-reverify");
    assert_eq!(proof.expires_at, app.state.clock.now() + 90 * DAY);
}

async fn all_spent_ends_the_proof(database: TestDatabase) {
    let app = app_on(Node::shared().await, database).await;
    let (hal, proof) = after_spending(&app, 2).await;
    assert_eq!(proof.ended_reason.as_deref(), Some("spent"));
    assert_eq!(proof.expires_at, NOW + 90 * DAY);
    assert_eq!(hal.profile().await["bitcoin_holdings"], Value::Null);
}

async fn free_users_are_not_verified_again(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let hal = app.sign_in().await;
    set_tier(&app.state.store, &hal.id, "free").await;
    proven(node, &hal, &node.wallet().await).await;
    app.state.clock.advance(2 * DAY);
    assert!(!reverify(node, &app.state).await);
    assert_eq!(newest_proof(&app, &hal).await.expires_at, NOW + 90 * DAY);
}

async fn a_source_that_is_down_delays_and_ends_nothing(database: TestDatabase) {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let app = app_with(&format!("bitcoind:{}", proxy.url), database, &[]).await;
    let hal = premium(&app).await;
    proven(node, &hal, &node.wallet().await).await;
    app.state.clock.advance(DAY);
    proxy.set_down(true);
    jobs::reverify::step(&app.state)
        .await
        .expect_err("nobody answers");
    proxy.set_down(false);
    assert!(!reverify(node, &app.state).await, "not again at once");
    let proof = newest_proof(&app, &hal).await;
    assert_eq!((proof.status.as_str(), proof.ended_at), ("verified", None));
    app.state.clock.advance(5 * 60);
    assert!(reverify(node, &app.state).await);
    assert_eq!(newest_proof(&app, &hal).await.status, "reverified");
}

async fn replicas_share_the_work_and_nobody_does_it_twice(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let wallet = node.wallet().await;
    let people = [
        premium(&app).await,
        premium(&app).await,
        premium(&app).await,
    ];
    for person in &people {
        proven(node, person, &wallet).await;
    }
    let now = NOW + DAY;
    let (store, until) = (&app.state.store, now + 900);
    let (one, two) = tokio::join!(
        store.take_due_reverifications(now, until, 2),
        store.take_due_reverifications(now, until + 1, 2),
    );
    let (one, two) = (one.expect("a database"), two.expect("a database"));
    let mut taken = [one.users, two.users].concat();
    let count = taken.len();
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), count, "nobody is taken twice");
    let rest = store.take_due_reverifications(now, until + 2, 9).await;
    assert_eq!(count + rest.expect("a database").users.len(), 3);
}

/// A replica takes users and dies: nothing has changed, and after a while somebody else does it.
async fn the_users_of_a_replica_that_died_are_taken_over(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let hal = premium(&app).await;
    proven(node, &hal, &node.wallet().await).await;
    app.state.clock.advance(DAY);
    let now = app.state.clock.now();
    let store = &app.state.store;
    let taken = store.take_due_reverifications(now, now + 900, 10).await;
    assert_eq!(
        taken.expect("a database").users,
        std::slice::from_ref(&hal.id)
    );

    let other = AppState::start(app.state.config.clone(), Clock::manual(now))
        .await
        .expect("another replica");
    assert!(!reverify(node, &other).await, "it is somebody's");
    assert_eq!(newest_proof(&app, &hal).await.status, "verified");
    other.clock.advance(900);
    assert!(reverify(node, &other).await);
    assert_eq!(newest_proof(&app, &hal).await.status, "reverified");
    // Had the first one only been slow, its result would come too late.
    let late = server::store::reverify::Taken {
        users: vec![hal.id.clone()],
        until: now + 900,
    };
    store
        .delay_reverifications(&late, 1)
        .await
        .expect("a database");
    assert!(!reverify(node, &other).await, "what is done stays done");
}

async fn many_coins_are_looked_up_in_portions(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let wallet = node.wallet().await;
    let first = premium(&app).await;
    // More than are looked up with one question.
    for _ in 0..6 {
        let coins = wallet
            .fund_all(&[(AddressType::Bech32, COIN / 100); 100])
            .await;
        let answer = prove(node, &first, &wallet, &coins).await;
        assert_eq!(answer.body["status"], "success", "{answer:?}");
    }
    app.state.clock.advance(DAY);
    let wait = {
        let _still = node.still().await;
        jobs::reverify::step(&app.state)
            .await
            .expect("it is verified")
    };
    assert_eq!(wait, Next::AtOnce);
    let waits = jobs::reverify::step(&app.state).await.expect("a database");
    assert!(matches!(waits, Next::After(wait) if wait > Duration::ZERO));
    assert_eq!(newest_proof(&app, &first).await.status, "reverified");
    follow(node, &app.state).await;
    let (_, active, _) = standing(&app.still_signed_in(&first).await).await;
    assert_eq!(active, json!(true));
}
