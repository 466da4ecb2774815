//! The server's dependencies fail and come back.

use super::*;
use crate::support::tunnel::{State, Tunnel};

#[tokio::test]
async fn it_starts_and_serves_while_its_node_is_away_and_follows_when_it_is_back() {
    let proxy = Proxy::to(Node::shared().await.url()).await;
    proxy.set_down(true);
    let database = TestDatabase::sqlite().await;
    let chain = format!("--chain=bitcoind:{}", proxy.url);
    let server = ServerProcess::start(&database.url, &[&chain, "--network=regtest"]).await;
    assert_eq!(server.get("/api/rest/v1/profiles").await.status, 200);
    let ready = server.get("/readyz").await.ok();
    assert_eq!(ready.body["troubles"][0]["code"], "chain-unavailable");
    assert_eq!(ready.body["status"], "ok");
    assert_eq!(ready.body["reasons"], Value::Null);
    // It is public, so it names no hosts and contains no passwords.
    for hidden in ["127.0.0.1", "p@ss"] {
        assert!(!ready.text().contains(hidden), "{ready:?}");
    }
    has(&server.log(), &["will be checked again"]);
    let store = database.store().await;
    assert_eq!(store.cursor("regtest").await.unwrap(), None);
    proxy.set_down(false);
    until("following", async || store.cursor("regtest").await.unwrap()).await;
}

/// A server that reaches its database through a tunnel, and a user.
async fn behind_a_tunnel() -> (TestDatabase, Tunnel, ServerProcess, Person<'static>) {
    let database = TestDatabase::postgres().await;
    let mut url: Url = database.url.parse().unwrap();
    let tunnel = Tunnel::start(url.socket_addrs(|| Some(5432)).unwrap()[0]).await;
    url.set_ip_host(tunnel.address.ip()).unwrap();
    url.set_port(Some(tunnel.address.port())).unwrap();
    let server = ServerProcess::start(url.as_str(), &[]).await;
    let person = server.sign_in().await;
    (database, tunnel, server, person)
}

fn is_away(answer: &Answer) {
    assert_eq!(answer.problem(), (503, "database_unavailable"));
    assert_eq!(answer.header("retry-after"), "5");
}

#[tokio::test]
async fn requests_get_503_with_retry_after_while_the_database_is_away() {
    let (_database, tunnel, server, person) = behind_a_tunnel().await;
    for state in [State::Closing, State::Cut] {
        tunnel.set(state);
        is_away(&person.get(USER).await);
    }
    let line = "the database cannot be asked";
    wait_until("the log", async || server.log().contains(line)).await;
    assert_eq!(server.get("/healthz").await.status, 200);
    tunnel.set(State::Open);
    wait_until("the database", async || {
        person.get(USER).await.status == 200
    })
    .await;
}

/// Packets are lost, so that nothing is ever refused, and open connections stay open.
#[tokio::test]
async fn requests_get_503_soon_while_the_database_is_silent() {
    let (_database, tunnel, server, person) = behind_a_tunnel().await;
    tunnel.set(State::Silent);
    let begun = Instant::now();
    for away in join_all((0..20).map(|_| person.get(USER))).await {
        is_away(&away);
    }
    // Some five seconds, on a slow machine.
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert_eq!(server.get("/healthz").await.status, 200);
}
