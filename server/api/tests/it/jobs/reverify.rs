//! The daily re-verification of premium users (decisions, D14).

use api::config::ProofBinding;
use api::jobs::{self, JobStates};
use futures_util::future::pending;
use store::proofs::Proof;
use store::reverify::Reverified;
use store::values::Btc;
use tokio::sync::oneshot;

use super::*;
use crate::follow::{COIN, SATS, Scene, counting, counts, ended, standing};

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
    let profile = person.rooms.store.profile(&person.id).await;
    profile.unwrap().unwrap()
}

async fn premium(rooms: &Rooms) -> Member<'_> {
    let person = rooms.sign_in().await;
    set_tier(&rooms.store, &person.id, "premium").await;
    person
}

/// A premium user a day after a proof.
async fn a_day_later<'s>(scene: &'s Scene<'_>) -> Member<'s> {
    let person = premium(&scene.rooms).await;
    scene.proven(&person).await;
    scene.rooms.clock.advance(DAY);
    person
}

async fn status(person: &Member<'_>) -> String {
    person.newest_proof().await.status
}

#[tokio::test]
async fn a_premium_proof_does_not_expire_while_its_coins_stay() {
    let scene = Scene::shared(TestDatabase::sqlite().await).await;
    let (node, rooms) = (scene.node, &scene.rooms);
    let hal = premium(rooms).await;
    scene.proven(&hal).await;
    assert!(!reverify(node, rooms).await, "not on the day of the proof");
    for day in 1..=100 {
        rooms.clock.advance(DAY);
        if day % 45 == 1 {
            assert!(reverify(node, rooms).await, "day {day}");
            assert!(!reverify(node, rooms).await, "once a day");
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
    assert_eq!(hal.holdings().await, Some(SATS));
}

/// Two coins in one proof; this many are spent before the next day.
async fn after_spending<'s>(scene: &'s Scene<'_>, spent: usize) -> (Member<'s>, Proof) {
    let hal = premium(&scene.rooms).await;
    let coins = [scene.coin().await, scene.coin().await];
    counts(&scene.prove(&hal, &coins).await);
    scene.spend(&coins[..spent]).await;
    scene.rooms.clock.advance(DAY);
    assert!(reverify(scene.node, &scene.rooms).await);
    let proof = hal.newest_proof().await;
    (hal, proof)
}

#[tokio::test]
async fn what_is_spent_lowers_the_amount_or_ends_the_proof_and_the_free_tier_is_left_alone() {
    let scene = Scene::shared(TestDatabase::sqlite().await).await;
    let free = scene.rooms.sign_in().await;
    set_tier(&scene.rooms.store, &free.id, "free").await;
    scene.proven(&free).await;
    let (hal, proof) = after_spending(&scene, 1).await;
    let partial = ("partial-reverify".to_owned(), Btc(30_000_000), None);
    assert_eq!((proof.status, proof.amount_sats, proof.ended_at), partial);
    assert_eq!(hal.holdings().await, Some(SATS));

    let (eve, proof) = after_spending(&scene, 2).await;
    assert_eq!(proof.ended_reason.as_deref(), Some("spent"));
    assert_eq!(proof.expires_at.0, NOW + DAY + 90 * DAY);
    assert_eq!(eve.holdings().await, None);
    // Ended claims stay ended the day after.
    let proof = hal.newest_proof().await;
    assert_eq!(proof.status, "partial-reverify");
    assert_eq!(proof.expires_at.0, scene.rooms.clock.now() + 90 * DAY);
    assert_eq!(free.newest_proof().await.expires_at.0, NOW + 90 * DAY);
}

/// A board that started with `PROOF_BINDING=optional` and now requires binding.
#[tokio::test]
async fn where_files_must_be_bound_unbound_claims_end_at_their_time() {
    let scene = Scene::shared(TestDatabase::sqlite().await).await;
    let (node, rooms) = (scene.node, &scene.rooms);
    let (hal, eve) = (premium(rooms).await, premium(rooms).await);
    for person in [&hal, &eve] {
        scene.proven(person).await;
    }
    let of_eve = format!("where user_id = '{}'", eve.id);
    let bind = format!("update claims set bound = true {of_eve}");
    execute(&rooms.store, bind).await;
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
    assert_eq!(standing(&hal).await, counting());

    rooms.clock.advance(89 * DAY);
    required.expire().await.unwrap();
    assert_eq!(standing(&hal).await, ended("expired"));
    assert_eq!(standing(&eve).await, counting());
    // With optional binding they are renewed.
    let again = a_day_later(&scene).await;
    assert!(reverify(node, rooms).await);
    let proof = again.newest_proof().await;
    assert_eq!(proof.expires_at.0, rooms.clock.now() + 90 * DAY);
}

#[tokio::test]
async fn a_source_that_is_down_delays_and_ends_nothing() {
    let (scene, proxy) = behind_a_proxy(Node::shared().await, TestDatabase::sqlite().await).await;
    let (node, rooms) = (scene.node, &scene.rooms);
    let hal = a_day_later(&scene).await;
    proxy.set_down(true);
    let answer = rooms.proving.reverify_due().await;
    answer.expect_err("nobody answers");
    proxy.set_down(false);
    assert!(!reverify(node, rooms).await, "not again at once");
    assert_eq!(status(&hal).await, "verified");
    assert_eq!(standing(&hal).await, counting());
    rooms.clock.advance(5 * 60);
    assert!(reverify(node, rooms).await);
    assert_eq!(status(&hal).await, "reverified");
}

async fn behind_a_proxy(node: &Node, database: TestDatabase) -> (Scene<'_>, Arc<Proxy>) {
    let proxy = Proxy::to(node.url()).await;
    (Scene::behind(node, &proxy, database).await, proxy)
}

async fn one_replica_does_the_work_and_nobody_does_it_twice(database: TestDatabase) {
    let scene = Scene::shared(database).await;
    let (node, rooms) = (scene.node, &scene.rooms);
    let people = [
        premium(rooms).await,
        premium(rooms).await,
        premium(rooms).await,
    ];
    for person in &people {
        scene.proven(person).await;
    }
    let other = rooms.another(NOW + DAY).await;
    rooms.clock.advance(DAY);
    let _still = node.still().await;
    let (one, two) = tokio::join!(rooms.proving.reverify_due(), other.proving.reverify_due());
    let busy = [one, two].map(|next| next.unwrap() == Next::AtOnce);
    assert_ne!(busy[0], busy[1], "one replica verifies all of them");
    for person in &people {
        let profile = profile(person).await;
        assert_eq!(profile.last_auto_reverify, Some(NOW + DAY));
    }
}

/// A replica that dies during a look-up has changed nothing, and another one takes over seconds later.
async fn the_users_of_a_replica_that_died_are_taken_over(database: TestDatabase) {
    let (scene, proxy) = behind_a_proxy(Node::shared().await, database).await;
    let (node, rooms) = (scene.node, &scene.rooms);
    let hal = a_day_later(&scene).await;
    let other = rooms.another(rooms.clock.now()).await;
    // The look-up is never answered.
    let (asked, hears) = oneshot::channel();
    let dies = async move {
        let _ = asked.send(());
        pending::<()>().await;
    };
    proxy.interrupt("gettxout", move || dies.boxed());
    tokio::select! {
        taken = rooms.proving.reverify_due() => panic!("nobody answers: {taken:?}"),
        asked = hears => asked.expect("the look-up begins"),
    }
    assert!(!reverify(node, &other).await, "they are taken");
    assert_eq!(status(&hal).await, "verified");
    other.clock.advance(SECONDS);
    assert!(reverify(node, &other).await);
    assert_eq!(status(&hal).await, "reverified");
}

/// A replica keeps its users as long as it lives, however slow the chain is.
async fn the_users_of_a_slow_replica_are_not_taken_over(database: TestDatabase) {
    // A block in between is another test's subject.
    let node = &Node::start().await;
    let (scene, proxy) = behind_a_proxy(node, database).await;
    let rooms = &scene.rooms;
    let hal = a_day_later(&scene).await;
    let other = rooms.another(rooms.clock.now()).await;
    let states = Arc::new(JobStates::new(rooms.clock.clone()));
    let heartbeat = jobs::heartbeat(&rooms.store, &rooms.clock);
    let beating = tokio::spawn(jobs::run_one(heartbeat, &states));
    let (asked, hears) = oneshot::channel();
    let (answers, waits) = oneshot::channel::<()>();
    let is_slow = async move {
        let _ = asked.send(());
        let _ = waits.await;
    };
    proxy.interrupt("gettxout", move || is_slow.boxed());
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
    assert_eq!(status(&hal).await, "reverified");
    // What is done stays done.
    assert_eq!(due(&hal).await, rooms.clock.now() + DAY);
}

/// When a user is next verified.
async fn due(person: &Member<'_>) -> i64 {
    let due = format!(
        "select reverify_at from profiles where id = '{}'",
        person.id
    );
    number(person.rooms.store.database(), due).await
}

/// If the replica that was taken over from was only slow, its result comes too late.
async fn who_was_taken_over_changes_nothing(database: TestDatabase) {
    let scene = Scene::shared(database).await;
    let (node, rooms) = (scene.node, &scene.rooms);
    let hal = a_day_later(&scene).await;
    let now = rooms.clock.now();
    let late = rooms.store.due_reverifications(now, 9).await.unwrap();
    assert_eq!(late, std::slice::from_ref(&hal.id));
    assert!(reverify(node, rooms).await);
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
    assert!(!reverify(node, rooms).await, "what is done stays done");
}

#[tokio::test]
async fn many_coins_are_looked_up_in_portions() {
    let scene = Scene::shared(TestDatabase::sqlite().await).await;
    let proving = &scene.rooms.proving;
    let first = premium(&scene.rooms).await;
    // More coins than one request looks up.
    for _ in 0..6 {
        let coins = [(AddressType::Bech32, COIN / 100); 100];
        let coins = scene.wallet.fund_all(&coins).await;
        counts(&scene.prove(&first, &coins).await);
    }
    scene.rooms.clock.advance(DAY);
    {
        let _still = scene.node.still().await;
        assert_eq!(proving.reverify_due().await.unwrap(), Next::AtOnce);
    }
    let waits = proving.reverify_due().await.unwrap();
    assert_matches!(waits, Next::After(wait) if *wait > Duration::ZERO);
    assert_eq!(status(&first).await, "reverified");
    scene.follow().await;
    let (_, active, _) = standing(&first).await;
    assert!(active);
}
