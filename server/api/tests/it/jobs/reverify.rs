//! The daily re-verification of premium users (decisions, D14).

use std::sync::Arc;

use api::config::ProofBinding;
use api::jobs::{self, JobStates};
use futures_util::future::pending;
use store::claims::change::ClaimChanges;
use store::follower::Applied;
use store::profiles::Profile;
use store::records::Btc;
use store::reverify::Reverified;
use tokio::sync::oneshot;

use super::*;
use crate::follow::{
    COIN, SATS, counts, follow, prove, proven, rooms_on, rooms_with, spend, standing,
};
use crate::support::database::number;
use crate::support::node::{AddressType, Node};
use crate::support::rooms::Member;
use crate::support::rpc_proxy::RpcProxy;

/// How long the lease of a dead replica lasts.
const SECONDS: i64 = 10;

on_both!(
    one_replica_does_the_work_and_nobody_does_it_twice,
    the_users_of_a_replica_that_died_are_taken_over,
    the_users_of_a_slow_replica_are_not_taken_over,
    who_was_taken_over_changes_nothing,
);

/// Verifies all users who are due, while no block is mined; returns whether there were any.
async fn reverify(node: &Node, rooms: &Rooms) -> bool {
    let _still = node.still().await;
    let mut any = false;
    while rooms.proving.reverify_due().await.unwrap() == Next::AtOnce {
        any = true;
    }
    any
}

async fn profile(person: &Member<'_>) -> Profile {
    person
        .rooms
        .store
        .profile(&person.id)
        .await
        .unwrap()
        .unwrap()
}

async fn premium(rooms: &Rooms) -> Member<'_> {
    let person = rooms.sign_in().await;
    set_tier(&rooms.store, &person.id, "premium").await;
    person
}

#[tokio::test]
async fn a_premium_proof_does_not_expire_while_its_coins_stay() {
    let node = Node::shared().await;
    let rooms = rooms_on(node, TestDatabase::sqlite().await).await;
    let hal = premium(&rooms).await;
    proven(node, &hal, &node.wallet().await).await;
    assert!(!reverify(node, &rooms).await, "not on the day of the proof");
    for day in 1..=100 {
        rooms.clock.advance(DAY);
        if day % 45 == 1 {
            assert!(reverify(node, &rooms).await, "day {day}");
            assert!(!reverify(node, &rooms).await, "once a day");
            let now = rooms.clock.now();
            let proof = hal.newest_proof().await;
            assert_eq!(
                (proof.status.as_str(), proof.expires_at.0, proof.ended_at),
                ("reverified", now + 90 * DAY, None)
            );
            assert_eq!(proof.created_at.0, NOW);
            let profile = profile(&hal).await;
            let verified = (profile.last_auto_reverify, profile.last_verified);
            assert_eq!(verified, (Some(now), Some(now)));
        }
    }
    rooms.proving.expire().await.unwrap();
    assert_eq!(profile(&hal).await.holdings_sats, Some(30_000_000));
}

/// Two coins in one proof; this many are spent before the next day.
async fn after_spending(rooms: &Rooms, spent: usize) -> (Member<'_>, store::proofs::Proof) {
    let node = Node::shared().await;
    let hal = premium(rooms).await;
    let wallet = node.wallet().await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 2]).await;
    counts(&prove(node, &hal, &wallet, &coins).await);
    let spender = spend(&wallet, &coins[..spent]).await;
    node.confirm(&[spender]).await;
    rooms.clock.advance(DAY);
    assert!(reverify(node, rooms).await);
    let proof = hal.newest_proof().await;
    (hal, proof)
}

#[tokio::test]
async fn what_is_spent_lowers_the_amount_or_ends_the_proof_and_the_free_tier_is_left_alone() {
    let node = Node::shared().await;
    let rooms = rooms_on(node, TestDatabase::sqlite().await).await;
    let free = rooms.sign_in().await;
    set_tier(&rooms.store, &free.id, "free").await;
    proven(node, &free, &node.wallet().await).await;
    let (hal, proof) = after_spending(&rooms, 1).await;
    let partial = ("partial-reverify".to_owned(), Btc(30_000_000), None);
    assert_eq!((proof.status, proof.amount_sats, proof.ended_at), partial);
    assert_eq!(hal.holdings().await, Some(SATS));

    let (eve, proof) = after_spending(&rooms, 2).await;
    assert_eq!(proof.ended_reason.as_deref(), Some("spent"));
    assert_eq!(proof.expires_at.0, NOW + DAY + 90 * DAY);
    assert_eq!(eve.holdings().await, None);
    // Ended claims stay ended the day after.
    let proof = hal.newest_proof().await;
    assert_eq!(proof.status, "partial-reverify");
    assert_eq!(proof.expires_at.0, rooms.clock.now() + 90 * DAY);
    assert_eq!(free.newest_proof().await.expires_at.0, NOW + 90 * DAY);
}

