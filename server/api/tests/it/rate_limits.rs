//! How many requests an address and an account may send, and whose address counts.

#![allow(
    clippy::unwrap_used,
    reason = "a behaviour says what it expects by panicking, as the tests do that clippy.toml spares"
)]

use api::limits::{
    AUTHORIZE as BEGIN, CHECKOUT, LimitError, ROTATION, RateLimits, SIGN_IN, SUBMIT,
};
use chain::clock::Clock;
use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use store::{Database, Store};

use crate::support::app::{NOW, TestApp, answer};
use crate::support::database::{TestDatabase, on_both};

on_both!(
    replicas_count_together,
    many_at_once_do_not_get_around_a_limit,
    an_account_is_limited_wherever_it_comes_from,
    senders_are_not_stored,
    whoever_is_over_a_limit_costs_the_database_nothing,
);

const AUTHORIZE: &str = "/api/auth/v1/authorize?provider=nobody";
const REFRESH: &str = "/api/auth/v1/token?grant_type=refresh_token";
const CLIENT_LOG: &str = "/api/functions/v1/client-log";

/// A server behind a proxy on the same machine.
async fn behind_a_proxy() -> TestApp {
    let arguments = ["--trusted-proxies=127.0.0.1"];
    TestApp::start(TestDatabase::sqlite().await, &arguments).await
}

fn from(request: RequestBuilder, address: &str) -> RequestBuilder {
    request.header("x-forwarded-for", address)
}

async fn authorize(app: &TestApp, address: &str) -> u16 {
    let request = from(app.request(Method::GET, AUTHORIZE), address);
    answer(request).await.status.as_u16()
}

/// Seconds to wait, and the body.
async fn wait(response: Response) -> (i64, Value) {
    let wait = response.headers()["retry-after"].to_str().expect("text");
    let wait = wait.parse().expect("seconds");
    (wait, response.json().await.expect("JSON"))
}

#[tokio::test]
async fn signing_in_is_begun_thirty_times_in_five_minutes() {
    let app = behind_a_proxy().await;
    for _ in 0..30 {
        assert_ne!(authorize(&app, "192.0.2.7").await, 429);
    }
    let request = from(app.request(Method::GET, AUTHORIZE), "192.0.2.7");
    let refused = request.send().await.unwrap();
    assert_eq!(refused.status(), 429);
    assert_eq!(
        refused.headers()["content-type"],
        "application/problem+json"
    );
    let (seconds, body) = wait(refused).await;
    assert!((1..=300).contains(&seconds));
    assert_eq!(
        body["code"], "too_many_requests",
        "in the words of the family"
    );
    assert_eq!(body["msg"], body["message"]);

    assert_ne!(authorize(&app, "192.0.2.8").await, 429, "somebody else");
    let exchange = app.request(Method::POST, "/api/auth/v1/token?grant_type=pkce");
    let exchange = from(exchange.json(&json!({})), "192.0.2.7");
    assert_ne!(answer(exchange).await.status, 429, "another kind");
    app.state.clock.advance(seconds);
    assert_ne!(authorize(&app, "192.0.2.7").await, 429, "another window");
}

#[tokio::test]
async fn a_made_up_address_changes_nothing() {
    let app = behind_a_proxy().await;
    for number in 0..30 {
        // The proxy adds the address that it sees behind whatever the client sent.
        let header = format!("198.51.100.{number}, 192.0.2.7");
        assert_ne!(authorize(&app, &header).await, 429);
    }
    assert_eq!(authorize(&app, "203.0.113.1, 192.0.2.7").await, 429);
    assert_eq!(authorize(&app, "127.0.0.1, 192.0.2.7").await, 429);
    // A customer has a whole /64.
    for number in 0..30 {
        let address = format!("2001:db8:1:2::{number:x}");
        assert_ne!(authorize(&app, &address).await, 429);
    }
    assert_eq!(authorize(&app, "2001:db8:1:2:ffff::1").await, 429);
    assert_ne!(authorize(&app, "2001:db8:1:3::1").await, 429);

    // Without a trusted proxy the header names nobody.
    let app = TestApp::development().await;
    for _ in 0..31 {
        assert_ne!(authorize(&app, "192.0.2.7").await, 429);
    }
}

