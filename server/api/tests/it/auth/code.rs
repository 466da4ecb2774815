//! The code that carries a sign-in to the page: single-use, short-lived, bound to its verifier.

use super::*;

on_both!(
    a_code_that_comes_again_ends_what_it_began,
    of_many_exchanges_of_one_code_one_wins,
);

/// RFC 6749, section 4.1.2: two clients have the code, and the server cannot know which one is honest.
async fn a_code_that_comes_again_ends_what_it_began(database: TestDatabase) {
    let site = site_on(database).await;
    let right = verifier();
    let code = site.code(&right).await;
    let begun = signed(&site.exchange(&code, &right, None, None).await);
    let bystander = site.program().await;
    assert!(site.is_in(&begun.access).await);
    // Much later, when the code would have expired anyway.
    site.state.clock.advance(3_000);
    let again = site.exchange(&code, &verifier(), None, None).await;
    assert_eq!(again.problem(), (400, "flow_state_not_found"));
    let user = site.user(&begun.access).await;
    assert_eq!(user.problem(), (401, "session_not_found"));
    let refreshed = site.renew(&begun).await;
    assert_eq!(refreshed.problem(), (400, "session_not_found"));
    assert!(site.is_in(&bystander.access).await);
}

async fn of_many_exchanges_of_one_code_one_wins(database: TestDatabase) {
    let site = site_on(database).await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let attempts = (0..20).map(|_| site.exchange(&code, &verifier, None, None));
    let answers = join_all(attempts).await;
    let won = answers.iter().filter(|answer| answer.status == 200);
    assert_eq!(won.count(), 1);
}

#[tokio::test]
async fn a_code_lasts_a_minute_and_a_wrong_verifier_uses_it_up() {
    let (site, right) = (site().await, verifier());
    for (seconds, verifiers, expected) in [
        (59, &[&right][..], &[None][..]),
        (60, &[&right], &[Some("flow_state_expired")]),
        (
            0,
            &[&verifier(), &right],
            &[Some("bad_code_verifier"), Some("flow_state_not_found")],
        ),
    ] {
        let code = site.code(&right).await;
        site.state.clock.advance(seconds);
        for (verifier, expected) in verifiers.iter().zip(expected) {
            let answer = site.exchange(&code, verifier, None, None).await;
            let code = answer.body["code"].as_str();
            assert_eq!(code, *expected, "{seconds}");
            assert_eq!(answer.status, if code.is_none() { 200 } else { 400 });
        }
    }
}

#[tokio::test]
async fn only_s256_will_do() {
    let site = site().await;
    let (verifier, method) = (verifier(), "code_challenge_method");
    let challenge = challenge(&verifier);
    for parameters in [
        &[("code_challenge", challenge.as_str())][..],
        &[("code_challenge", &verifier), (method, "plain")],
    ] {
        let all = [&[("provider", "mock")], parameters].concat();
        let target = location(&site.authorize(&all).await);
        assert_eq!(target["error"], "invalid_request", "{parameters:?}");
        assert_eq!(target["error_code"], "validation_failed");
        assert!(!target.contains_key("code"));
    }
    assert_eq!(site.people().await, 0, "nobody was signed in");
}
