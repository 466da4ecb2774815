//! Signing in as the web app does it.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use super::app::Answer;
use super::direct_client;

/// A verifier in the client library's format: 112 hex digits (RFC 7636).
pub(crate) fn verifier() -> String {
    hex::encode(rand::random::<[u8; 56]>())
}

/// Its S256 challenge.
pub(crate) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// The parameters of a redirect to the callback page.
pub(crate) fn location(answer: &Answer) -> HashMap<String, String> {
    assert_eq!(answer.status, 302, "{answer:?}");
    let url = Url::parse(answer.header("location")).expect("an absolute address");
    assert_eq!((url.path(), url.fragment()), ("/auth/callback", None));
    url.query_pairs().into_owned().collect()
}

/// A new mock user on the server at `origin`: the code for the page to exchange.
pub(crate) async fn code_at(origin: &str, verifier: &str) -> String {
    let authorize = format!("{origin}/api/auth/v1/authorize");
    let challenge = challenge(verifier);
    let request = direct_client().get(authorize).query(&[
        ("provider", "mock"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "s256"),
    ]);
    let answer = Answer::read(request.send().await.expect("an answer")).await;
    location(&answer).remove("code").expect("a code")
}

/// A new mock user at the server at `origin` whose pages are at `site`: the response with the session and its cookie.
pub(crate) async fn sign_in_from(origin: &str, site: &str) -> Answer {
    let verifier = verifier();
    let code = code_at(origin, &verifier).await;
    let token = format!("{origin}/api/auth/v1/token?grant_type=pkce");
    let request = direct_client().post(token).header("origin", site);
    let body = json!({"auth_code": code, "code_verifier": verifier});
    let session = request.json(&body).send().await.expect("an answer");
    let session = Answer::read(session).await;
    assert_eq!(session.status, 200, "{session:?}");
    session
}

/// The same where the pages are at the server's own address: the session.
pub(crate) async fn sign_in_at(origin: &str) -> Value {
    sign_in_from(origin, origin).await.body
}