#[tokio::test]
async fn refreshing_too_often_is_answered_so_that_nobody_is_signed_out() {
    let app = behind_a_proxy().await;
    let refresh = || {
        let request = app.request(Method::POST, REFRESH);
        from(request.json(&json!({"refresh_token": "none"})), "192.0.2.7")
    };
    for statuses in 0..3 {
        let answers = join_all((0..50).map(|_| answer(refresh()))).await;
        assert!(answers.iter().all(|it| it.status == 400), "{statuses}");
    }
    // The client library forgets the session on 429, and tries again on 503.
    let refused = refresh().send().await.unwrap();
    assert_eq!(refused.status(), 503);
    let (seconds, body) = wait(refused).await;
    assert!((1..=300).contains(&seconds));
    assert_eq!(body["code"], "busy");
}

#[tokio::test]
async fn reports_of_the_web_app_are_limited() {
    let app = behind_a_proxy().await;
    let entry = json!({"level": "warn", "message": "again"});
    let report = || {
        from(
            app.request(Method::POST, CLIENT_LOG).json(&entry),
            "192.0.2.7",
        )
    };
    for _ in 0..60 {
        assert_eq!(answer(report()).await.status, 204);
    }
    let refused = answer(report()).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.body["code"]),
        (429, &json!("too-many-requests"))
    );
}

#[tokio::test]
async fn the_whole_board_is_taken_thirty_times_in_five_minutes() {
    let app = behind_a_proxy().await;
    let take = |file: &str, address| {
        let path = format!("/api/functions/v1/{file}");
        from(app.request(Method::GET, &path), address)
    };
    for file in ["board.csv", "board.json"].iter().cycle().take(30) {
        assert_eq!(answer(take(file, "192.0.2.7")).await.status, 200);
    }
    for file in ["board.csv", "board.json"] {
        let refused = take(file, "192.0.2.7").send().await.unwrap();
        assert_eq!(refused.status(), 429);
        let (seconds, body) = wait(refused).await;
        assert!((1..=300).contains(&seconds));
        assert_eq!(body["code"], "too-many-requests");
    }
    let other = answer(take("board.csv", "192.0.2.8")).await;
    assert_eq!(other.status, 200, "somebody else");
}

#[tokio::test]
async fn sixty_files_an_hour_are_let_in() {
    let app = TestApp::development().await;
    let (person, other) = (app.sign_in().await, app.sign_in().await);
    let file = person.sample("self-transfer.psbt").await;
    for _ in 0..12 {
        for answer in join_all((0..5).map(|_| person.submit(&file))).await {
            assert_eq!(answer.status, 200, "{answer:?}");
        }
    }
    let body = json!({"psbtBase64": "", "file_name": "a.psbt"});
    let request = person.request(Method::POST, "/api/functions/v1/submit-proof");
    let refused = request.json(&body).send().await.unwrap();
    assert_eq!(refused.status(), 429);
    let (seconds, body) = wait(refused).await;
    assert!((1..=3_600).contains(&seconds));
    assert_eq!(
        (&body["status"], &body["code"]),
        (&json!("error"), &json!("too-many-requests"))
    );
    assert!(body["message"].is_string());
    // Somebody else is let in; only the file is not for them.
    assert_eq!(other.submit(&file).await.status, 422);
}

/// A room of its own, and the clock that it looks at.
async fn room(store: &Store) -> (RateLimits, Clock) {
    let clock = Clock::manual(NOW);
    let limits = RateLimits::load(store.clone(), clock.clone()).await;
    (limits.unwrap(), clock)
}

