//! The HTTP interface of all rooms: errors, mock data, the stream of changes, the document.

use api::http::router::openapi_json;

use crate::support::prelude::*;

#[tokio::test]
async fn errors_are_problem_details() {
    let app = TestApp::development().await;
    let refused = app.get("/api/rest/v1/profiles?secret=eq.1").await;
    assert_eq!(refused.header("content-type"), "application/problem+json");
    assert_eq!(refused.problem(), (400, "invalid-query"));
    let problem = &refused.body;
    assert_eq!(problem["status"], 400);
    assert_eq!(problem["message"], problem["detail"]);
    assert_eq!(problem["error"], problem["detail"]);
}

#[tokio::test]
async fn mock_data_can_be_cleared_and_used_again() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let name = "wallet_verification.psbt";
    let file = person.sample(name).await;
    let file = STANDARD.encode(&file);
    let submit = async || person.submit_as(name, &file, json!([])).await;
    assert_eq!(submit().await.body["amount"], 1.25);
    let proof = &person.proofs().await[0];
    assert_eq!(proof["mock"], true);
    let path = "/api/functions/v1/holdings-history";
    let history = person.get(path).await.body;
    let point = json!({"at": proof["created_at"], "sats": 125_000_000});
    assert_eq!(history["points"], json!([point]));
    assert_eq!(app.get(path).await.status, 401);
    let path = format!(
        "/api/rest/v1/psbts?user_id=eq.{}&file_name=eq.{name}",
        person.id
    );
    assert_eq!(person.delete(&path).await.status, 204);
    let profile = person.profile().await;
    let cleared = (&profile["verified"], &profile["last_verified"]);
    assert_eq!(cleared, (&json!(false), &Value::Null));
    assert_eq!(submit().await.body["status"], "success");
}

/// Tests of events and of stopping are in `live.rs` and `operations/stopping.rs`.
#[tokio::test]
async fn the_stream_of_changes_begins_at_once_and_is_not_compressed() {
    let app = TestApp::development().await;
    let stream = app.request(reqwest::Method::GET, "/api/rest/v1/profiles/changes");
    // A compressor would hold events back until more arrive.
    let stream = stream.header("accept-encoding", "gzip, br");
    let mut stream = stream.send().await.unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    assert_eq!(stream.headers().get("content-encoding"), None);
    let opening = stream.chunk().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&opening).contains("retry"));
}

/// The web app's types are generated from this document, and servers send it.
#[tokio::test]
async fn the_openapi_document_in_the_repository_is_the_servers() {
    let kept = include_str!("../../openapi.json");
    assert_eq!(
        openapi_json(),
        kept,
        "server/api/openapi.json is out of date: cargo test -p api --test it write_the_document -- --ignored"
    );
    let app = TestApp::development().await;
    assert_eq!(app.get("/api/openapi.json").await.text(), kept);
}

/// Writes the file: `cargo test -p api --test it write_the_document -- --ignored`.
#[test]
#[ignore = "writes files of the repository"]
fn write_the_document() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    std::fs::write(file, openapi_json()).unwrap();
}
