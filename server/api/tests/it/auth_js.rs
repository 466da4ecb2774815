//! The published client library, unmodified, and the real pages in a real browser, against a real server. The tests
//! themselves are in `auth-js/` and `providers/`.

use std::future::pending;
use std::path::Path;
use std::process::Command;

use api::app::App;
use api::config::Config;
use api::http::connections::Connections;
use api::http::router;
use chain::clock::Clock;
use clap::Parser;
use tokio::net::TcpListener;

use crate::support::database::{TestDatabase, on_both};
use crate::support::http_client;
use crate::support::node::{Node, free_port};
use crate::support::process::LEGAL;
use crate::support::providers::Providers;

on_both!(
    the_client_library_gets_what_it_expects,
    the_client_library_signs_in_at_providers,
);

/// A port, and the origin that a server on it has.
async fn port() -> (TcpListener, String) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("a bound port"));
    (listener, origin)
}

async fn serve(listener: TcpListener, arguments: &[String]) {
    let config = Config::parse_from(arguments);
    let state = App::start(config, Clock::System).await.expect("a state");
    let connections = Connections::new(&state.config);
    let app = router::app(state);
    tokio::spawn(async move { connections.serve(listener, app, pending()).await });
}

/// A server in production mode that knows these providers.
async fn with_providers(listener: TcpListener, origin: &str, database: &TestDatabase) -> Providers {
    let providers = Providers::start(origin).await;
    let mut arguments = vec![
        "server".to_owned(),
        "--app-env=production".to_owned(),
        "--network=regtest".to_owned(),
        format!("--chain=bitcoind:{}", Node::shared().await.url()),
        format!("--public-url={origin}"),
        format!("--database-url={}", database.url),
    ];
    arguments.extend(LEGAL.map(str::to_owned));
    arguments.extend(providers.arguments());
    serve(listener, &arguments).await;
    providers
}

/// Runs a file of tests in a folder beside this one with these variables.
pub(crate) async fn passes(
    folder: &str,
    file: &'static str,
    variables: Vec<(&'static str, String)>,
) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder);
    assert!(
        folder.join("node_modules").is_dir(),
        "what the tests use is not installed; run npm ci in {}",
        folder.display()
    );
    // Beside the server, which runs in this test's own runtime.
    let node = tokio::task::spawn_blocking(move || {
        Command::new("node")
            .args(["--test", file])
            .current_dir(folder)
            .envs(variables)
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

async fn the_client_library_gets_what_it_expects(database: TestDatabase) {
    let (listener, origin) = port().await;
    let arguments = [
        "server".to_owned(),
        "--app-env=development".to_owned(),
        "--chain=development".to_owned(),
        format!("--public-url={origin}"),
        format!("--database-url={}", database.url),
    ];
    serve(listener, &arguments).await;
    let variables = vec![("SITE_ORIGIN", origin)];
    passes("auth-js", "contract.test.mjs", variables).await;
}

async fn the_client_library_signs_in_at_providers(database: TestDatabase) {
    let (listener, origin) = port().await;
    let providers = with_providers(listener, &origin, &database).await;
    let control = providers.control().to_owned();
    let variables = vec![("SITE_ORIGIN", origin), ("PROVIDERS_CONTROL", control)];
    passes("auth-js", "providers.test.mjs", variables).await;
}

#[tokio::test]
async fn people_sign_in_at_x_in_a_browser() {
    let chromium = std::env::var("CHROMIUM_PATH")
        .expect("CHROMIUM_PATH is not set; run ./test, which finds or installs Chromium");
    let database = TestDatabase::sqlite().await;
    let (listener, origin) = port().await;
    let providers = with_providers(listener, &origin, &database).await;
    let page = http_client().get(format!("{origin}/login")).send().await;
    let page = page.expect("an answer").text().await.expect("a page");
    assert!(
        page.contains("/assets/"),
        "this build is without the web app; run ./test, which builds it first"
    );
    let variables = vec![
        ("SITE_ORIGIN", origin),
        ("PROVIDER_ORIGIN", providers.address("twitter").to_owned()),
        ("CONTROL", providers.control().to_owned()),
        ("CHROMIUM_PATH", chromium),
    ];
    passes("providers", "browser.test.mjs", variables).await;
}

#[tokio::test]
async fn pages_of_another_origin_use_the_client_library_in_a_browser() {
    let chromium = std::env::var("CHROMIUM_PATH")
        .expect("CHROMIUM_PATH is not set; run ./test, which finds or installs Chromium");
    let database = TestDatabase::sqlite().await;
    let (listener, origin) = port().await;
    let other = free_port();
    let arguments = [
        "server".to_owned(),
        "--app-env=development".to_owned(),
        "--chain=development".to_owned(),
        format!("--public-url={origin}"),
        format!("--redirect-urls=http://127.0.0.1:{other}/done"),
        format!("--database-url={}", database.url),
    ];
    serve(listener, &arguments).await;
    let variables = vec![
        ("SITE_ORIGIN", origin),
        ("OTHER_PORT", other.to_string()),
        ("CHROMIUM_PATH", chromium),
    ];
    passes("providers", "other-site.test.mjs", variables).await;
}
