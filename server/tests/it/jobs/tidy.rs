//! What is over leaves the database by itself.

use server::base::clock::DAY;
use tokio::sync::watch;

use crate::support::app::{TestApp, session_id};
use crate::support::database::{TestDatabase, on_both};
use crate::support::until;

on_both!(a_session_whose_time_is_over_leaves_though_nobody_comes);

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
