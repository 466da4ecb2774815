//! Rows travel compressed to whoever can read that; streams never, or their events would wait for each other.

use std::io::Read;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;

#[tokio::test]
async fn rows_are_compressed_and_streams_are_not() {
    let app = TestApp::development().await;
    for _ in 0..3 {
        app.sign_in().await;
    }
    let rows = "/api/rest/v1/profiles?select=*";
    let plain = app.get(rows).await.body;
    let packed = app
        .request(Method::GET, rows)
        .header("accept-encoding", "gzip")
        .header("prefer", "count=exact")
        .send()
        .await
        .expect("rows");
    assert_eq!(packed.headers()["content-range"], "0-2/3");
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    let vary = packed.headers()["vary"].to_str().expect("text");
    assert!(vary.contains("accept-encoding"), "{vary}");
    let packed = packed.bytes().await.expect("rows");
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(packed.as_ref())
        .read_to_string(&mut unpacked)
        .expect("gzip");
    let unpacked: Value = serde_json::from_str(&unpacked).expect("rows");
    assert_eq!(unpacked, plain);

    let mut stream = app
        .request(Method::GET, "/api/rest/v1/profiles/changes")
        .header("accept-encoding", "gzip, br")
        .send()
        .await
        .expect("a stream");
    assert!(stream.headers().get("content-encoding").is_none());
    stream
        .chunk()
        .await
        .expect("a stream")
        .expect("the opening");
}

/// The answer to what was written is no exception.
#[tokio::test]
async fn who_refuses_every_coding_gets_what_was_asked_for_as_it_is() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let own = format!("/api/rest/v1/profiles?id=eq.{}", person.id);
    for accepted in ["identity;q=0", "*;q=0", "br;q=0, identity;q=0"] {
        for _ in ["made", "at hand"] {
            let asked = app.request(Method::GET, &own);
            let rows = asked.header("accept-encoding", accepted).send().await;
            let rows = rows.expect("rows");
            assert_eq!(rows.status(), 200, "{accepted}");
            assert!(rows.headers().get("content-encoding").is_none());
        }
        let written = app
            .request(Method::PATCH, &own)
            .bearer_auth(&person.token)
            .header("accept-encoding", accepted)
            .json(&json!({ "tier": "free" }))
            .send()
            .await;
        assert_eq!(written.expect("an answer").status(), 204, "{accepted}");
    }
}