/// A board that started with `PROOF_BINDING=optional` and now requires binding.
#[tokio::test]
async fn where_files_must_be_bound_unbound_claims_end_at_their_time() {
    let node = Node::shared().await;
    let rooms = rooms_on(node, TestDatabase::sqlite().await).await;
    let (hal, eve) = (premium(&rooms).await, premium(&rooms).await);
    for person in [&hal, &eve] {
        proven(node, person, &node.wallet().await).await;
    }
    let bind = format!(
        "update claims set bound = true where user_id = '{}'",
        eve.id
    );
    super::execute(&rooms.store, bind).await;
    let required = rooms.proving_with(ProofBinding::Required).await;
    rooms.clock.advance(DAY);
    let now = rooms.clock.now();
    {
        let _still = node.still().await;
        let verified = required.reverify_due().await.unwrap();
        assert_eq!(verified, Next::AtOnce);
    }
    let last_verified = async |person: &Member<'_>| profile(person).await.last_verified;
    assert_eq!(hal.newest_proof().await.expires_at.0, NOW + 90 * DAY);
    assert_eq!(last_verified(&hal).await, Some(NOW));
    assert_eq!(eve.newest_proof().await.expires_at.0, now + 90 * DAY);
    assert_eq!(last_verified(&eve).await, Some(now));
    assert_eq!(standing(&hal).await, (Some(SATS), true, None));

    rooms.clock.advance(89 * DAY);
    required.expire().await.unwrap();
    assert_eq!(
        standing(&hal).await,
        (None, false, Some("expired".to_owned()))
    );
    assert_eq!(standing(&eve).await, (Some(SATS), true, None));
    // With optional binding they are renewed.
    let again = rooms.sign_in().await;
    set_tier(&rooms.store, &again.id, "premium").await;
    proven(node, &again, &node.wallet().await).await;
    rooms.clock.advance(DAY);
    assert!(reverify(node, &rooms).await);
    let proof = again.newest_proof().await;
    assert_eq!(proof.expires_at.0, rooms.clock.now() + 90 * DAY);
}

#[tokio::test]
async fn a_source_that_is_down_delays_and_ends_nothing() {
    let database = TestDatabase::sqlite().await;
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let rooms = rooms_with(&format!("bitcoind:{}", proxy.url), database, None).await;
    let hal = premium(&rooms).await;
    proven(node, &hal, &node.wallet().await).await;
    rooms.clock.advance(DAY);
    proxy.set_down(true);
    rooms
        .proving
        .reverify_due()
        .await
        .expect_err("nobody answers");
    proxy.set_down(false);
    assert!(!reverify(node, &rooms).await, "not again at once");
    let proof = hal.newest_proof().await;
    assert_eq!((proof.status.as_str(), proof.ended_at), ("verified", None));
    rooms.clock.advance(5 * 60);
    assert!(reverify(node, &rooms).await);
    assert_eq!(hal.newest_proof().await.status, "reverified");
}

async fn one_replica_does_the_work_and_nobody_does_it_twice(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let wallet = node.wallet().await;
    let people = [
        premium(&rooms).await,
        premium(&rooms).await,
        premium(&rooms).await,
    ];
    for person in &people {
        proven(node, person, &wallet).await;
    }
    let other = rooms.another(NOW + DAY).await;
    rooms.clock.advance(DAY);
    let _still = node.still().await;
    let (one, two) = tokio::join!(rooms.proving.reverify_some(), other.proving.reverify_some(),);
    let done = [one.unwrap(), two.unwrap()];
    assert!(done == [3, 0] || done == [0, 3], "{done:?}");
    for person in &people {
        let profile = profile(person).await;
        assert_eq!(profile.last_auto_reverify, Some(NOW + DAY));
    }
}

/// A replica that dies during a look-up has changed nothing, and another one takes over seconds later.
async fn the_users_of_a_replica_that_died_are_taken_over(database: TestDatabase) {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let rooms = rooms_with(&format!("bitcoind:{}", proxy.url), database, None).await;
    let hal = premium(&rooms).await;
    proven(node, &hal, &node.wallet().await).await;
    rooms.clock.advance(DAY);
    let other = rooms.another(rooms.clock.now()).await;
    let asked = never_answered(&proxy);
    tokio::select! {
        taken = rooms.proving.reverify_due() => panic!("nobody answers: {taken:?}"),
        asked = asked => asked.expect("the look-up begins"),
    }
    assert!(!reverify(node, &other).await, "they are taken");
    assert_eq!(hal.newest_proof().await.status, "verified");
    other.clock.advance(SECONDS);
    assert!(reverify(node, &other).await);
    assert_eq!(hal.newest_proof().await.status, "reverified");
}

