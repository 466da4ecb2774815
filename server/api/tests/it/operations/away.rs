//! What the server depends on goes away and comes back.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::header::RETRY_AFTER;
use serde_json::Value;
use url::Url;

use crate::support::app::{answer, sign_in_at};
use crate::support::database::TestDatabase;
use crate::support::node::Node;
use crate::support::process::ServerProcess;
use crate::support::rpc_proxy::RpcProxy;
use crate::support::tunnel::Tunnel;
use crate::support::{http_client, until};

#[tokio::test]
async fn it_starts_and_serves_while_its_node_is_away_and_follows_when_it_is_back() {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    proxy.set_down(true);
    let database = TestDatabase::sqlite().await;
    let chain = format!("--chain=bitcoind:{}", proxy.url);
    let server = ServerProcess::start(&database.url, &[&chain, "--network=regtest"]).await;
    let get = |path: &str| answer(http_client().get(format!("{}{path}", server.origin)));
    assert_eq!(get("/api/rest/v1/profiles").await.status, 200);
    let ready = get("/readyz").await;
    assert_eq!(ready.status, 200);
    assert_eq!(ready.body["troubles"][0]["code"], "chain-unavailable");
    assert!(server.log().contains("is tried again"), "{}", server.log());
    let store = database.store().await;
    assert_eq!(store.cursor("regtest").await.expect("a database"), None);
    proxy.set_down(false);
    until("following", async || {
        store.cursor("regtest").await.expect("a database")
    })
    .await;
}

/// A server that reaches its database through a tunnel.
async fn behind_a_tunnel() -> (TestDatabase, Tunnel, ServerProcess) {
    let database = TestDatabase::postgres().await;
    let mut url: Url = database.url.parse().expect("a URL");
    let host = url.host_str().expect("a host").to_owned();
    let port = url.port().unwrap_or(5432);
    let cluster = tokio::net::lookup_host((host, port))
        .await
        .expect("an address");
    let cluster: SocketAddr = cluster.into_iter().next().expect("an address");
    let tunnel = Tunnel::start(cluster).await;
    url.set_ip_host(tunnel.address.ip()).expect("a host");
    url.set_port(Some(tunnel.address.port())).expect("a port");
    let server = ServerProcess::start(url.as_str(), &[]).await;
    (database, tunnel, server)
}

#[tokio::test]
async fn while_the_database_is_away_whoever_asks_is_told_when_to_come_back() {
    let (_database, tunnel, server) = behind_a_tunnel().await;
    let session = sign_in_at(&server.origin).await;
    let token = session["access_token"].as_str().expect("a token");
    let user = || {
        let user = http_client().get(format!("{}/api/auth/v1/user", server.origin));
        user.bearer_auth(token)
    };

    tunnel.cut();
    let away = user().send().await.expect("an answer");
    assert_eq!(away.status(), 503);
    assert_eq!(away.headers()[RETRY_AFTER], "5");
    let body: Value = away.json().await.expect("JSON");
    assert_eq!(body["code"], "database_unavailable", "{body}");
    until("the line in the log", async || {
        let log = server.log();
        log.contains("the database cannot be asked").then_some(())
    })
    .await;
    let alive = http_client().get(format!("{}/healthz", server.origin));
    assert_eq!(answer(alive).await.status, 200);

    tunnel.mend().await;
    until("the database", async || {
        (answer(user()).await.status == 200).then_some(())
    })
    .await;
}

/// Packets are lost, so that nothing is ever refused, and connections that are open stay so.
#[tokio::test]
async fn while_the_database_is_silent_whoever_asks_is_told_soon() {
    let (_database, tunnel, server) = behind_a_tunnel().await;
    let session = sign_in_at(&server.origin).await;
    let token = session["access_token"].as_str().expect("a token");
    tunnel.fall_silent();
    let begun = Instant::now();
    let asked = (0..20).map(|_| {
        let user = http_client().get(format!("{}/api/auth/v1/user", server.origin));
        user.bearer_auth(token).send()
    });
    for away in join_all(asked).await {
        let away = away.expect("an answer");
        assert_eq!(away.status(), 503);
        assert_eq!(away.headers()[RETRY_AFTER], "5");
    }
    // Some five seconds, on a machine that may have much else to do.
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "{:?}",
        begun.elapsed()
    );
    let alive = http_client().get(format!("{}/healthz", server.origin));
    assert_eq!(answer(alive).await.status, 200);
}
