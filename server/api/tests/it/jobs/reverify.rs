//! The daily re-verification of premium users (decisions, D14).

use api::config::ProofBinding;
use api::jobs::{self, JobStates};
use api::proof::Proving;
use store::reverify::Reverified;
use store::values::Btc;
use tokio::sync::oneshot;

use super::*;
use crate::chain_follower::{COIN, Fixture, SATS, counting, counts, ended, standing};
use crate::support::database::leases_age;

/// How long the lease of a dead replica lasts.
const SECONDS: i64 = 10;

on_both!(
    one_replica_does_the_work_and_nobody_does_it_twice,
    the_users_of_a_replica_that_died_are_taken_over,
    the_users_of_a_slow_replica_are_not_taken_over,
    a_late_result_after_a_takeover_changes_nothing,
);

/// Verifies all users who are due, while no block is mined; returns whether there were any.
pub(crate) async fn reverify(fixture: &Fixture<'_>) -> bool {
    reverify_at(fixture, &fixture.rooms.proving).await
}

/// The same on another replica, or with other settings.
async fn reverify_at(fixture: &Fixture<'_>, proving: &Proving) -> bool {
    let _still = fixture.node.still().await;
    let mut any = false;
    while proving.reverify_due().await.unwrap() == Next::AtOnce {
        any = true;
    }
    any
}

async fn profile(person: &Member<'_>) -> Profile {
    let profile = person.rooms.store.profile(&person.id).await;
    profile.unwrap().unwrap()
}

/// A premium user.
async fn premium<'s>(fixture: &'s Fixture<'_>) -> Member<'s> {
    let person = fixture.rooms.sign_in().await;
    set_tier(&fixture.rooms.store, &person.id, "premium").await;
    person
}

/// The same a day after a proof.
async fn a_day_later<'s>(fixture: &'s Fixture<'_>) -> Member<'s> {
    let person = premium(fixture).await;
    fixture.proven(&person).await;
    fixture.rooms.clock.advance(DAY);
    person
}

/// Two coins in one proof; this many are spent before the next day, when it is verified again.
async fn after_spending<'s>(fixture: &'s Fixture<'_>, spent: usize) -> Member<'s> {
    let person = premium(fixture).await;
    let coins = [fixture.coin().await, fixture.coin().await];
    counts(&fixture.prove(&person, &coins).await);
    fixture.spend(&coins[..spent]).await;
    fixture.rooms.clock.advance(DAY);
    assert!(reverify(fixture).await);
    person
}

/// Asserts the newest proof's status, and its end in seconds after the beginning.
async fn until_then(person: &Member<'_>, status: &str, ends: i64) {
    let proof = person.newest_proof().await;
    assert_eq!((&*proof.status, proof.expires_at.0), (status, ends));
}

#[tokio::test]
async fn a_premium_proof_does_not_expire_while_its_coins_stay() {
    let fixture = Fixture::shared(TestDatabase::sqlite().await).await;
    let rooms = &fixture.rooms;
    let hal = premium(&fixture).await;
    fixture.proven(&hal).await;
    assert!(!reverify(&fixture).await, "not on the day of the proof");
    for days in [1, 45, 45] {
        rooms.clock.advance(days * DAY);
        assert!(reverify(&fixture).await);
        assert!(!reverify(&fixture).await, "once a day");
        let now = rooms.clock.now();
        until_then(&hal, "reverified", now + VALIDITY).await;
        assert_eq!(hal.newest_proof().await.created_at.0, NOW);
        let profile = profile(&hal).await;
        let verified = (profile.last_auto_reverify, profile.last_verified);
        assert_eq!(verified, (Some(now), Some(now)));
    }
    rooms.proving.expire().await.unwrap();
    assert_eq!(standing(&hal).await, counting());
}

#[tokio::test]
async fn what_is_spent_lowers_the_amount_or_ends_the_proof_and_the_free_tier_is_left_alone() {
    let fixture = Fixture::shared(TestDatabase::sqlite().await).await;
    let free = fixture.rooms.sign_in().await;
    set_tier(&fixture.rooms.store, &free.id, "free").await;
    fixture.proven(&free).await;
    let hal = after_spending(&fixture, 1).await;
    let partly = async |days| {
        until_then(&hal, "partial-reverify", NOW + days * DAY + VALIDITY).await;
        assert_eq!(hal.newest_proof().await.amount_sats, Btc(SATS));
        assert_eq!(standing(&hal).await, counting());
    };
    partly(1).await;

    let eve = after_spending(&fixture, 2).await;
    assert_eq!(standing(&eve).await, ended("spent"));
    assert_eq!(eve.newest_proof().await.expires_at.0, NOW + DAY + VALIDITY);
    // Ended claims stay ended the day after.
    partly(2).await;
    until_then(&free, "verified", NOW + VALIDITY).await;
}

