//! Responses that follow from the request and a small board, as text: who gets what, with which headers and codes.

use crate::support::exchanges::exchange;
use crate::support::prelude::*;

/// The policy of the pages that look up coins.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; font-src 'self'; \
    connect-src 'self' https: http://localhost:* http://127.0.0.1:*; worker-src 'self'; form-action 'none'; base-uri 'none'; \
    frame-ancestors 'none'";

#[tokio::test]
async fn visitors_get_what_is_written() {
    let app = TestApp::with(&["--legal-company=An <Example> Company"]).await;
    let script = include_str!("exchanges/visitors.txt");
    exchange(&app, script, &[("policy", POLICY)]).await;
}

/// A board of five users; four of them hold something.
pub(crate) async fn board() -> TestApp {
    let app = TestApp::development().await;
    app.state.proving.follower.step().await.unwrap();
    for (provider, name, sats) in [
        ("twitter", "whale", 10_000_000_000),
        ("github", "octo", 9_999_999_999),
        ("github", "=octo,\"2\"", 150_000_000),
        ("google", "two words", 1),
        ("twitter", "nobody", 0),
    ] {
        let person = sign_in(&app.state, provider, name, None).await;
        if sats > 0 {
            prove(&app.state, &person, sats).await;
        }
    }
    app
}

#[tokio::test]
async fn readers_of_a_board_get_what_is_written() {
    exchange(&board().await, include_str!("exchanges/board.txt"), &[]).await;
}

#[tokio::test]
async fn the_examples_of_the_document_are_true() {
    let document = include_str!("../../../docs/postgrest.md");
    let (_, examples) = document.split_once("```text\n").unwrap();
    let (examples, _) = examples.split_once("```").unwrap();
    assert_eq!(examples.matches("GET ").count(), 20, "{examples}");
    exchange(&board().await, examples.trim_end(), &[]).await;
}

#[tokio::test]
async fn users_get_their_own_and_nothing_else() {
    let app = TestApp::development().await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let name = format!("user_{}", &hal.id[..5]);
    let mut names = vec![("hal", &*hal.id), ("as_hal", &*hal.token)];
    names.extend([("eve", &*eve.id), ("as_eve", &*eve.token)]);
    names.push(("hal_name", &name));
    exchange(&app, include_str!("exchanges/user.txt"), &names).await;
    for sample in ["self-transfer.psbt", "cold-storage-multisig.psbt"] {
        let uploaded = hal.upload(&hal.sample(sample).await, true).await;
        assert_eq!(uploaded.status, 200, "{uploaded:?}");
    }
    let proof = text(&app.get("/api/functions/v1/proofs").await.body["proofs"][0]["id"]);
    names.push(("proof", &proof));
    exchange(&app, include_str!("exchanges/holder.txt"), &names).await;
}
