//! Several servers on one PostgreSQL act as one service. `kills.rs` kills one of two, and `store/proofs.rs` has two claim one coin,
//! `auth/sign_out.rs` has a session end at both, and `live.rs` has a change reach the pages that are open at either.

use crate::support::prelude::*;

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