/// A board that started with `PROOF_BINDING=optional` and now requires binding.
#[tokio::test]
async fn where_files_must_be_bound_unbound_claims_end_at_their_time() {
    let fixture = Fixture::shared(TestDatabase::sqlite().await).await;
    let rooms = &fixture.rooms;
    let (hal, eve) = (premium(&fixture).await, premium(&fixture).await);
    for person in [&hal, &eve] {
        fixture.proven(person).await;
    }
    let hers = &eve.id;
    let bind = format!("update claims set bound = true where user_id = '{hers}'");
    execute(&rooms.store, bind).await;
    let required = rooms.proving_with(ProofBinding::Required).await;
    rooms.clock.advance(DAY);
    assert!(reverify_at(&fixture, &required).await);
    for (person, verified) in [(&hal, NOW), (&eve, NOW + DAY)] {
        let proof = person.newest_proof().await;
        assert_eq!(proof.expires_at.0, verified + VALIDITY);
        assert_eq!(profile(person).await.last_verified, Some(verified));
        assert_eq!(standing(person).await, counting());
    }

    rooms.clock.advance(89 * DAY);
    required.expire().await.unwrap();
    assert_eq!(standing(&hal).await, ended("expired"));
    assert_eq!(standing(&eve).await, counting());
    // With optional binding they are renewed.
    let again = a_day_later(&fixture).await;
    assert!(reverify(&fixture).await);
    let now = rooms.clock.now();
    until_then(&again, "reverified", now + VALIDITY).await;
}

#[tokio::test]
async fn a_source_that_is_down_ends_no_claim() {
    let database = TestDatabase::sqlite().await;
    let (fixture, proxy) = Fixture::behind(Node::shared().await, database).await;
    let hal = a_day_later(&fixture).await;
    proxy.set_down(true);
    let answer = fixture.rooms.proving.reverify_due().await;
    answer.expect_err("nobody answers");
    proxy.set_down(false);
    assert!(!reverify(&fixture).await, "not again at once");
    until_then(&hal, "verified", NOW + VALIDITY).await;
    assert_eq!(standing(&hal).await, counting());
    fixture.rooms.clock.advance(5 * 60);
    assert!(reverify(&fixture).await);
    let now = fixture.rooms.clock.now();
    until_then(&hal, "reverified", now + VALIDITY).await;
}

async fn one_replica_does_the_work_and_nobody_does_it_twice(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let rooms = &fixture.rooms;
    let mut people = Vec::new();
    for _ in 0..3 {
        people.push(premium(&fixture).await);
        fixture.proven(people.last().unwrap()).await;
    }
    let other = rooms.another(NOW + DAY).await;
    rooms.clock.advance(DAY);
    let _still = fixture.node.still().await;
    let (one, two) = tokio::join!(rooms.proving.reverify_due(), other.proving.reverify_due());
    let busy = [one, two].map(|next| next.unwrap() == Next::AtOnce);
    assert_ne!(busy[0], busy[1], "one replica verifies all of them");
    for person in &people {
        let profile = profile(person).await;
        assert_eq!(profile.last_auto_reverify, Some(NOW + DAY));
    }
}

/// Blocks a look-up: the receiver is notified when it begins, and the sender lets it continue.
fn held_up(proxy: &Proxy) -> (oneshot::Receiver<()>, oneshot::Sender<()>) {
    let (asked, hears) = oneshot::channel();
    let (answers, waits) = oneshot::channel();
    let is_slow = async move {
        let _ = asked.send(());
        let _ = waits.await;
    };
    proxy.interrupt("gettxout", move || is_slow.boxed());
    (hears, answers)
}

