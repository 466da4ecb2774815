//! Starting: how many files and connections the system allows, and several servers at once. `kills.rs` kills one of two replicas,
//! `store/proofs.rs` has two claim one coin, `auth/sign_out.rs` has a session end at both, and `live.rs` has a change reach the pages
//! that are open at either.

use super::*;

#[tokio::test]
async fn the_server_takes_what_the_system_gives_but_clients_never_what_it_needs() {
    let said = "the system lets this process open 466 files and connections: only 200 clients fit";
    for (words, files, connections, streams) in [
        ("ulimit -Sn 300 && ulimit -Hn 14000", 14e3, 12e3, 10e3),
        ("ulimit -n 466", 466.0, 200.0, 150.0),
    ] {
        let database = TestDatabase::sqlite().await;
        let server = ServerProcess::start_after(words, &database.url, &[]).await;
        if cfg!(target_os = "linux") {
            for (name, limit) in [
                ("process_max_fds", files),
                ("http_connections_limit", connections),
                ("live_streams_limit", streams),
            ] {
                assert_eq!(server.metric(name).await, Some(limit), "{name}");
            }
        }
        let (log, few) = (server.log(), files < 1_000.0);
        assert_eq!(log.contains("clients fit"), few, "{log}");
        assert!(!few || log.contains(said), "{log}");
    }
    // Without room for clients it does not start.
    let arguments = ["--app-env=development", "--database-url=sqlite:/nowhere"];
    let mut program = program_after("ulimit -n 300");
    let said = ended(program.args(arguments)).failed();
    has(&said, &["lets this process open 300 files", "LimitNOFILE"]);
}

#[tokio::test]
async fn servers_that_start_together_on_an_empty_database_all_start() {
    let database = TestDatabase::postgres().await;
    let public = "--public-url=http://127.0.0.1:1";
    let start = |_| ServerProcess::begin(&database.url, &[public]);
    let mut servers: Vec<ServerProcess> = (0..4).map(start).collect();
    // All servers use the keys that the first one created.
    let mut keys = Vec::new();
    for server in &mut servers {
        server.answers().await;
        keys.push(server.get("/api/auth/v1/.well-known/jwks.json").await.body);
    }
    assert!(keys[0]["keys"].is_array(), "{keys:?}");
    assert!(keys.iter().all(|others| *others == keys[0]), "{keys:?}");
}
