//! Background jobs: ending proofs on time, verifying premium users again, and deleting what has expired. One that fails or panics is retried.

use api::jobs::{self, Job};
use development::samples;
use store::values::Time;

use crate::support::database::leases_age;
use crate::support::prelude::*;

pub(crate) mod reverify;

on_both!(
    proofs_expire_without_any_request,
    a_lease_outlives_its_holder_by_seconds_whatever_the_clock
);

const SOON: Next = Next::After(Duration::from_millis(10));

/// Runs a statement that the store has no method for.
pub(crate) async fn execute(store: &Store, sql: impl Into<String>) {
    run(store.database(), sql).await.unwrap();
}

/// Sets a user's tier, as an event of Stripe does.
pub(crate) async fn set_tier(store: &Store, user: &str, tier: &str) {
    let tier = format!("update profiles set tier = '{tier}' where id = '{user}'");
    execute(store, tier).await;
}

/// The database's clock was set back, or its standby's is behind.
async fn a_lease_outlives_its_holder_by_seconds_whatever_the_clock(database: TestDatabase) {
    let (dead, other) = (database.store().await, database.store().await);
    assert!(dead.take_lease("log").await.unwrap());
    assert!(!other.take_lease("log").await.unwrap());
    leases_age(&dead, -120).await;
    assert!(other.take_lease("log").await.unwrap());
    assert!(!dead.take_lease("log").await.unwrap());
}

/// Proofs end on any replica, even when nobody reads the board.
#[tokio::test]
async fn a_proof_ends_at_its_moment() {
    let rooms = Rooms::open(TestDatabase::sqlite().await, "development", None).await;
    let person = rooms.sign_in().await;
    let chain = rooms.embedded.as_ref().expect("the embedded chain");
    let mut samples = samples(chain, &person.id, None).into_iter();
    let file = samples.find(|it| it.file_name == "self-transfer.psbt");
    crate::chain_follower::counts(&person.submit(&file.expect("a sample").psbt).await);
    let ends = NOW + VALIDITY;
    for (now, wait) in [(NOW, 60), (ends - 7, 7)] {
        rooms.clock.advance(now - rooms.clock.now());
        let next = rooms.proving.expire().await.unwrap();
        assert_eq!(next, Next::After(Duration::from_secs(wait)));
        assert_ne!(person.holdings().await, None);
    }

    // Another replica is running at that moment, and no client reads from it.
    let other = rooms.another(ends).await;
    let seen = other.live.sequence();
    let mut changes = other.live.changes(seen, None).unwrap();
    other.proving.expire().await.unwrap();
    assert_eq!(person.holdings().await, None);
    let proof = person.newest_proof().await;
    assert_eq!(proof.ended_at, Some(Time(ends)));
    assert_eq!(proof.ended_reason.as_deref(), Some("expired"));
    assert!(changes.next().await.is_some(), "open pages are notified");
}

/// Other jobs continue, and operators can see the failure.
#[tokio::test]
async fn a_job_that_panics_is_started_again_while_others_go_on() {
    let app = TestApp::development().await;
    let panics_once = Arc::new(AtomicUsize::new(0));
    let steady = Arc::new(AtomicUsize::new(0));
    let jobs = vec![
        Job::new("clumsy", &panics_once, |steps| {
            async {
                assert!(steps.fetch_add(1, Ordering::Relaxed) > 0, "a slip");
                Ok::<_, String>(SOON)
            }
            .boxed()
        }),
        Job::new("stuck", &(), |()| async { Err("no way") }.boxed()),
        Job::new("steady", &steady, |steps| {
            async {
                steps.fetch_add(1, Ordering::Relaxed);
                Ok::<_, String>(SOON)
            }
            .boxed()
        }),
    ];
    let (states, stopping) = (app.state.health.jobs.clone(), app.state.stopping.clone());
    let running = tokio::spawn(async move { jobs::run(jobs, states, &stopping).await });
    let seen = async || app.get("/readyz").await.body["jobs"].take();
    let clumsy_is = async |state: &Value| {
        wait_until("the clumsy job", async || seen().await["clumsy"] == *state).await;
    };
    let failing = json!({"failing_since": "2026-09-21T14:13:20Z", "restarts": 0});
    clumsy_is(&failing).await;
    let before = steady.load(Ordering::Relaxed);
    clumsy_is(&json!({"restarts": 1})).await;
    assert!(steady.load(Ordering::Relaxed) > before, "others go on");
    let jobs = seen().await;
    assert_eq!(jobs["stuck"], failing);
    assert_eq!(jobs["steady"], json!({"restarts": 0}));
    // The failure is reported, and the replica stays in service.
    assert_eq!(app.get("/readyz").await.status, 200);
    app.state.stopping.cancel();
    running.await.expect("it stops on request");
}

/// Expired sessions, users who went to a provider and never came back, and codes that were never exchanged.
async fn proofs_expire_without_any_request(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let store = &app.state.store;
    app.sign_in().await;
    app.state.clock.advance(DAY);
    let person = app.sign_in().await;
    app.state.clock.advance(89 * DAY);
    let now = app.state.clock.now();
    let (id, later) = (&person.id, now + 1);
    let begun = format!(
        "insert into auth_codes (code_hash, user_id, code_challenge, cookie, expires_at)
           values ('left', '{id}', 'c', true, {now}), ('kept', '{id}', 'c', true, {later});
         insert into sign_in_flows (state_hash, provider, browser_hash, pkce_verifier, code_challenge, redirect_to, cookie, expires_at)
           values ('left', 'twitter', 'b', 'v', 'c', 'r', true, {now}), ('kept', 'twitter', 'b', 'v', 'c', 'r', true, {later})"
    );
    execute(store, begun).await;
    let working = app.state.clone();
    let running = tokio::spawn(async move { working.work().await });
    let under_way = "select state_hash as name from sign_in_flows
        union all select code_hash as name from auth_codes
        union all select id as name from sessions order by name";
    let mut kept = vec!["kept".to_owned(); 2];
    kept.push(session_id(&person.token));
    kept.sort_unstable();
    wait_until("forgetting", async || {
        let under_way = texts(store.database(), under_way).await;
        let is_there = kept.iter().all(|it| under_way.contains(it));
        assert!(is_there, "{under_way:?}");
        under_way == kept
    })
    .await;
    app.state.stopping.cancel();
    running.await.expect("it stops on request");
}