/// A replica that dies during a look-up has changed nothing, and another one takes over seconds later.
async fn the_users_of_a_replica_that_died_are_taken_over(database: TestDatabase) {
    let (fixture, proxy) = Fixture::behind(Node::shared().await, database).await;
    let rooms = &fixture.rooms;
    let hal = a_day_later(&fixture).await;
    let other = rooms.another(rooms.clock.now()).await;
    // The chain never answers this look-up.
    let (hears, _answers) = held_up(&proxy);
    tokio::select! {
        taken = rooms.proving.reverify_due() => panic!("nobody answers: {taken:?}"),
        asked = hears => asked.expect("the look-up begins"),
    }
    assert!(
        !reverify_at(&fixture, &other.proving).await,
        "they are taken"
    );
    until_then(&hal, "verified", NOW + VALIDITY).await;
    leases_age(&rooms.store, SECONDS).await;
    assert!(reverify_at(&fixture, &other.proving).await);
    until_then(&hal, "reverified", other.clock.now() + VALIDITY).await;
}

/// A replica keeps its users as long as it lives, however slow the chain is.
async fn the_users_of_a_slow_replica_are_not_taken_over(database: TestDatabase) {
    // A block in between is another test's subject.
    let node = &Node::start().await;
    let (fixture, proxy) = Fixture::behind(node, database).await;
    let rooms = &fixture.rooms;
    let hal = a_day_later(&fixture).await;
    let other = rooms.another(rooms.clock.now()).await;
    let states = Arc::new(JobStates::new(rooms.clock.clone()));
    let heartbeat = jobs::heartbeat(&rooms.store);
    let beating = tokio::spawn(jobs::run_one(heartbeat, states.clone()));
    let (hears, answers) = held_up(&proxy);
    let meanwhile = async {
        hears.await.expect("the look-up begins");
        for _ in 0..3 {
            // Shorter than the lease.
            leases_age(&rooms.store, 8).await;
            let until = "select expires_at from leases where name = 'reverify'";
            let aged = number(rooms.store.database(), until).await;
            let later = async || number(rooms.store.database(), until).await > aged;
            wait_until("saying so", later).await;
            assert!(
                !reverify_at(&fixture, &other.proving).await,
                "they are taken"
            );
        }
        answers.send(()).expect("it still waits");
    };
    let (done, ()) = tokio::join!(rooms.proving.reverify_due(), meanwhile);
    beating.abort();
    assert_eq!(done.unwrap(), Next::AtOnce);
    assert_eq!(hal.newest_proof().await.status, "reverified");
    // Users who were verified are not verified again.
    let due = format!("select reverify_at from profiles where id = '{}'", hal.id);
    let due = number(rooms.store.database(), due).await;
    assert_eq!(due, rooms.clock.now() + DAY);
}

/// If the replica that was taken over from was only slow, its result comes too late.
async fn a_late_result_after_a_takeover_changes_nothing(database: TestDatabase) {
    let fixture = Fixture::shared(database).await;
    let rooms = &fixture.rooms;
    let hal = a_day_later(&fixture).await;
    let now = rooms.clock.now();
    let late = rooms.store.due_reverifications(now, 9).await.unwrap();
    assert_eq!(late, std::slice::from_ref(&hal.id));
    assert!(reverify(&fixture).await);
    let result = Reverified {
        users: &late,
        network: "regtest",
        at: &rooms.store.cursor("regtest").await.unwrap().unwrap().block,
        changes: &ClaimChanges::default(),
        expires_at: now + 180 * DAY,
        again_at: now,
        only_bound: false,
    };
    let recorded = rooms.store.reverify(result, now).await.unwrap();
    assert_eq!(recorded, Some(0));
    until_then(&hal, "reverified", now + VALIDITY).await;
    let delayed = rooms.store.delay_reverifications(&late, now, 1);
    delayed.await.unwrap();
    assert!(!reverify(&fixture).await, "what is done stays done");
}

/// More coins than one request looks up.
#[tokio::test]
async fn many_coins_are_looked_up_in_portions() {
    let fixture = Fixture::shared(TestDatabase::sqlite().await).await;
    let hal = premium(&fixture).await;
    for _ in 0..6 {
        let coins = [(AddressType::Bech32, COIN / 100); 100];
        let coins = fixture.wallet.fund_all(&coins).await;
        counts(&fixture.prove(&hal, &coins).await);
    }
    fixture.rooms.clock.advance(DAY);
    assert!(reverify(&fixture).await);
    until_then(&hal, "reverified", NOW + DAY + VALIDITY).await;
    fixture.follow().await;
    let (_, active, _) = standing(&hal).await;
    assert!(active);
}
