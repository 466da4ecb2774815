//! What the tests read out of answers.

use std::collections::HashMap;

use axum::http::StatusCode;
use reqwest::Response;
use serde_json::Value;
use url::Url;

/// A session as a client sees it.
#[derive(Clone, Debug)]
pub(in crate::auth) struct Signed {
    pub(in crate::auth) access: String,
    pub(in crate::auth) refresh: String,
    /// The cookie's value, in cookie mode.
    pub(in crate::auth) cookie: Option<String>,
    pub(in crate::auth) user_id: String,
}

/// Reads a session out of a token answer.
pub(in crate::auth) async fn signed(answer: Response) -> Signed {
    let cookie = set_cookie(&answer);
    let (status, body) = read(answer).await;
    assert_eq!(status, 200, "{body}");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    Signed {
        access: text(&body["access_token"]),
        refresh: text(&body["refresh_token"]),
        user_id: text(&body["user"]["id"]),
        cookie: cookie.and_then(|cookie| {
            let (_, value) = cookie.split(';').next()?.split_once('=')?;
            Some(value.to_owned())
        }),
    }
}

/// The whole Set-Cookie header.
pub(in crate::auth) fn set_cookie(answer: &Response) -> Option<String> {
    let value = answer.headers().get("set-cookie")?;
    Some(value.to_str().expect("ASCII").to_owned())
}

/// Status and JSON.
pub(in crate::auth) async fn read(answer: Response) -> (StatusCode, Value) {
    let status = answer.status();
    let text = answer.text().await.expect("a body");
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// Status and code of an error.
pub(in crate::auth) async fn refusal(answer: Response) -> (u16, String) {
    assert_eq!(set_cookie(&answer), None, "an error sets no cookie");
    let (status, body) = read(answer).await;
    let code = body["code"].as_str().unwrap_or_default();
    assert_eq!(body["error_code"], code, "{body}");
    (status.as_u16(), code.to_owned())
}

/// The parameters of a redirect to the callback page.
pub(in crate::auth) fn location(answer: &Response) -> HashMap<String, String> {
    assert_eq!(answer.status(), 302);
    let location = answer.headers()["location"].to_str().expect("ASCII");
    let url = Url::parse(location).expect("an absolute address");
    assert_eq!(url.path(), "/auth/callback");
    assert_eq!(url.fragment(), None);
    url.query_pairs().into_owned().collect()
}
