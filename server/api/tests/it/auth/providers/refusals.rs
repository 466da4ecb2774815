//! Sign-ins that fail: no one is signed in, the user gets a message, and the next attempt can succeed.

use super::*;

const BAD_STATE: &str = "invalid_request bad_oauth_state";
const BAD_CALLBACK: &str = "invalid_request bad_oauth_callback";
const DENIED: &str = "access_denied access_denied";
const UNAVAILABLE: &str = "temporarily_unavailable provider_unavailable";

#[tokio::test]
async fn provider_errors_are_shown_in_our_own_words() {
    let (fixture, browser) = Fixture::open().await;
    for (provider, _) in oauth() {
        let (provider, title) = (provider.name, provider.title());
        fixture.providers.person(provider, Value::Null).await;
        for (code, error, expected) in [
            (None, Some("access_denied"), DENIED),
            (Some("a code"), Some("access_denied"), DENIED),
            (None, Some("server_error"), BAD_CALLBACK),
            (None, Some("<script>"), BAD_CALLBACK),
            (None, None, BAD_CALLBACK),
        ] {
            let attempt = fixture.visit(&browser, provider).await;
            assert!(attempt.callback.as_str().contains("refused"));
            let failed = with(&attempt.callback, "error", error);
            let (said, sentence) = refused(&browser, &with(&failed, "code", code)).await;
            assert_eq!(said, expected, "{error:?}");
            assert!(sentence.contains(title) && !sentence.contains("refused"));
        }
    }
    assert_eq!(fixture.site.people().await, 0);
    // The user can sign in afterwards.
    let alice = x_user("1", "alice");
    fixture.providers.person("twitter", alice).await;
    fixture.sign_in(&browser, "twitter").await;
}

#[tokio::test]
async fn a_provider_code_works_once() {
    let (fixture, browser) = Fixture::open().await;
    // GitHub refuses with status 200, X with an error status.
    for provider in ["twitter", "github"] {
        let first = fixture.visit(&browser, provider).await;
        let session = fixture.finish(&browser, &first).await;
        let mut pairs = first.callback.query_pairs();
        let (_, used) = pairs.find(|(name, _)| name == "code").unwrap();
        for code in [&used, "invented"] {
            let attempt = fixture.visit(&browser, provider).await;
            let replayed = with(&attempt.callback, "code", Some(code));
            assert_eq!(refused(&browser, &replayed).await.0, BAD_CALLBACK);
        }
        // The earlier session continues.
        fixture.user(&session.access).await;
    }
}

#[tokio::test]
async fn a_callback_works_once() {
    let (fixture, browser) = Fixture::open().await;
    let attempt = fixture.visit(&browser, "twitter").await;
    let got = land(&browser, &attempt.callback).await;
    let again = async || refused(&browser, &attempt.callback).await.0;
    // Back and forward in the history, before and after the code has been used.
    assert_eq!(again().await, BAD_STATE);
    fixture.exchange(&attempt, &got).await;
    assert_eq!(again().await, BAD_STATE);
    assert_eq!(fixture.tokens_asked_for("twitter").await, 1);
    // Many at once, too.
    let attempt = fixture.visit(&browser, "twitter").await;
    let landings = join_all((0..8).map(|_| land(&browser, &attempt.callback))).await;
    let codes = landings.iter().filter(|got| got.contains_key("code"));
    assert_eq!(codes.count(), 1);
    assert_eq!(fixture.tokens_asked_for("twitter").await, 2);
}

/// A state that is not ours, the callback of another provider, and a response of another issuer: X does not send its own.
#[tokio::test]
async fn a_changed_callback_signs_nobody_in() {
    let (fixture, browser) = Fixture::open().await;
    let google = fixture.providers.address("google");
    let long = "x".repeat(4000);
    let attempt = fixture.visit(&browser, "twitter").await;
    let states = ["", "forged", "%00\r\n", &long].map(Some);
    for state in states.into_iter().chain([None]) {
        let forged = with(&attempt.callback, "state", state);
        assert_eq!(refused(&browser, &forged).await.0, BAD_STATE, "{state:?}");
    }
    for (other, status) in [("google", 302), ("github", 302), ("mock", 404)] {
        let mut mixed_up = fixture.visit(&browser, "twitter").await.callback;
        mixed_up.set_path(&format!("/api/auth/v1/callback/{other}"));
        let response = Answer::read(browser.open(&mixed_up).await).await;
        assert_eq!(response.status, status, "{other}");
        if status == 302 {
            assert_eq!(location(&response)["error_code"], "bad_oauth_state");
            assert_eq!(fixture.tokens_asked_for(other).await, 0);
        }
    }
    let mut bare = attempt.callback.clone();
    bare.set_query(None);
    assert_eq!(refused(&browser, &bare).await.0, BAD_STATE);
    for issuer in [google, ""] {
        let attempt = fixture.visit(&browser, "twitter").await;
        let callback = with(&attempt.callback, "iss", Some(issuer));
        assert_eq!(refused(&browser, &callback).await.0, BAD_CALLBACK);
    }
    // None of it reached the provider, and the real callback is still valid.
    assert_eq!(fixture.tokens_asked_for("twitter").await, 0);
    assert_eq!(fixture.site.people().await, 0);
    fixture.finish(&browser, &attempt).await;
}

