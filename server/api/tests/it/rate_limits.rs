//! Limits for networks and accounts, and whose address counts. `routes.rs` tests which route has which limit.

use api::limits::SUBMIT as FILES;
use api::limits::{AUTHORIZE as BEGIN, CHECKOUT, LimitError, ROTATION, RateLimits, SIGN_IN};

use crate::support::prelude::*;

on_both!(
    replicas_count_together,
    concurrent_requests_do_not_exceed_a_limit,
    an_account_is_limited_wherever_it_comes_from,
    senders_are_not_stored,
    requests_over_a_limit_cost_no_database_write,
);

const AUTHORIZE: &str = "/api/auth/v1/authorize?provider=nobody";
const REFRESH: &str = "/api/auth/v1/token?grant_type=refresh_token";

/// The seconds to wait.
fn wait(answer: &Answer) -> i64 {
    answer.header("retry-after").parse().expect("seconds")
}

#[tokio::test]
async fn too_many_requests_get_429_with_retry_after() {
    let app = TestApp::behind_a_proxy().await;
    let status = async |address| app.get_from(address, AUTHORIZE).await.status.as_u16();
    for _ in 0..30 {
        assert_ne!(status("192.0.2.7").await, 429);
    }
    let refused = app.get_from("192.0.2.7", AUTHORIZE).await;
    assert_eq!(refused.header("content-type"), "application/problem+json");
    // In the format of the route group.
    assert_eq!(refused.problem(), (429, "too_many_requests"));
    assert_eq!(refused.body["msg"], refused.body["message"]);
    let seconds = wait(&refused);
    assert!((1..=300).contains(&seconds));

    assert_ne!(status("192.0.2.8").await, 429, "another network");
    // Other groups have other limits and formats.
    let take = async |file: &str| {
        let path = format!("/api/functions/v1/{file}");
        app.get_from("192.0.2.7", &path).await
    };
    for _ in 0..30 {
        assert_eq!(take("board.csv").await.status, 200);
    }
    let board = take("board.csv").await;
    assert_eq!(board.problem(), (429, "too-many-requests"));
    assert!((1..=300).contains(&wait(&board)));
    app.state.clock.advance(seconds);
    assert_ne!(status("192.0.2.7").await, 429, "another window");
}

#[tokio::test]
async fn an_unknown_address_changes_nothing() {
    let app = TestApp::behind_a_proxy().await;
    let status = async |address: &str| app.get_from(address, AUTHORIZE).await.status.as_u16();
    for number in 0..30 {
        // The proxy appends the address that it sees to whatever the client sent.
        let made_up = format!("198.51.100.{number}, 192.0.2.7");
        assert_ne!(status(&made_up).await, 429);
        // A customer has a whole /64.
        assert_ne!(status(&format!("2001:db8:1:2::{number:x}")).await, 429);
    }
    let same = "203.0.113.1, 192.0.2.7 | 127.0.0.1, 192.0.2.7 | 2001:db8:1:2:ffff::1";
    for same in same.split(" | ") {
        assert_eq!(status(same).await, 429, "{same}");
    }
    assert_ne!(status("2001:db8:1:3::1").await, 429);

    // Without a trusted proxy the header is ignored.
    let app = TestApp::development().await;
    for _ in 0..31 {
        assert_ne!(app.get_from("192.0.2.7", AUTHORIZE).await.status, 429);
    }
}

#[tokio::test]
async fn refreshing_too_often_is_503_and_signs_nobody_out() {
    let app = TestApp::behind_a_proxy().await;
    let refresh = async || {
        let request = app.request(Method::POST, REFRESH);
        let request = request.header("x-forwarded-for", "192.0.2.7");
        answer(request.json(&json!({"refresh_token": "none"}))).await
    };
    for _ in 0..3 {
        let answers = join_all((0..50).map(|_| refresh())).await;
        assert!(answers.iter().all(|it| it.status == 400), "{answers:?}");
    }
    // The client library forgets the session on 429, and retries on 503.
    let refused = refresh().await;
    assert_eq!(refused.problem(), (503, "busy"));
    assert!((1..=300).contains(&wait(&refused)));
}