/// A replica keeps its users as long as it lives, however slow the chain is.
async fn the_users_of_a_slow_replica_are_not_taken_over(database: TestDatabase) {
    // A block in between is another test's subject.
    let node = &Node::start().await;
    let proxy = RpcProxy::start(node.url()).await;
    let rooms = rooms_with(&format!("bitcoind:{}", proxy.url), database, None).await;
    let hal = premium(&rooms).await;
    proven(node, &hal, &node.wallet().await).await;
    rooms.clock.advance(DAY);
    let other = rooms.another(rooms.clock.now()).await;
    let states = Arc::new(JobStates::new(rooms.clock.clone()));
    let beating = jobs::begin(jobs::heartbeat(&rooms.store, &rooms.clock), &states);
    let (asked, hears) = oneshot::channel();
    let (answers, waits) = oneshot::channel::<()>();
    proxy.interrupt("gettxout", move || {
        async move {
            let _ = asked.send(());
            let _ = waits.await;
        }
        .boxed()
    });
    let meanwhile = async {
        hears.await.expect("the look-up begins");
        for _ in 0..3 {
            // Shorter than the lease.
            for clock in [&rooms.clock, &other.clock] {
                clock.advance(SECONDS - 1);
            }
            let late = rooms.clock.now() + 2;
            until("saying so", async || {
                let until = "select expires_at from leases where name = 'reverify'";
                (number(rooms.store.database(), until).await > late).then_some(())
            })
            .await;
            assert!(!reverify(node, &other).await, "they are taken");
        }
        answers.send(()).expect("it still waits");
    };
    let (done, ()) = tokio::join!(rooms.proving.reverify_due(), meanwhile);
    beating.abort();
    assert_eq!(done.unwrap(), Next::AtOnce);
    assert_eq!(hal.newest_proof().await.status, "reverified");
    assert_eq!(
        due(&rooms.store, &hal.id).await,
        rooms.clock.now() + DAY,
        "what is done stays done"
    );
}

/// The next request about coins is never answered; notifies when it arrives.
fn never_answered(proxy: &RpcProxy) -> oneshot::Receiver<()> {
    let (asked, hears) = oneshot::channel();
    proxy.interrupt("gettxout", move || {
        async move {
            let _ = asked.send(());
            pending::<()>().await;
        }
        .boxed()
    });
    hears
}

/// When a user is next verified.
async fn due(store: &Store, id: &str) -> i64 {
    let due = format!("select reverify_at from profiles where id = '{id}'");
    number(store.database(), due).await
}

/// If the replica that was taken over from was only slow, its result comes too late.
async fn who_was_taken_over_changes_nothing(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let hal = premium(&rooms).await;
    proven(node, &hal, &node.wallet().await).await;
    rooms.clock.advance(DAY);
    let now = rooms.clock.now();
    let late = rooms.store.due_reverifications(now, 9).await.unwrap();
    assert_eq!(late, std::slice::from_ref(&hal.id));
    assert!(reverify(node, &rooms).await);
    let at = rooms.store.cursor("regtest").await.unwrap().unwrap().block;
    let result = Reverified {
        users: &late,
        network: "regtest",
        at: &at,
        changes: &ClaimChanges::default(),
        expires_at: now + 180 * DAY,
        again_at: now,
        only_bound: false,
    };
    let recorded = rooms.store.reverify(result, now).await.unwrap();
    assert_eq!(recorded, Applied::Done(0));
    assert_eq!(hal.newest_proof().await.expires_at.0, now + 90 * DAY);
    let delayed = rooms.store.delay_reverifications(&late, now, 1);
    delayed.await.unwrap();
    assert!(!reverify(node, &rooms).await, "what is done stays done");
}

#[tokio::test]
async fn many_coins_are_looked_up_in_portions() {
    let database = TestDatabase::sqlite().await;
    let node = Node::shared().await;
    let rooms = rooms_on(node, database).await;
    let wallet = node.wallet().await;
    let first = premium(&rooms).await;
    // More coins than one request looks up.
    for _ in 0..6 {
        let coins = wallet
            .fund_all(&[(AddressType::Bech32, COIN / 100); 100])
            .await;
        counts(&prove(node, &first, &wallet, &coins).await);
    }
    rooms.clock.advance(DAY);
    let wait = {
        let _still = node.still().await;
        rooms.proving.reverify_due().await.unwrap()
    };
    assert_eq!(wait, Next::AtOnce);
    let waits = rooms.proving.reverify_due().await.unwrap();
    assert_matches!(waits, Next::After(wait) if *wait > Duration::ZERO);
    assert_eq!(first.newest_proof().await.status, "reverified");
    follow(node, &rooms.follower).await;
    let (_, active, _) = standing(&first).await;
    assert!(active);
}