#[tokio::test]
async fn another_browser_cannot_complete_a_sign_in() {
    let (fixture, attacker) = Fixture::open().await;
    // The attacker lures the victim to the attacker's callback address, to sign the victim in as the attacker.
    let (without_cookie, with_own) = (Browser::new(), Browser::new());
    fixture.leave(&with_own, "twitter").await;
    let session = fixture.sign_in(&Browser::new(), "github").await;
    let cookie = format!("por-refresh={}", session.cookie.as_deref().unwrap());
    with_own.keep(fixture.site.origin.trim_start_matches("http://"), &cookie);
    for victim in [&without_cookie, &with_own] {
        let attempt = fixture.visit(&attacker, "twitter").await;
        // After that, the sign-in has ended for the attacker as well.
        for browser in [victim, &attacker] {
            assert_eq!(refused(browser, &attempt.callback).await.0, BAD_STATE);
        }
    }
    assert_eq!(fixture.tokens_asked_for("twitter").await, 0);
    assert_eq!(fixture.site.people().await, 1, "the victim alone");
    fixture.user(&session.access).await;
}

#[tokio::test]
async fn a_sign_in_must_be_complete_in_ten_minutes() {
    let (fixture, browser) = Fixture::open().await;
    let attempt = fixture.visit(&browser, "twitter").await;
    fixture.site.state.clock.advance(599);
    fixture.finish(&browser, &attempt).await;

    let attempt = fixture.visit(&browser, "twitter").await;
    fixture.site.state.clock.advance(600);
    let (said, _) = refused(&browser, &attempt.callback).await;
    assert_eq!(said, "invalid_request flow_state_expired");
    assert_eq!(fixture.tokens_asked_for("twitter").await, 1);
}

/// Every useless response except none at all.
#[tokio::test]
async fn an_unusable_provider_response_signs_nobody_in() {
    let (fixture, browser) = Fixture::open().await;
    for provider in names() {
        for endpoint in ["token", "person"] {
            for kind in "server error, garbage, another shape, huge, cut off".split(", ") {
                let fault = json!({ "endpoint": endpoint, "kind": kind });
                fixture.providers.fault(provider, fault).await;
                let (said, _) = fixture.fails(&browser, provider).await;
                assert_eq!(said, UNAVAILABLE, "{provider} {endpoint} {kind}");
            }
        }
        fixture.providers.fault(provider, Value::Null).await;
    }
    assert_eq!(fixture.site.people().await, 0);
    for provider in names() {
        fixture.sign_in(&browser, provider).await;
    }
}

/// Two providers that are silent, and one that is down: nobody waits for ever.
#[tokio::test]
async fn a_provider_that_does_not_respond_is_named() {
    let (fixture, browser) = Fixture::open().await;
    for (provider, endpoint) in [("twitter", "token"), ("github", "person")] {
        let fault = json!({ "endpoint": endpoint, "kind": "slow" });
        fixture.providers.fault(provider, fault).await;
    }
    let other = Browser::new();
    let x = fixture.fails(&browser, "twitter");
    let (x, github) = tokio::join!(x, fixture.fails(&other, "github"));
    assert_eq!((&*x.0, &*github.0), (UNAVAILABLE, UNAVAILABLE));
    // The server gave up first.
    let waited = fixture.providers.seen("twitter", "token").await;
    assert!(waited.iter().any(|it| it["gave_up"] == true), "{waited:?}");
    for provider in ["twitter", "github"] {
        fixture.providers.fault(provider, Value::Null).await;
    }
    fixture.sign_in(&browser, "twitter").await;

    let away = fixture.visit(&browser, "twitter").await;
    fixture.providers.fault("twitter", json!("down")).await;
    let (said, sentence) = refused(&browser, &away.callback).await;
    assert_eq!(said, UNAVAILABLE);
    assert!(sentence.starts_with("X is not responding"), "{sentence}");
    // The others still work.
    fixture.sign_in(&browser, "github").await;
}

#[tokio::test]
async fn a_failed_list_of_addresses_loses_none() {
    let (fixture, browser) = Fixture::open().await;
    let session = fixture.sign_in(&browser, "github").await;
    for kind in ["server error", "garbage", "huge"] {
        let fault = json!({ "endpoint": "emails", "kind": kind });
        fixture.providers.fault("github", fault).await;
        assert_eq!(fixture.fails(&browser, "github").await.0, UNAVAILABLE);
    }
    let user = fixture.user(&session.access).await;
    assert_eq!(user["email"], "octo@mail.example");
}
