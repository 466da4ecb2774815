//! The HTTP interface of all rooms: route groups, rows, permissions, pages.

use api::http::router::openapi_json;

use crate::support::prelude::*;

const PROFILES: &str = "/api/rest/v1/profiles";

#[tokio::test]
async fn the_backend_root_answers_ok() {
    let app = TestApp::development().await;
    for path in ["/api", "/api/"] {
        let root = app.get(path).await;
        assert_eq!(root.body, json!({"status": "ok"}));
        assert_eq!(app.post(path, json!({})).await.status, 405, "{path}");
    }
}

#[tokio::test]
async fn beside_the_families_the_marker_header_decides() {
    let app = TestApp::development().await;
    let elsewhere = "/api/elsewhere";
    assert_eq!(app.get(elsewhere).await.problem(), (403, "forbidden"));
    let marked = app.get_with(elsewhere, &[("x-client-info", "test")]).await;
    assert_eq!(marked.status, 404);
    assert_eq!(app.get("/api/rest/v1/elsewhere").await.status, 404);
}

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
async fn the_board_is_public_and_keeps_private_columns() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let chosen = person.change(json!({"tier": "free"})).await;
    assert_eq!(chosen.status, 204);
    assert_eq!(person.profile().await["tier"], "free");
    let stranger = &app.get(&person.row()).await.body[0];
    let hidden = [&stranger["tier"], &stranger["email"]];
    assert_eq!(hidden, [&Value::Null; 2]);
    assert_eq!(stranger["username"], format!("user_{}", &person.id[..5]));
}

#[tokio::test]
async fn a_client_changes_its_own_tier_and_nothing_else() {
    let app = TestApp::development().await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let claim = json!({
        "id": hal.id, "username": "satoshi", "avatar_url": null, "updated_at": "2026-01-01T00:00:00Z",
        "tier": "premium", "verified": true, "bitcoin_holdings": 1000, "last_verified": "2026-01-01T00:00:00Z"
    });
    let upsert = "/api/rest/v1/profiles?on_conflict=id";
    assert_eq!(hal.post(upsert, claim.clone()).await.status, 201);
    let without = hal.post(PROFILES, claim.clone()).await;
    assert_eq!(without.status, 201, "the primary key is meant");
    let profile = hal.profile().await;
    // Premium follows the payment provider.
    assert_eq!(profile["tier"], Value::Null);
    assert_eq!(profile["verified"], false);
    assert_eq!(profile["bitcoin_holdings"], Value::Null);
    assert_ne!(profile["username"], "satoshi");

    // Another user's row, a visitor, and an unknown column.
    assert_eq!(eve.post(upsert, claim.clone()).await.status, 403);
    assert_eq!(app.post(upsert, claim).await.status, 401);
    let unknown = json!({"id": hal.id, "is_admin": true});
    assert_eq!(hal.post(upsert, unknown).await.status, 400);
}

#[tokio::test]
async fn history_is_its_owners_alone() {
    let app = TestApp::development().await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let all = "/api/rest/v1/psbts";
    let his = format!("{all}?user_id=eq.{}", hal.id);
    let file = hal.sample("self-transfer.psbt").await;
    assert_eq!(hal.submit(&file).await.status, 200);
    let own = hal.get(&his).await;
    assert_eq!(own.body.as_array().map(Vec::len), Some(1));
    assert_eq!(hal.get(all).await.body, own.body);
    // As PostgREST answers where a policy hides the rows.
    for hidden in [eve.get(&his).await, app.get(&his).await, eve.get(all).await] {
        assert_eq!((hidden.status.as_u16(), hidden.body), (200, json!([])));
    }
    let ended = app.person(&hal.id, "e30.e30.e30").get(&his).await;
    assert_eq!(ended.status, 401, "believes to be signed in");
}

#[tokio::test]
async fn the_rank_agrees_with_the_board() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let path = format!("/api/functions/v1/getUserRank/{}", person.id);
    assert_eq!(person.get(&path).await.body, json!({"rank": null}));
    let file = person.sample("self-transfer.psbt").await;
    assert_eq!(person.submit(&file).await.status, 200);
    assert_eq!(person.get(&path).await.body, json!({"rank": 1}));
    assert_eq!(person.profile().await["rank"], 1);
    assert_eq!(app.get(&path).await.status, 401);
    let nobody = person.get("/api/functions/v1/getUserRank/nobody").await;
    assert_eq!(nobody.status, 404);
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

#[tokio::test]
async fn without_keys_and_sources_the_calls_say_so() {
    let app = TestApp::development().await;
    let config = app.get("/api/functions/v1/app-config").await;
    assert_eq!(config.body["premium"], false);
    let person = app.sign_in().await;
    let body = json!({"user_id": person.id, "email": null});
    let stripe = person
        .post("/api/functions/v1/create-stripe-session", body)
        .await;
    assert_eq!(stripe.status, 503);
    assert_eq!(stripe.body["error"], "Stripe session error");
    assert_eq!(app.get("/api/functions/v1/bitcoin-price").await.status, 503);
    let picture = format!("/api/storage/v1/avatar/{}", person.id);
    assert_eq!(app.get(&picture).await.status, 404);
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

#[tokio::test]
async fn a_file_of_another_release_is_missing_rather_than_a_page() {
    let app = TestApp::development().await;
    assert_eq!(app.get("/assets/index-0123abcd.js").await.status, 404);
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
