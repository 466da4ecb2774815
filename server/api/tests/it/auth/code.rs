//! The code that carries a sign-in back to the page: single-use, short-lived, bound to its verifier.

use super::site::answer::{location, refusal, signed};
use super::site::{Site, challenge, verifier};
use crate::support::database::{TestDatabase, on_both};

on_both!(
    a_code_that_comes_again_ends_what_it_began,
    of_many_exchanges_of_one_code_one_wins,
);

/// RFC 6749, section 4.1.2: somebody else has the code, and nobody knows who was first.
async fn a_code_that_comes_again_ends_what_it_began(database: TestDatabase) {
    let site = Site::start(database).await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let begun = signed(site.exchange(&code, &verifier, None, None).await).await;
    let bystander = site.program().await;
    assert_eq!(site.user(&begun.access).await.status(), 200);
    // Much later, when the code would be too old anyway.
    site.clock.advance(3_000);
    let again = site
        .exchange(&code, &super::site::verifier(), None, None)
        .await;
    assert_eq!(
        refusal(again).await,
        (400, "flow_state_not_found".to_owned())
    );
    assert_eq!(
        refusal(site.user(&begun.access).await).await,
        (401, "session_not_found".to_owned())
    );
    let refreshed = site.refresh(&begun.refresh, None, None).await;
    assert_eq!(
        refusal(refreshed).await,
        (400, "session_not_found".to_owned())
    );
    assert_eq!(site.user(&bystander.access).await.status(), 200);
}

async fn of_many_exchanges_of_one_code_one_wins(database: TestDatabase) {
    let site = Site::start(database).await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let attempts = (0..20).map(|_| site.exchange(&code, &verifier, None, None));
    let answers = futures_util::future::join_all(attempts).await;
    let won = answers.iter().filter(|answer| answer.status() == 200);
    assert_eq!(won.count(), 1);
}

#[tokio::test]
async fn a_wrong_verifier_uses_the_code_up() {
    let site = Site::sqlite().await;
    let right = verifier();
    let code = site.code(&right).await;
    let wrong = site.exchange(&code, &verifier(), None, None).await;
    assert_eq!(refusal(wrong).await, (400, "bad_code_verifier".to_owned()));
    let late = site.exchange(&code, &right, None, None).await;
    assert_eq!(
        refusal(late).await,
        (400, "flow_state_not_found".to_owned())
    );
}

#[tokio::test]
async fn a_code_lasts_a_minute() {
    let site = Site::sqlite().await;
    let verifier = verifier();
    let in_time = site.code(&verifier).await;
    site.clock.advance(59);
    let answer = site.exchange(&in_time, &verifier, None, None).await;
    assert_eq!(answer.status(), 200);
    let late = site.code(&verifier).await;
    site.clock.advance(60);
    let answer = site.exchange(&late, &verifier, None, None).await;
    assert_eq!(
        refusal(answer).await,
        (400, "flow_state_expired".to_owned())
    );
}

#[tokio::test]
async fn only_s256_will_do() {
    let site = Site::sqlite().await;
    let verifier = verifier();
    let challenge = challenge(&verifier);
    for parameters in [
        &[][..],
        &[("code_challenge", challenge.as_str())],
        &[("code_challenge_method", "s256")],
        &[
            ("code_challenge", verifier.as_str()),
            ("code_challenge_method", "plain"),
        ],
        &[
            ("code_challenge", "short"),
            ("code_challenge_method", "s256"),
        ],
    ] {
        let mut all = vec![("provider", "mock")];
        all.extend(parameters);
        let target = location(&site.authorize(&all).await);
        assert_eq!(target["error"], "invalid_request", "{parameters:?}");
        assert_eq!(target["error_code"], "validation_failed");
        assert!(!target.contains_key("code"));
    }
    let users = site.state.store.profile_ids().await.expect("a database");
    assert_eq!(users.len(), 0, "nobody was signed in");
}
