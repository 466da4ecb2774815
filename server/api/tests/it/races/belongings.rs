//! What a user owns, shows and buys, while the account is being deleted.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::support::app::{Person, TestApp, answer};
use crate::support::database::{TestDatabase, on_both};
use crate::support::stripe::Stripe;

on_both!(what_one_has_shows_and_buys_while_the_account_is_deleted_is_no_failure);

async fn what_one_has_shows_and_buys_while_the_account_is_deleted_is_no_failure(
    database: TestDatabase,
) {
    let stripe = Stripe::start().await;
    let arguments = stripe.arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let app = TestApp::start(database, &arguments).await;
    for round in 0..10 {
        let hal = app.sign_in().await;
        let mock = hal.sample("wallet_verification.psbt").await;
        hal.submit(&mock).await;
        let file = hal.sample("self-transfer.psbt").await;
        // After publishing, a user cannot show a range; without a publication there is nothing to withdraw.
        let proof = answer(upload(&hal, &file, round % 2 == 0)).await;
        assert_eq!(proof.status, 200, "{proof:?}");
        let another = hal.sample("cold-storage-multisig.psbt").await;
        let id = proof.body["proof_id"].as_str().expect("an id");
        let others = requests(&hal, id, &another).into_iter().map(answer);
        let deleted = async {
            // At varying times.
            for _ in 0..round * 10 {
                tokio::task::yield_now().await;
            }
            answer(hal.request(Method::POST, "/api/functions/v1/delete-account")).await
        };
        let (mut answers, deleted) = tokio::join!(join_all(others), deleted);
        assert_eq!(deleted.status, 200, "{deleted:?}");
        answers.push(deleted);
        for answer in answers {
            assert!(answer.status.as_u16() < 500, "{round}: {answer:?}");
        }
    }
}

fn upload(person: &Person<'_>, file: &[u8], publish: bool) -> RequestBuilder {
    let body =
        json!({"psbtBase64": STANDARD.encode(file), "file_name": "a.psbt", "publish": publish});
    let submit = "/api/functions/v1/submit-proof";
    person.request(Method::POST, submit).json(&body)
}

fn requests(hal: &Person<'_>, proof: &str, another: &[u8]) -> Vec<RequestBuilder> {
    let get = |path: &str| hal.request(Method::GET, &format!("/api/functions/v1/{path}"));
    let id = &hal.id;
    let row = format!("/api/rest/v1/profiles?id=eq.{id}");
    let withdrawn = format!("/api/functions/v1/proofs/{proof}");
    let mock = format!("/api/rest/v1/psbts?user_id=eq.{id}&file_name=eq.wallet_verification.psbt");
    let checkout = hal.request(Method::POST, "/api/functions/v1/create-stripe-session");
    let shown = |how: &str| json!({"id": id, "shown_as": how});
    vec![
        checkout.json(&json!({"user_id": id, "email": null})),
        get("export-account"),
        get("receipt"),
        get("holdings-history"),
        get(&format!("getUserRank/{id}")),
        get(&format!("proofs/{proof}")),
        hal.request(Method::DELETE, &withdrawn),
        hal.request(Method::PATCH, &row).json(&shown("range")),
        hal.request(Method::POST, "/api/rest/v1/profiles")
            .json(&shown("exact")),
        hal.request(Method::DELETE, &mock),
        upload(hal, another, true),
    ]
}
