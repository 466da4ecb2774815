//! The HTTP interface around the heart: families, rows, permissions, pages.

use api::http::router::openapi_json;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::{TestApp, answer};
use crate::support::event;

#[tokio::test]
async fn the_backend_root_answers_ok() {
    let app = TestApp::development().await;
    for path in ["/api", "/api/"] {
        let root = app.get(path).await;
        assert_eq!(
            (root.status.as_u16(), root.body),
            (200, json!({"status": "ok"})),
            "{path}"
        );
        let sent = answer(app.request(Method::POST, path)).await;
        assert_eq!(sent.status, 405, "{path}");
    }
}

#[tokio::test]
async fn beside_the_families_the_marker_header_decides() {
    let app = TestApp::development().await;
    let bare = app.get("/api/elsewhere").await;
    assert_eq!(
        (bare.status.as_u16(), &bare.body["code"]),
        (403, &json!("forbidden"))
    );
    let marked = app
        .request(Method::GET, "/api/elsewhere")
        .header("x-client-info", "test");
    assert_eq!(answer(marked).await.status, 404);
    assert_eq!(app.get("/api/rest/v1/elsewhere").await.status, 404);
}

#[tokio::test]
async fn errors_are_problem_details() {
    let app = TestApp::development().await;
    let response = app
        .request(Method::GET, "/api/rest/v1/profiles?secret=eq.1")
        .send()
        .await
        .unwrap();
    assert_eq!(
        response.headers()["content-type"],
        "application/problem+json"
    );
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["status"], 400);
    assert_eq!(problem["code"], "invalid-query");
    assert_eq!(problem["message"], problem["detail"]);
    assert_eq!(problem["error"], problem["detail"]);
}

#[tokio::test]
async fn the_board_is_public_and_keeps_private_columns() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let tier = json!({"tier": "free"});
    let path = format!("/api/rest/v1/profiles?id=eq.{}", person.id);
    let chosen = answer(person.request(Method::PATCH, &path).json(&tier)).await;
    assert_eq!(chosen.status, 204);

    assert_eq!(person.get(&path).await.body[0]["tier"], "free");
    let stranger = app.get(&path).await;
    assert_eq!(stranger.body[0]["tier"], Value::Null);
    assert_eq!(
        stranger.body[0]["username"],
        format!("user_{}", &person.id[..5])
    );
    assert_eq!(stranger.body[0]["email"], Value::Null);
}

