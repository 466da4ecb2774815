//! The published client library, unmodified, against a real server. Its tests are in `auth-js/`.

use std::path::Path;
use std::process::Command;

use clap::Parser;
use server::clock::Clock;
use server::config::Config;
use server::state::AppState;
use tokio::net::TcpListener;

use crate::support::database::{TestDatabase, on_both};

on_both!(the_client_library_gets_what_it_expects);

async fn the_client_library_gets_what_it_expects(database: TestDatabase) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/auth-js");
    assert!(
        folder.join("node_modules/@supabase/auth-js").is_dir(),
        "the client library is not installed; run npm ci in server/tests/auth-js"
    );
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("a bound port"));
    let config = Config::parse_from([
        "server",
        "--app-env=development",
        "--chain=development",
        &format!("--public-url={origin}"),
        &format!("--database-url={}", database.url),
    ]);
    let state = AppState::start(config, Clock::System)
        .await
        .expect("a state");
    tokio::spawn(async move { axum::serve(listener, server::app(state)).await });

    // Beside the server, which runs in this test's own runtime.
    let node = tokio::task::spawn_blocking(move || {
        Command::new("node")
            .args(["--test", "contract.test.mjs"])
            .current_dir(folder)
            .env("SITE_ORIGIN", origin)
            .output()
    });
    let output = node
        .await
        .expect("no panic")
        .expect("node runs; install Node.js 20 or newer");
    // Indented, so that nobody who adds up test results counts these lines too.
    let said = String::from_utf8_lossy(&output.stdout).replace('\n', "\n    ");
    let complained = String::from_utf8_lossy(&output.stderr).replace('\n', "\n    ");
    assert!(output.status.success(), "    {said}\n    {complained}");
}
