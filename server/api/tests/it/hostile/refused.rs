//! Malformed requests are refused with a message, instead of being taken for something else.

use super::{Answer, address, exchange};

use crate::support::prelude::*;

#[tokio::test]
async fn what_no_client_says_is_refused() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let own = format!("PATCH {}", person.row());
    let long = "*".repeat(1_001);
    let refused = format!(
        r#"
        GET /healthz | host: b | | 400 | invalid-request
        GET /leaderboard | host: b | | 400 | invalid-request
        GET /profile/a%00b | | | 404 | not-found
        GET /leaderboard?u=%00 | | | 400 | invalid-query
        GET /api/rest/v1/profiles?id=eq.%00 | | | 400 | invalid-query
        GET /api/auth/v1/user?%00 | | | 400 | validation_failed
        GET /api/rest/v1/profiles?username=ilike.a%5C | | | 400 | invalid-query
        GET /api/rest/v1/profiles?username=ilike.{long} | | | 400 | invalid-query
        {own} | | {{"tier": "gold"}} | 400 | invalid-body
        {own} | | ["a", "b"] | 400 | invalid-body
        POST /api/functions/v1/client-log | | ["warn", "a"] | 400 | invalid-body
        POST /api/auth/v1/token?grant_type=pkce | | ["a", "b"] | 400 | bad_json"#
    );
    for [line, header, body, status, code] in table(&refused) {
        let said = ask(&app, &person.token, line, header, body).await;
        let said = (said.status.to_string(), said.code);
        assert_eq!(
            said,
            (status.to_owned(), code.to_owned()),
            "{line} {header} {body}"
        );
    }
}

async fn ask(app: &TestApp, token: &str, line: &str, header: &str, body: &str) -> Answer {
    let mut request = format!("{line} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n");
    if !header.is_empty() {
        request += &format!("{header}\r\n");
    }
    let length = body.len();
    request += &format!(
        "authorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    exchange(address(app), request.as_bytes()).await
}
