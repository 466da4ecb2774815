//! Metrics, on an address of their own.

use std::net::SocketAddr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::support::app::{answer, sign_in_at};
use crate::support::database::TestDatabase;
use crate::support::http_client;
use crate::support::node::free_port;
use crate::support::process::ServerProcess;

#[tokio::test]
async fn what_happens_is_counted() {
    let database = TestDatabase::sqlite().await;
    let metrics = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let listen = format!("--metrics-listen={metrics}");
    let server = ServerProcess::start(&database.url, &[&listen]).await;
    let session = sign_in_at(&server.origin).await;
    let token = session["access_token"].as_str().expect("a token");
    let id = session["user"]["id"].as_str().expect("an id");
    let client = http_client();
    let changes = format!("{}/api/rest/v1/profiles/changes", server.origin);
    let _open = client.get(changes).send().await.expect("a stream");
    let rank = format!("{}/api/functions/v1/getUserRank/{id}", server.origin);
    client
        .get(rank)
        .bearer_auth(token)
        .send()
        .await
        .expect("an answer");
    let nonsense =
        json!({"psbtBase64": STANDARD.encode("nonsense"), "utxos": [], "file_name": "a.psbt"});
    let submit = format!("{}/api/functions/v1/submit-proof", server.origin);
    let refused = answer(client.post(submit).bearer_auth(token).json(&nonsense)).await;
    let code = refused.body["code"].as_str().expect("a code").to_owned();

    let page = client.get(format!("http://{metrics}/metrics")).send().await;
    let page = page.expect("metrics").text().await.expect("text");
    let has = |parts: &[&str]| {
        let found = page
            .lines()
            .any(|line| parts.iter().all(|part| line.contains(part)));
        assert!(found, "{parts:?} is not in\n{page}");
    };
    let route = "route=\"/api/functions/v1/getUserRank/{user_id}\"";
    has(&[
        "http_request_duration_seconds_bucket",
        "method=\"GET\"",
        "status=\"200\"",
        "le=\"0.1\"",
    ]);
    has(&[
        "http_request_duration_seconds_count",
        "/api/functions/v1/getUserRank/{",
    ]);
    has(&["submissions_total", &format!("outcome=\"{code}\""), " 1"]);
    has(&["live_streams 1"]);
    has(&["database_connections", "state=\"idle\""]);
    has(&["chain_tip_height "]);
    has(&["chain_answers 1"]);
    has(&["unknown_coins 0"]);
    has(&["job_runs_total", "result=\"ok\""]);
    // Nothing that callers fill in becomes a series, and nobody is named.
    assert!(!page.contains(id), "{route}\n{page}");
    // People do not reach it where they are served.
    let public = client
        .get(format!("{}/metrics", server.origin))
        .send()
        .await;
    let public = public.expect("an answer").text().await.expect("text");
    assert!(!public.contains("submissions_total"));
}
