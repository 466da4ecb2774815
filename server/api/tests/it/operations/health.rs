//! Alive and ready differ: one asks for a restart, the other for patience.

use super::*;
use crate::chain_follower::follow;

/// The response of `/readyz` when everything works, with the job that the board depends on.
fn well() -> Value {
    json!({"status": "ok", "jobs": {"board": {"restarts": 0}}})
}

async fn ready(app: &TestApp) -> (u16, Value) {
    let ready = app.get("/readyz").await;
    (ready.status.as_u16(), ready.body)
}

/// Status, and the codes of what is listed under this name.
async fn codes(app: &TestApp, name: &str) -> (u16, Vec<String>) {
    let (status, ready) = ready(app).await;
    let listed = ready[name].as_array().unwrap().iter();
    (status, listed.map(|it| text(&it["code"])).collect())
}

#[tokio::test]
async fn readyz_is_200_when_everything_works() {
    for database in [TestDatabase::sqlite().await, TestDatabase::postgres().await] {
        let mut expected = well();
        if !database.url.starts_with("sqlite:") {
            expected["jobs"]["replicas"] = json!({"restarts": 0});
        }
        let app = TestApp::start(database, &[]).await;
        assert_eq!(app.get("/healthz").await.body, json!({"status": "ok"}));
        assert_eq!(ready(&app).await, (200, expected));
    }
}

/// A board that is no longer updated looks healthy.
#[tokio::test]
async fn readyz_names_a_board_that_is_not_kept_and_stays_200() {
    let app = TestApp::development().await;
    let names = ["live_sequence", "gone"];
    for (from, to, running) in [(0, 1, false), (1, 0, true)] {
        let rename = format!("alter table {} rename to {}", names[from], names[to]);
        execute(&app.state.store, rename).await;
        wait_until("the state of the job", async || {
            let ready = app.get("/readyz").await.ok().body;
            ready["jobs"]["board"]["failing_since"].is_null() == running
        })
        .await;
    }
}

/// Operators must learn of coins that stay unknown for long, and of accounts that are set aside (decisions, D20).
#[tokio::test]
async fn readyz_names_unknown_coins_and_accounts_set_aside_and_stays_200() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let aside = "insert into accounts_set_aside (user_id, since) values";
    let aside = format!("{aside} ('{}', {NOW})", person.id);
    execute(&app.state.store, aside).await;
    let mut degraded = well();
    degraded["status"] = json!("degraded");
    degraded["accounts_set_aside"] = json!(1);
    assert_eq!(ready(&app).await, (200, degraded));
    app.state.proving.expire().await.unwrap();
    assert_eq!(ready(&app).await, (200, well()));

    person.proves("wallet_verification.psbt").await;
    let unknown = format!("update claims set unknown_since = {NOW}, ask_again_at = {NOW}");
    execute(&app.state.store, unknown).await;
    app.state.clock.advance(60 * 60 - 1);
    assert_eq!(ready(&app).await, (200, well()));
    app.state.clock.advance(1);
    let unknown = (200, vec!["coins-unknown".to_owned()]);
    assert_eq!(codes(&app, "troubles").await, unknown);
}

#[tokio::test]
async fn without_the_database_healthz_is_200_and_readyz_503() {
    let database = TestDatabase::postgres().await;
    let app = TestApp::start(database.again(), &[]).await;
    database.disappear().await;
    assert_eq!(app.get("/healthz").await.status, 200);
    let away = (503, vec!["database-unavailable".to_owned()]);
    assert_eq!(codes(&app, "reasons").await, away);
}

#[tokio::test]
async fn readyz_is_503_when_the_board_cannot_be_read() {
    let app = TestApp::development().await;
    execute(&app.state.store, "alter table profiles rename to gone").await;
    let unread = (503, vec!["board-not-read".to_owned()]);
    assert_eq!(codes(&app, "reasons").await, unread);
    assert_eq!(ready(&app).await.1["status"], "unavailable");
}

/// The replica that follows the chain may be frozen, so each one looks by itself.
#[tokio::test]
async fn readyz_names_a_follower_that_stands_still_within_a_minute_at_every_replica() {
    let node = Node::start().await;
    let app = TestApp::at_node(TestDatabase::postgres().await, node.url()).await;
    let (health, clock) = (&app.state.health, &app.state.clock);
    follow(&node, &app.state.proving.follower).await;
    health.watch_follower().await.unwrap();
    assert_eq!(ready(&app).await.1["status"], "ok");
    node.mine(1).await;
    // As long as the tip is cached.
    health.tip.invalidate_all();
    for (seconds, stands) in [(0, false), (29, false), (1, true)] {
        clock.advance(seconds);
        health.watch_follower().await.unwrap();
        let (status, ready) = ready(&app).await;
        let expected = if stands { "degraded" } else { "ok" };
        assert_eq!(
            (status, &ready["status"]),
            (200, &json!(expected)),
            "{ready}"
        );
        let code = &ready["troubles"][0]["code"];
        assert_eq!(*code == "follower-stands", stands, "{ready}");
    }
    follow(&node, &app.state.proving.follower).await;
    health.watch_follower().await.unwrap();
    assert_eq!(ready(&app).await.1["status"], "ok");
}

/// Leases, and sign-ins across replicas, depend on clocks that agree.
#[tokio::test]
async fn readyz_names_a_clock_that_differs_from_the_databases() {
    let app = TestApp::start(TestDatabase::postgres().await, &[]).await;
    let (health, clock) = (&app.state.health, &app.state.clock);
    let theirs = Clock::System.now();
    clock.advance(theirs - clock.now());
    for (ahead, degraded) in [
        (0, false),
        (-3, false),
        (130, true),
        (-130, true),
        (0, false),
    ] {
        clock.advance(Clock::System.now() + ahead - clock.now());
        health.try_write().await.unwrap();
        let (status, ready) = ready(&app).await;
        assert_eq!(
            (status, ready["status"] == "degraded"),
            (200, degraded),
            "{ready}"
        );
        let code = ready["troubles"][0]["code"] == "clock-differs";
        assert_eq!(code, degraded, "{ready}");
        let by = ready["clock_differs_by"].as_i64().unwrap_or_default();
        assert!((by + ahead).abs() < 5, "{ready}");
    }
}

#[tokio::test]
async fn the_healthcheck_command_asks_healthz() {
    let mut server = ServerProcess::on_sqlite(&[]).await;
    let listen = format!("--listen=0.0.0.0:{}", server.address.port());
    let asked = program().arg(&listen).arg("healthcheck").status();
    assert!(asked.unwrap().success());
    server.kill();
    let said = refusal(&[&listen, "healthcheck"]);
    has(&said, &["does not answer", "Connection refused"]);
}