async fn replicas_count_together(database: TestDatabase) {
    let (here, _) = room(&database.store().await).await;
    let (there, _) = room(&database.store().await).await;
    let admit = async |limits: &RateLimits| limits.admit(CHECKOUT, b"hal").await.is_ok();
    for _ in 0..10 {
        assert!(admit(&here).await && admit(&there).await);
    }
    assert!(!admit(&here).await && !admit(&there).await);
}

async fn many_at_once_do_not_get_around_a_limit(database: TestDatabase) {
    let store = database.store().await;
    let (limits, clock) = room(&store).await;
    let all = join_all((0..100).map(|_| limits.admit(SUBMIT, b"hal"))).await;
    assert_eq!(all.iter().filter(|admitted| admitted.is_ok()).count(), 60);
    let refused = all.into_iter().find_map(Result::err);
    let left = 3_600 - NOW % 3_600;
    assert!(
        matches!(refused, Some(LimitError::TooMany { retry_after }) if retry_after == left),
        "{refused:?}"
    );
    clock.advance(left - 1);
    assert!(limits.admit(SUBMIT, b"hal").await.is_err());
    clock.advance(1);
    limits.admit(SUBMIT, b"hal").await.unwrap();
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
    let names = async || -> Vec<String> {
        let query = "select keyed_hash from rate_limits";
        match store.database() {
            Database::Sqlite(pool) => sqlx::query_scalar(query).fetch_all(pool).await.unwrap(),
            Database::Postgres(pool) => sqlx::query_scalar(query).fetch_all(pool).await.unwrap(),
        }
    };
    limits.admit(SUBMIT, b"192.0.2.7").await.unwrap();
    limits.admit(CHECKOUT, b"192.0.2.7").await.unwrap();
    let before = names().await;
    assert_eq!(before.len(), 2, "each kind has its own");
    assert!(before.iter().all(|name| name.len() == 64));
    clock.advance(3_600);
    limits.admit(SUBMIT, b"eve").await.unwrap();
    let after = names().await;
    assert!(after.len() == 1 && !before.contains(&after[0]));
}

async fn whoever_is_over_a_limit_costs_the_database_nothing(database: TestDatabase) {
    let store = database.store().await;
    let (limits, clock) = room(&store).await;
    for _ in 0..20 {
        limits.admit(CHECKOUT, b"hal").await.unwrap();
    }
    // Whatever needs the database fails from now on.
    store.close().await;
    let refused = limits.admit(CHECKOUT, b"hal").await;
    assert!(
        matches!(refused, Err(LimitError::TooMany { .. })),
        "{refused:?}"
    );
    let uncounted = limits.admit(CHECKOUT, b"eve").await;
    assert!(
        matches!(uncounted, Err(LimitError::Database(_))),
        "{uncounted:?}"
    );
    // What anybody can send is counted without it.
    for _ in 0..30 {
        limits.admit(BEGIN, b"hal").await.unwrap();
    }
    assert!(limits.admit(BEGIN, b"hal").await.is_err());
    clock.advance(300);
    limits.admit(BEGIN, b"hal").await.unwrap();
}

#[tokio::test]
async fn a_replica_that_has_let_nobody_in_refuses_without_writing() {
    let database = TestDatabase::sqlite().await;
    let (here, _) = room(&database.store().await).await;
    let store = database.store().await;
    let (there, _) = room(&store).await;
    for _ in 0..20 {
        here.admit(CHECKOUT, b"hal").await.unwrap();
    }
    let Database::Sqlite(pool) = store.database() else {
        panic!("it is SQLite");
    };
    // Nobody else can write while this goes on.
    let mut writing = pool.acquire().await.unwrap();
    sqlx::query("begin immediate")
        .execute(&mut *writing)
        .await
        .unwrap();
    let refused = there.admit(CHECKOUT, b"hal").await;
    assert!(
        matches!(refused, Err(LimitError::TooMany { .. })),
        "{refused:?}"
    );
    sqlx::query("rollback")
        .execute(&mut *writing)
        .await
        .unwrap();
}
