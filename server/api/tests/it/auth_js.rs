//! The published client library, unmodified, and the real pages in a real browser, against a real server. The tests
//! themselves are in `auth-js/` and `providers/`.

use std::process::Command;

use crate::support::node::free_port;
use crate::support::prelude::*;
use crate::support::providers::Providers;

on_both!(
    the_client_library_gets_what_it_expects,
    the_client_library_signs_in_at_providers,
);

/// A server in development mode at the current time.
async fn development(database: TestDatabase, more: &[&str]) -> TestApp {
    let app = TestApp::start(database, more).await;
    app.state.clock.advance(Clock::System.now() - NOW);
    app
}

/// A server in production mode, by the system's clock, and the providers that it knows.
async fn with_providers(database: &TestDatabase) -> (TestApp, Providers) {
    let (listener, origin) = port().await;
    let providers = Providers::start(&origin).await;
    let arguments = providers.arguments();
    let clock = Clock::System;
    let app = TestApp::production(listener, &origin, database, clock, &arguments).await;
    (app, providers)
}

/// Chromium, which the tests in a browser need.
pub(crate) fn chromium() -> (&'static str, String) {
    let missing = "CHROMIUM_PATH is not set; run ./test, which finds or installs Chromium";
    let chromium = std::env::var("CHROMIUM_PATH").expect(missing);
    ("CHROMIUM_PATH", chromium)
}

/// Fails where the web app is not in this build.
pub(crate) async fn has_web_app(app: &TestApp) {
    assert!(
        app.get("/verify").await.text().contains("/assets/"),
        "this build is without the web app; run ./test, which builds it first"
    );
}

/// Runs a file of tests in a neighboring folder with these variables.
pub(crate) async fn run_node_tests(
    folder: &str,
    file: &'static str,
    variables: Vec<(&'static str, String)>,
) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folder = tests.join(folder);
    assert!(
        folder.join("node_modules").is_dir(),
        "what the tests use is not installed; run npm ci in {}",
        folder.display()
    );
    // On another thread than the server, which runs in this test's own runtime.
    let node = tokio::task::spawn_blocking(move || {
        let mut node = Command::new("node");
        node.args(["--test", file]).current_dir(folder);
        node.envs(variables).output()
    });
    let output = node.await.unwrap();
    let output = output.expect("node runs; install Node.js 20 or newer");
    // Indented, so that ./test does not count these lines as its own results.
    let indented = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\n', "\n    ");
    let (said, complained) = (indented(&output.stdout), indented(&output.stderr));
    assert!(output.status.success(), "    {said}\n    {complained}");
}

async fn the_client_library_gets_what_it_expects(database: TestDatabase) {
    let app = development(database, &[]).await;
    let variables = vec![("SITE_ORIGIN", app.origin)];
    run_node_tests("auth-js", "contract.test.mjs", variables).await;
}

async fn the_client_library_signs_in_at_providers(database: TestDatabase) {
    let (app, providers) = with_providers(&database).await;
    let control = providers.control().to_owned();
    let variables = vec![("SITE_ORIGIN", app.origin), ("PROVIDERS_CONTROL", control)];
    run_node_tests("auth-js", "providers.test.mjs", variables).await;
}

#[tokio::test]
async fn people_sign_in_at_x_in_a_browser() {
    let database = TestDatabase::sqlite().await;
    let (app, providers) = with_providers(&database).await;
    has_web_app(&app).await;
    let variables = vec![
        ("SITE_ORIGIN", app.origin),
        ("PROVIDER_ORIGIN", providers.address("twitter").to_owned()),
        ("CONTROL", providers.control().to_owned()),
        chromium(),
    ];
    run_node_tests("providers", "browser.test.mjs", variables).await;
}

#[tokio::test]
async fn pages_of_another_origin_use_the_client_library_in_a_browser() {
    let other = free_port();
    let listed = format!("--redirect-urls=http://127.0.0.1:{other}/done");
    let app = development(TestDatabase::sqlite().await, &[&listed]).await;
    let variables = vec![
        ("SITE_ORIGIN", app.origin),
        ("OTHER_PORT", other.to_string()),
        chromium(),
    ];
    run_node_tests("providers", "other-site.test.mjs", variables).await;
}
