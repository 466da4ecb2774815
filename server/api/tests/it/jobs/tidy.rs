//! What is over leaves the database by itself.

use chain::clock::DAY;
use store::flows::Flow;
use store::sessions::AuthCode;
use store::{Database, Store};
use tokio::sync::watch;

use crate::support::app::{NOW, TestApp, session_id};
use crate::support::database::{TestDatabase, on_both};
use crate::support::until;

on_both!(
    a_session_whose_time_is_over_leaves_though_nobody_comes,
    a_sign_in_that_nobody_ends_leaves_though_nobody_comes,
);

async fn a_session_whose_time_is_over_leaves_though_nobody_comes(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let old = session_id(&app.sign_in().await.token);
    app.state.clock.advance(DAY);
    let young = session_id(&app.sign_in().await.token);
    app.state.clock.advance(89 * DAY);
    let (stop, stopping) = watch::channel(false);
    let running = tokio::spawn({
        let app = app.state.clone();
        async move { app.work(stopping).await }
    });
    let kept = async |id: &str| {
        let session = app.state.store.session(id).await;
        session.expect("a database").is_some()
    };
    until("forgetting", async || (!kept(&old).await).then_some(())).await;
    assert!(kept(&young).await, "a day is left");
    stop.send_replace(true);
    running.await.expect("it stops when it is told to");
}

/// Somebody who goes to a provider and never comes back, and somebody whose page never exchanges its code.
async fn a_sign_in_that_nobody_ends_leaves_though_nobody_comes(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let store = &app.state.store;
    let person = app.sign_in().await.id;
    begin(store, &person, "left", NOW + 600).await;
    begin(store, &person, "kept", NOW + 601).await;
    app.state.clock.advance(600);
    let (stop, stopping) = watch::channel(false);
    let running = tokio::spawn({
        let app = app.state.clone();
        async move { app.work(stopping).await }
    });
    until("forgetting", async || {
        (under_way(store).await == ["kept", "kept"]).then_some(())
    })
    .await;
    stop.send_replace(true);
    running.await.expect("it stops when it is told to");
}

/// Begins both, each under this name.
async fn begin(store: &Store, person: &str, name: &str, expires_at: i64) {
    let code = AuthCode {
        code_hash: name.to_owned(),
        user_id: person.to_owned(),
        code_challenge: "challenge".to_owned(),
        cookie: true,
        expires_at,
    };
    store.add_auth_code(&code, NOW).await.expect("a database");
    let flow = Flow {
        state_hash: name.to_owned(),
        provider: "twitter".to_owned(),
        browser_hash: "browser".to_owned(),
        pkce_verifier: "verifier".to_owned(),
        code_challenge: "challenge".to_owned(),
        redirect_to: "http://localhost/auth/callback".to_owned(),
        cookie: true,
        expires_at,
    };
    store.add_flow(&flow, NOW).await.expect("a database");
}

/// The names of those that are in the database.
async fn under_way(store: &Store) -> Vec<String> {
    const NAMES: &str = "select state_hash as name from sign_in_flows
        union all select code_hash as name from auth_codes order by name";
    match store.database() {
        Database::Sqlite(pool) => sqlx::query_scalar(NAMES).fetch_all(pool).await,
        Database::Postgres(pool) => sqlx::query_scalar(NAMES).fetch_all(pool).await,
    }
    .expect("a database")
}