#[tokio::test]
async fn sixty_files_an_hour_are_let_in() {
    let app = TestApp::development().await;
    let (person, other) = (app.sign_in().await, app.sign_in().await);
    let file = person.sample("self-transfer.psbt").await;
    for _ in 0..12 {
        for answer in join_all((0..5).map(|_| person.submit(&file))).await {
            answer.ok();
        }
    }
    let refused = person.submit(&file).await;
    assert_eq!(refused.problem(), (429, "too-many-requests"));
    assert!((1..=3_600).contains(&wait(&refused)));
    assert_eq!(refused.body["status"], "error");
    assert!(refused.body["message"].is_string());
    // Another user is admitted; only the file is not for them.
    assert_eq!(other.submit(&file).await.status, 422);
}

/// Rate limits without a server, and their clock.
async fn room(store: &Store) -> (RateLimits, Clock) {
    let clock = Clock::manual(NOW);
    let limits = RateLimits::load(store.clone(), clock.clone()).await;
    (limits.unwrap(), clock)
}

async fn replicas_count_together(database: TestDatabase) {
    let (here, _) = room(&database.store().await).await;
    let store = database.store().await;
    let (there, _) = room(&store).await;
    let admit = async |limits: &RateLimits| limits.admit(CHECKOUT, b"hal").await;
    for _ in 0..10 {
        admit(&here).await.unwrap();
        admit(&there).await.unwrap();
    }
    assert!(admit(&here).await.is_err() && admit(&there).await.is_err());
    // A fresh instance refuses without a write: another connection locks the database meanwhile.
    let (fresh, _) = room(&store).await;
    if let Database::Sqlite(pool) = store.database() {
        let _writing = pool.begin_with("begin immediate").await.unwrap();
        assert_matches!(admit(&fresh).await, Err(LimitError::TooMany { .. }));
    }
}

async fn concurrent_requests_do_not_exceed_a_limit(database: TestDatabase) {
    let (limits, clock) = room(&database.store().await).await;
    let all = join_all((0..100).map(|_| limits.admit(FILES, b"hal"))).await;
    assert_eq!(all.iter().filter(|admitted| admitted.is_ok()).count(), 60);
    let refused = all.into_iter().find_map(Result::err);
    let left = 3_600 - NOW % 3_600;
    assert_matches!(refused, Some(LimitError::TooMany { retry_after }) if *retry_after == left);
    clock.advance(left - 1);
    assert!(limits.admit(FILES, b"hal").await.is_err());
    clock.advance(1);
    limits.admit(FILES, b"hal").await.unwrap();
}

async fn an_account_is_limited_wherever_it_comes_from(database: TestDatabase) {
    let (limits, _) = room(&database.store().await).await;
    for (limit, most, busy) in [(SIGN_IN, 30, false), (ROTATION, 600, true)] {
        for _ in 0..most {
            limits.admit(limit, b"hal").await.unwrap();
        }
        let refused = limits.admit(limit, b"hal").await.unwrap_err();
        assert_eq!(matches!(refused, LimitError::Busy { .. }), busy);
        assert_eq!(matches!(refused, LimitError::TooMany { .. }), !busy);
        limits.admit(limit, b"eve").await.unwrap();
    }
}

async fn senders_are_not_stored(database: TestDatabase) {
    let store = database.store().await;
    let (limits, clock) = room(&store).await;
    let query = "select keyed_hash from rate_limits";
    limits.admit(FILES, b"192.0.2.7").await.unwrap();
    limits.admit(CHECKOUT, b"192.0.2.7").await.unwrap();
    let before = texts(store.database(), query).await;
    assert_eq!(before.len(), 2, "each kind has its own");
    assert!(before.iter().all(|name| name.len() == 64));
    clock.advance(3_600);
    limits.admit(FILES, b"eve").await.unwrap();
    let after = texts(store.database(), query).await;
    assert!(after.len() == 1 && !before.contains(&after[0]));
}

async fn requests_over_a_limit_cost_no_database_write(database: TestDatabase) {
    let store = database.store().await;
    let (limits, clock) = room(&store).await;
    for _ in 0..20 {
        limits.admit(CHECKOUT, b"hal").await.unwrap();
    }
    // From now on every query fails.
    store.close().await;
    let refused = limits.admit(CHECKOUT, b"hal").await;
    assert_matches!(refused, Err(LimitError::TooMany { .. }));
    let uncounted = limits.admit(CHECKOUT, b"eve").await;
    assert_matches!(uncounted, Err(LimitError::Database(_)));
    // Requests that need no account are counted without the database.
    for _ in 0..30 {
        limits.admit(BEGIN, b"hal").await.unwrap();
    }
    assert!(limits.admit(BEGIN, b"hal").await.is_err());
    clock.advance(300);
    limits.admit(BEGIN, b"hal").await.unwrap();
}