#[tokio::test]
async fn rows_come_in_pages_and_single() {
    let app = TestApp::development().await;
    let people = [
        app.sign_in().await,
        app.sign_in().await,
        app.sign_in().await,
    ];
    let path = "/api/rest/v1/profiles?select=id,rank&order=bitcoin_holdings.desc.nullslast&limit=2";
    let request = app
        .request(Method::GET, path)
        .header("prefer", "count=exact");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 206);
    assert_eq!(response.headers()["content-range"], "0-1/3");
    let rows: Value = response.json().await.unwrap();
    assert_eq!(rows[0].as_object().map(serde_json::Map::len), Some(2));

    let single = |id: &str| {
        app.request(Method::GET, &format!("/api/rest/v1/profiles?id=eq.{id}"))
            .header("accept", "application/vnd.pgrst.object+json")
    };
    assert_eq!(answer(single(&people[1].id)).await.body["id"], people[1].id);
    assert_eq!(answer(single("nobody")).await.status, 406);
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
    let accepted = answer(hal.request(Method::POST, upsert).json(&claim)).await;
    assert_eq!(accepted.status, 201);
    let bare = hal.request(Method::POST, "/api/rest/v1/profiles");
    let bare = answer(bare.json(&claim)).await;
    assert_eq!(bare.status, 201, "the primary key is meant");
    let profile = hal.profile().await;
    assert_eq!(
        profile["tier"],
        Value::Null,
        "premium follows the payment provider"
    );
    assert_eq!(profile["verified"], false);
    assert_eq!(profile["bitcoin_holdings"], Value::Null);
    assert_ne!(profile["username"], "satoshi");

    // Somebody else's row, and nobody's.
    assert_eq!(
        answer(eve.request(Method::POST, upsert).json(&claim))
            .await
            .status,
        403
    );
    assert_eq!(
        answer(app.request(Method::POST, upsert).json(&claim))
            .await
            .status,
        401
    );
    let unknown = json!({"id": hal.id, "is_admin": true});
    assert_eq!(
        answer(hal.request(Method::POST, upsert).json(&unknown))
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn history_is_its_owners_alone() {
    let app = TestApp::development().await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let path = format!("/api/rest/v1/psbts?user_id=eq.{}", hal.id);
    let file = hal.sample("self-transfer.psbt").await;
    assert_eq!(hal.submit(&file).await.status, 200);
    let own = hal.get(&path).await;
    assert_eq!(own.body.as_array().map(Vec::len), Some(1));
    assert_eq!(hal.get("/api/rest/v1/psbts").await.body, own.body);
    // As PostgREST answers where a policy hides the rows.
    for hidden in [eve.get(&path).await, app.get(&path).await] {
        assert_eq!((hidden.status.as_u16(), hidden.body), (200, json!([])));
    }
    assert_eq!(eve.get("/api/rest/v1/psbts").await.body, json!([]));
    let ended = app.person(&hal.id, "e30.e30.e30").get(&path).await;
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
    assert_eq!(
        person
            .get("/api/functions/v1/getUserRank/nobody")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn every_sample_does_what_it_says() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let samples = person.get("/api/functions/v1/development-samples").await;
    for sample in samples.body.as_array().expect("samples") {
        let name = sample["file_name"].as_str().expect("a name");
        let base64 = sample["psbt_base64"].as_str().expect("base64");
        let answer = person.submit_as(name, base64, json!([])).await;
        let expected = match sample["id"].as_str() {
            Some("unsigned" | "unbound") => 422,
            _ => 200,
        };
        assert_eq!(answer.status, expected, "{name}: {answer:?}");
    }
    assert_eq!(
        app.get("/api/functions/v1/development-samples")
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn mock_data_can_be_cleared_and_used_again() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let file = person.sample("wallet_verification.psbt").await;
    let base64 = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &file);
    let submit = async || {
        person
            .submit_as("wallet_verification.psbt", &base64, json!([]))
            .await
    };
    assert_eq!(submit().await.body["amount"], 1.25);
    assert_eq!(person.proofs().await[0]["mock"], true);
    let path = "/api/functions/v1/holdings-history";
    let points = person.get(path).await.body["points"].clone();
    assert_eq!(points[0]["sats"], 125_000_000);
    assert_eq!(points[0]["at"], person.proofs().await[0]["created_at"]);
    assert_eq!(points.as_array().map(Vec::len), Some(1));
    assert_eq!(app.get(path).await.status, 401);
    let path = format!(
        "/api/rest/v1/psbts?user_id=eq.{}&file_name=eq.wallet_verification.psbt",
        person.id
    );
    assert_eq!(
        answer(person.request(Method::DELETE, &path)).await.status,
        204
    );
    let profile = person.profile().await;
    assert_eq!(
        (&profile["verified"], &profile["last_verified"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(submit().await.body["status"], "success");
}

#[tokio::test]
async fn a_deleted_account_is_gone_at_once() {
    let app = TestApp::development().await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let delete = "/api/functions/v1/delete-account";
    assert_eq!(answer(app.request(Method::POST, delete)).await.status, 401);
    assert_eq!(answer(hal.request(Method::POST, delete)).await.status, 200);
    assert_eq!(hal.get("/api/auth/v1/user").await.status, 401);
    let left = app.get("/api/rest/v1/profiles").await;
    assert_eq!(left.body.as_array().map(Vec::len), Some(1));
    assert_eq!(left.body[0]["id"], eve.id);
}

#[tokio::test]
async fn without_keys_and_sources_the_calls_say_so() {
    let app = TestApp::development().await;
    let config = app.get("/api/functions/v1/app-config").await;
    assert_eq!(config.body["premium"], false);
    let person = app.sign_in().await;
    let stripe = person.request(Method::POST, "/api/functions/v1/create-stripe-session");
    let stripe = answer(stripe.json(&json!({"user_id": person.id, "email": null}))).await;
    assert_eq!(
        (stripe.status.as_u16(), &stripe.body["error"]),
        (503, &json!("Stripe session error"))
    );
    assert_eq!(app.get("/api/functions/v1/bitcoin-price").await.status, 503);
    let picture = format!("/api/storage/v1/avatar/{}", person.id);
    assert_eq!(app.get(&picture).await.status, 404);
}

#[tokio::test]
async fn a_change_reaches_an_open_page() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let mut stream = app
        .request(Method::GET, "/api/rest/v1/profiles/changes")
        .send()
        .await
        .unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let opening = stream.chunk().await.unwrap().unwrap();
    assert!(
        String::from_utf8_lossy(&opening).contains("retry"),
        "{opening:?}"
    );
    let file = person.sample("self-transfer.psbt").await;
    person.submit(&file).await;
    let event = event(&mut stream).await;
    assert!(
        event.contains("event: change") && event.contains("data: "),
        "{event}"
    );
    // A server that stops ends its streams.
    app.state.live.close();
    while stream.chunk().await.unwrap().is_some() {}
}

#[tokio::test]
async fn pages_come_from_the_same_process_with_strict_headers() {
    let app = TestApp::development().await;
    for path in ["/", "/leaderboard", "/profile/anybody"] {
        let page = app.request(Method::GET, path).send().await.unwrap();
        assert_eq!(page.status(), 200, "{path}");
        let headers = page.headers();
        assert!(
            headers["content-type"]
                .to_str()
                .unwrap()
                .starts_with("text/html")
        );
        assert_eq!(headers["cache-control"], "no-cache");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.contains("script-src 'self' 'wasm-unsafe-eval'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        assert_eq!(headers["x-content-type-options"], "nosniff");
    }
}

#[tokio::test]
async fn a_file_of_another_release_is_missing_rather_than_a_page() {
    let app = TestApp::development().await;
    assert_eq!(app.get("/assets/index-0123abcd.js").await.status, 404);
}

#[tokio::test]
async fn pages_are_compressed_and_revalidated() {
    let app = TestApp::development().await;
    let page = app
        .request(Method::GET, "/")
        .header("accept-encoding", "br")
        .send()
        .await
        .unwrap();
    assert_eq!(page.headers()["content-encoding"], "br");
    let etag = page.headers()["etag"].clone();
    let again = app
        .request(Method::GET, "/")
        .header("accept-encoding", "br")
        .header("if-none-match", etag)
        .send()
        .await
        .unwrap();
    assert_eq!(again.status(), 304);
}

#[tokio::test]
async fn answers_of_the_api_are_stored_nowhere() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    for request in [
        app.request(Method::GET, "/api/functions/v1/app-config"),
        person.request(Method::GET, "/api/rest/v1/profiles"),
    ] {
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["cache-control"], "no-store");
    }
}

/// The web app's types are generated from this document, and servers tell it.
#[tokio::test]
async fn the_openapi_document_in_the_repository_is_the_servers() {
    let kept = include_str!("../../openapi.json");
    assert_eq!(
        openapi_json(),
        kept,
        "server/api/openapi.json is out of date: cargo test -p api --test it write_the_document -- --ignored"
    );
    let app = TestApp::development().await;
    let served = app.request(Method::GET, "/api/openapi.json").send().await;
    assert_eq!(served.unwrap().text().await.unwrap(), kept);
}

/// Writes the file anew: `cargo test -p api --test it write_the_document -- --ignored`.
#[test]
#[ignore = "writes files of the repository"]
fn write_the_document() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
    std::fs::write(file, openapi_json()).expect("a file");
}

#[tokio::test]
async fn the_first_to_prove_shared_coins_has_them() {
    let app = TestApp::development().await;
    let (first, second) = (app.sign_in().await, app.sign_in().await);
    let files = [
        first.sample("shared-wallet.psbt").await,
        second.sample("shared-wallet.psbt").await,
    ];
    assert_eq!(first.submit(&files[0]).await.body["status"], "success");
    // Signed for the second person, so nothing but the conflict is wrong with it.
    let conflict = second.submit(&files[1]).await;
    assert_eq!(conflict.status, 409, "{conflict:?}");
    // And the first one's very file was signed for somebody else.
    let foreign = second.submit(&files[0]).await;
    assert_eq!(foreign.body["code"], "other-statement");
}

#[tokio::test]
async fn a_quiet_stream_does_not_keep_the_server_from_stopping() {
    let app = TestApp::development().await;
    let mut stream = app
        .request(Method::GET, "/api/rest/v1/profiles/changes")
        .send()
        .await
        .unwrap();
    stream.chunk().await.unwrap().expect("the opening");
    app.state.live.close();
    let rest = tokio::time::timeout(std::time::Duration::from_secs(10), async {
        while stream.chunk().await.unwrap().is_some() {}
    });
    rest.await.expect("the stream ends");
}
