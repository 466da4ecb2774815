//! Files that prove nothing, and requests without a session.

use api::http::functions::submit_proof::status_of;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::json;
use verify::Refusal;

use super::refused;
use crate::support::app::{TestApp, answer};

#[tokio::test]
async fn files_that_are_no_psbt_are_told_so() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let good = person.sample("self-transfer.psbt").await;
    let half = &good[..good.len() / 2];
    let not_psbt = "Please upload a valid PSBT file (.psbt extension)";
    let short = "Invalid PSBT: File too short";
    let magic = "Invalid PSBT: Invalid magic number";
    let parse = "Invalid PSBT: Could not parse.";
    let cases: [(&str, &[u8], &str, &str); 5] = [
        ("proof.pdf", &good, "extension", not_psbt),
        ("a.psbt", b"", "file-too-short", short),
        ("a.psbt", b"psbt", "file-too-short", short),
        ("a.psbt", &[7, 1, 250, 3, 9], "invalid-magic", magic),
        ("a.psbt", half, "could-not-parse", parse),
    ];
    for (name, file, code, message) in cases {
        let answer = person
            .submit_as(name, &STANDARD.encode(file), json!([]))
            .await;
        refused(&person, &answer, 400, code).await;
        let said = answer.body["message"].as_str().unwrap_or_default();
        assert!(said.starts_with(message), "{said}");
    }
}

#[tokio::test]
async fn what_is_too_large_is_not_read() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    // The size of a 50 MB file in a request.
    let answer = person.submit(&vec![0; 50 * 1024 * 1024]).await;
    refused(&person, &answer, 413, "too-large").await;
}

/// The server accepts exactly the sizes that it gives the app, which refuses larger files itself.
#[tokio::test]
async fn each_address_reads_as_much_as_it_takes_and_no_more() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let config = app.get("/api/functions/v1/app-config").await;
    let largest = config.body["max_body_bytes"].as_u64().expect("a number");
    assert_eq!(largest, 2 * 1024 * 1024);
    let with_file = usize::try_from(largest).expect("memory for it");
    let own_row = format!("/api/rest/v1/profiles?id=eq.{}", person.id);
    for (method, path, most) in [
        (Method::POST, "/api/functions/v1/submit-proof", with_file),
        (
            Method::POST,
            "/api/functions/v1/development-sign",
            with_file,
        ),
        (Method::POST, "/api/functions/v1/client-log", 16 * 1024),
        (
            Method::POST,
            "/api/functions/v1/create-stripe-session",
            16 * 1024,
        ),
        (
            Method::POST,
            "/api/auth/v1/token?grant_type=pkce",
            16 * 1024,
        ),
        (
            Method::POST,
            "/api/rest/v1/profiles?on_conflict=id",
            16 * 1024,
        ),
        (Method::PATCH, &own_row, 16 * 1024),
    ] {
        for (length, too_large) in [(most, false), (most + 1, true)] {
            let request = app.request(method.clone(), path).bearer_auth(&person.token);
            let request = request.header("content-type", "application/json");
            let answer = answer(request.body(" ".repeat(length))).await;
            assert_eq!(
                answer.status == 413,
                too_large,
                "{length} to {path}: {answer:?}"
            );
        }
    }
}

#[tokio::test]
async fn only_the_signed_in_submit() {
    let app = TestApp::development().await;
    let body = json!({"psbtBase64": "", "utxos": [], "file_name": "a.psbt"});
    let request = app.request(Method::POST, "/api/functions/v1/submit-proof");
    let answer = answer(request.json(&body)).await;
    assert_eq!(answer.status, 401);
    assert_eq!(answer.body["status"], "error");
}

/// A body of these sizes is refused before it is read.
#[test]
fn files_beyond_the_limits_are_too_large() {
    for refusal in [
        Refusal::TooHeavy {
            weight: 400_001,
            limit: 400_000,
        },
        Refusal::File(psbt_wasm::Error::FileTooLarge),
    ] {
        assert_eq!(status_of(&refusal).as_u16(), 413, "{refusal}");
    }
}
