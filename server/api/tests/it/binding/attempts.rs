//! How many files of a user may fail (rule C8). `store/attempts.rs` counts them.

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
    let answer = person.submit(&file).await;
    let said = refused(&answer, 429, "too-many-attempts");
    assert!(said.contains("minutes"), "{said}");
    // The limit is for this account only.
    refused(&other.submit(GARBAGE).await, 400, "could-not-parse");
    let wait: i64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=HOUR).contains(&wait));
    app.state.clock.advance(wait);
    assert_eq!(person.submit(&file).await.status, 200);
}

#[tokio::test]
async fn many_at_once_do_not_get_around_the_limit() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let attempts = (0..40).map(|_| person.submit(GARBAGE));
    let mut statuses: Vec<_> = futures_util::future::join_all(attempts)
        .await
        .iter()
        .map(|answer| answer.status.as_u16())
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [[400; 10].as_slice(), &[429; 30]].concat());
}

/// Rule A11.
#[tokio::test]
async fn a_file_that_is_worth_nothing_is_a_failure_too() {
    let scene = Scene::optional().await;
    let person = scene.app.sign_in().await;
    let owner = Single::new(Lock::Wpkh);
    let nothing = crate::forge::pay(0, owner.script_pubkey());
    let coins = coins_with(scene.node, vec![nothing.clone()]).await;
    let mut transaction = spend(&coins);
    transaction.output = vec![nothing];
    let file = serialize(&signed(&owner, transaction, &coins));
    for _ in 0..10 {
        let answer = scene.submit(&person, &file).await;
        let said = refused(&answer, 422, "coin-zero-value");
        assert!(
            said.starts_with("Input 1 spends a coin of 0 sats"),
            "{said}"
        );
        assert_eq!(answer.body["input"], 0);
    }
    let answer = scene.submit(&person, &file).await;
    refused(&answer, 429, "too-many-attempts");
    nothing_recorded(&person).await;
}
