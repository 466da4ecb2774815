//! Expired rows leave the database by themselves.

use store::flows::Flow;

use super::*;

on_both!(what_is_over_leaves_though_nobody_comes);

/// Expired sessions, users who went to a provider and never came back, and codes that were never exchanged.
async fn what_is_over_leaves_though_nobody_comes(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let store = &app.state.store;
    let old = session_id(&app.sign_in().await.token);
    app.state.clock.advance(DAY);
    let person = app.sign_in().await;
    let young = session_id(&person.token);
    app.state.clock.advance(89 * DAY);
    let now = app.state.clock.now();
    begin(store, &person.id, "left", now).await;
    begin(store, &person.id, "kept", now + 1).await;
    let running = tokio::spawn({
        let app = app.state.clone();
        async move { app.work().await }
    });
    let under_way = "select state_hash as name from sign_in_flows
        union all select code_hash as name from auth_codes
        union all select id as name from sessions order by name";
    let mut kept = vec!["kept".to_owned(), "kept".to_owned(), young];
    kept.sort_unstable();
    until("forgetting", async || {
        let under_way = texts(store.database(), under_way).await;
        assert!(
            under_way.contains(&kept[0]) && under_way.contains(&kept[2]),
            "{under_way:?}"
        );
        (under_way == kept && !under_way.contains(&old)).then_some(())
    })
    .await;
    app.state.stopping.cancel();
    running.await.expect("it stops on request");
}

/// Begins both, each with this name.
async fn begin(store: &Store, person: &str, name: &str, expires_at: i64) {
    let code = AuthCode {
        code_hash: name.to_owned(),
        user_id: person.to_owned(),
        code_challenge: "challenge".to_owned(),
        cookie: true,
        expires_at,
    };
    store.add_auth_code(&code, NOW).await.unwrap();
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
    store.add_flow(&flow, NOW).await.unwrap();
}
