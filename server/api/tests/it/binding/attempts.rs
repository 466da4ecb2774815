//! How many files of a user may fail (rule C8).

use bitcoin::consensus::encode::serialize;
use bitcoin::{Amount, TxOut};

use super::*;
use crate::forge::{Lock, Single, signed, spend};
use crate::funding::coins_with;

const GARBAGE: &[u8] = b"psbt\xffgarbage";

#[tokio::test]
async fn ten_failures_an_hour() {
    let app = TestApp::development().await;
    let (person, other) = (app.sign_in().await, app.sign_in().await);
    let file = person.sample("self-transfer.psbt").await;
    let unbound = person.sample("unbound.psbt").await;
    // Successes do not count, however many.
    for _ in 0..15 {
        assert_eq!(person.submit(&file).await.status, 200);
    }
    for _ in 0..5 {
        refused(&person.submit(GARBAGE).await, 400, "could-not-parse");
        refused(&person.submit(&unbound).await, 422, "not-bound");
    }
    let said = refused(&person.submit(&file).await, 429, "too-many-attempts");
    assert!(said.contains("minutes"), "{said}");
    // The limit is for this account only.
    refused(&other.submit(GARBAGE).await, 400, "could-not-parse");

    let body = json!({"psbtBase64": "", "file_name": "a.psbt"});
    let request = person.request(reqwest::Method::POST, "/api/functions/v1/submit-proof");
    let response = request.json(&body).send().await.expect("an answer");
    let wait: i64 = response.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=HOUR).contains(&wait));
    app.state.clock.advance(wait);
    assert_eq!(person.submit(&file).await.status, 200);
}

#[tokio::test]
async fn many_at_once_do_not_get_around_the_limit() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let attempts = (0..40).map(|_| person.submit(GARBAGE));
    let answers = futures_util::future::join_all(attempts).await;
    let count = |status| {
        answers
            .iter()
            .filter(|answer| answer.status == status)
            .count()
    };
    assert_eq!((count(400), count(429)), (10, 30));
}

/// Rule A11.
#[tokio::test]
async fn a_file_that_is_worth_nothing_is_a_failure_too() {
    let node = Node::shared().await;
    let app = optional_app(node).await;
    let person = app.sign_in().await;
    let owner = Single::new(Lock::Wpkh);
    let nothing = TxOut {
        value: Amount::ZERO,
        script_pubkey: owner.script_pubkey(),
    };
    let coins = coins_with(node, vec![nothing.clone()]).await;
    let mut transaction = spend(&coins);
    transaction.output = vec![nothing];
    let file = serialize(&signed(&owner, transaction, &coins));
    for _ in 0..10 {
        let answer = submit(node, &person, &file).await;
        let said = refused(&answer, 422, "coin-zero-value");
        assert!(
            said.starts_with("Input 1 spends a coin of 0 sats"),
            "{said}"
        );
        assert_eq!(answer.body["input"], 0);
    }
    let answer = submit(node, &person, &file).await;
    refused(&answer, 429, "too-many-attempts");
    assert_eq!(person.profile().await["verified"], false);
}
