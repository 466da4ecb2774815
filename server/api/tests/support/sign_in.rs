//! Signing in as the web app does it.

use api::sign_in::SignIn;
use api::sign_in::origin::Caller;
use sha2::{Digest, Sha256};
use store::sessions::Session;

use crate::support::prelude::*;

/// A verifier in the client library's format: 112 hex digits (RFC 7636).
pub(crate) fn verifier() -> String {
    hex::encode(rand::random::<[u8; 56]>())
}

/// Its S256 challenge.
pub(crate) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// A user of this name who has signed in as a program, without a browser: the session and its access token.
pub(crate) async fn signed_in(room: &SignIn, name: &str) -> (Session, String) {
    let (identity, verifier) = (identity("twitter", name), verifier());
    let code = room.admit(&identity, challenge(&verifier), false).await;
    let code = code.unwrap();
    let granted = room.exchange(Caller::Program, &code, &verifier, None);
    let granted = granted.await.unwrap();
    (granted.session, granted.access_token)
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
    let authorize = format!("{origin}/api/auth/v1/authorize?provider=mock");
    let challenge = challenge(verifier);
    let address = format!("{authorize}&code_challenge={challenge}&code_challenge_method=s256");
    let answer = direct_client().get(address).send().await;
    let answer = Answer::read(answer.unwrap()).await;
    let code = location(&answer).remove("code");
    code.unwrap_or_else(|| panic!("{answer:?}"))
}

/// A new mock user at the server at `origin` whose pages are at `site`: the response with the session and its cookie.
pub(crate) async fn sign_in_from(origin: &str, site: &str) -> Answer {
    let verifier = verifier();
    let code = code_at(origin, &verifier).await;
    let token = format!("{origin}/api/auth/v1/token?grant_type=pkce");
    let request = direct_client().post(token).header("origin", site);
    let body = json!({"auth_code": code, "code_verifier": verifier});
    let session = request.json(&body).send().await.unwrap();
    let session = Answer::read(session).await;
    assert_eq!(session.status, 200, "{session:?}");
    session
}

/// The same where the pages are at the server's own address: the session.
pub(crate) async fn sign_in_at(origin: &str) -> Value {
    sign_in_from(origin, origin).await.body
}
