//! Every route of the OpenAPI document has its limit and CORS policy: a renamed or new route must be listed
//! in `routes.txt`. The document in the repository is the servers'.

use api::http::router::openapi_json;
use reqwest::Response;

use crate::support::prelude::*;

/// The operations, how many requests a network may send to each in five minutes (0: no limit by address), and from pages of which
/// origins: none, those that the operator lists, or all, to read.
const OPERATIONS: &str = include_str!("routes.txt");

const DOCUMENT: &str = include_str!("../../openapi.json");

fn listed() -> impl Iterator<Item = (&'static str, &'static str, usize, &'static str)> {
    OPERATIONS.trim().lines().map(|line| {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        (words[0], words[1], words[2].parse().unwrap(), words[3])
    })
}

const ORIGIN: &str = "https://app.example";

fn operations() -> BTreeSet<(String, String)> {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let mut operations = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let methods = item.as_object().expect("operations").keys();
        operations.extend(methods.map(|method| (method.to_uppercase(), path.clone())));
    }
    operations
}

#[test]
fn every_operation_is_listed() {
    let listed = listed().map(|(method, path, ..)| (method.to_owned(), path.to_owned()));
    assert_eq!(operations(), listed.collect());
}

/// The path with its placeholders replaced.
fn filled(path: &str) -> String {
    let id = "0190a0b0-0000-7000-8000-000000000000";
    let path = path.replace("{provider}", "twitter").replace("{id}", id);
    path.replace("{user_id}", id).replace("{profile_id}", id)
}

async fn send(app: &TestApp, method: &str, path: &str, headers: &[(&str, &str)]) -> Response {
    let method = method.parse().unwrap();
    let address = format!("{}{}", app.origin, filled(path));
    let request = with_headers(direct_client().request(method, address), headers);
    request.send().await.unwrap()
}

fn allowed(response: &Response) -> Option<&str> {
    let origin = response.headers().get("access-control-allow-origin")?;
    origin.to_str().ok()
}

#[tokio::test]
async fn every_operation_has_its_policy_for_pages_of_other_origins() {
    let app = TestApp::with(&[&format!("--redirect-urls={ORIGIN}/done")]).await;
    for (method, path, _, pages) in listed() {
        let reads = method == "GET";
        for origin in [ORIGIN, "https://elsewhere.example"] {
            let expected = match pages {
                "all" if reads => Some("*"),
                "listed" if origin == ORIGIN => Some(ORIGIN),
                _ => None,
            };
            let asks = ("access-control-request-method", method);
            let preflight = send(&app, "OPTIONS", path, &[("origin", origin), asks]).await;
            assert_eq!(allowed(&preflight), expected, "OPTIONS of {method} {path}");
            let response = send(&app, method, path, &[("origin", origin)]).await;
            assert_eq!(allowed(&response), expected, "{method} {path}");
            let credentials = "access-control-allow-credentials";
            assert!(!response.headers().contains_key(credentials), "{path}");
        }
    }
}

#[tokio::test]
async fn every_operation_has_its_limit_by_address() {
    let app = TestApp::behind_a_proxy().await;
    for (number, (method, path, most, _)) in listed().enumerate() {
        let address = format!("198.51.100.{number}");
        let from = [("x-forwarded-for", address.as_str())];
        let is_refused = async || {
            let response = send(&app, method, path, &from).await;
            let busy = response.status() == 503 && response.headers().contains_key("retry-after");
            response.status() == 429 || busy
        };
        for try_number in 0..most.max(2) {
            assert!(!is_refused().await, "{method} {path}, {try_number}");
        }
        assert_eq!(is_refused().await, most > 0, "{method} {path}");
    }
}

/// The web app's types are generated from this document, and servers send it.
#[tokio::test]
async fn the_openapi_document_in_the_repository_is_the_servers() {
    let advice = "cargo test -p api --test it write_the_document -- --ignored";
    let app = TestApp::development().await;
    assert_eq!(openapi_json(&app.state), DOCUMENT, "{advice}");
    assert_eq!(app.get("/api/openapi.json").await.text(), DOCUMENT);
}

/// Writes the file: `cargo test -p api --test it write_the_document -- --ignored`.
#[tokio::test]
#[ignore = "writes files of the repository"]
async fn write_the_document() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    let app = TestApp::development().await;
    std::fs::write(file, openapi_json(&app.state)).unwrap();
}
