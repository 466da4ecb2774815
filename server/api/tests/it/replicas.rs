//! Several servers on one PostgreSQL act as one service. `kills.rs` kills one of two, and `store/proofs.rs` has two replicas claim one coin.

use crate::support::event;
use crate::support::prelude::*;

#[tokio::test]
async fn who_signs_in_at_one_replica_is_signed_in_at_all() {
    let database = TestDatabase::postgres().await;
    let first = ServerProcess::start(&database.url, &[]).await;
    let public = format!("--public-url={}", first.origin);
    let second = ServerProcess::start(&database.url, &[&public]).await;
    let session = first.sign_in().await;
    let token = text(&session["access_token"]);
    let changes = format!("{}/api/rest/v1/profiles/changes", second.origin);
    let mut page = http_client().get(changes).send().await.unwrap();
    page.chunk().await.unwrap().expect("the opening");

    let user = second.get_as(&token, "/api/auth/v1/user").await;
    assert_eq!(user.body["id"], session["user"]["id"]);
    // A change on one replica reaches the pages that are open on the other.
    first.sign_in().await;
    let event = event(&mut page).await;
    assert!(event.starts_with("event: change\n"), "{event:?}");

    // And a sign-out on one is a sign-out on the other, at once.
    let logout = "/api/auth/v1/logout";
    let out = second.post_as(&token, logout, json!({})).await;
    assert_eq!(out.status, 204, "{out:?}");
    assert!(!first.is_in(&token).await);
}

#[tokio::test]
async fn servers_that_start_together_on_an_empty_database_all_start() {
    let database = TestDatabase::postgres().await;
    let public = "--public-url=http://127.0.0.1:1";
    let start = |_| ServerProcess::begin(&database.url, &[public]);
    let mut servers: Vec<ServerProcess> = (0..4).map(start).collect();
    // All use the keys that one of them made.
    let mut keys = Vec::new();
    for server in &mut servers {
        server.answers().await;
        keys.push(server.get("/api/auth/v1/.well-known/jwks.json").await.body);
    }
    assert!(keys[0]["keys"].is_array(), "{keys:?}");
    assert!(keys.iter().all(|others| *others == keys[0]), "{keys:?}");
}
