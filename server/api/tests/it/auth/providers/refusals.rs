//! Sign-ins that fail, and what the callback page gets then.

use super::*;

const BAD_STATE: (&str, &str) = ("invalid_request", "bad_oauth_state");
const BAD_CALLBACK: (&str, &str) = ("invalid_request", "bad_oauth_callback");
const DENIED: (&str, &str) = ("access_denied", "access_denied");

async fn with_alice() -> (Stage, Browser) {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let alice = x_user("1", "alice");
    stage.providers.person("twitter", alice).await;
    let github = github_user(1, "octo", &json!([]));
    stage.providers.person("github", github).await;
    (stage, Browser::new())
}

#[tokio::test]
async fn what_the_provider_refuses_is_told_in_our_own_words() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let browser = Browser::new();
    for (provider, title) in [("twitter", "X"), ("google", "Google"), ("github", "GitHub")] {
        for (code, error, expected) in [
            (None, Some("access_denied"), DENIED),
            (Some("a code"), Some("access_denied"), DENIED),
            (None, Some("server_error"), BAD_CALLBACK),
            (None, Some("<script>"), BAD_CALLBACK),
            (None, None, BAD_CALLBACK),
        ] {
            let attempt = stage.visit(&browser, provider).await;
            assert!(attempt.callback.as_str().contains("refused"));
            let failed = with(&attempt.callback, "error", error);
            let failed = with(&failed, "code", code);
            let got = stage.land(&browser, &failed).await;
            assert_eq!(refused(&got), expected, "{error:?}");
            let sentence = &got["error_description"];
            assert!(sentence.contains(title), "{sentence}");
            assert!(!format!("{got:?}").contains("<script") && !sentence.contains("refused"));
        }
    }
    assert_eq!(stage.site.people().await, 0);
    // The user can sign in afterwards.
    stage.person("1", "alice").await;
}

#[tokio::test]
async fn a_code_of_the_provider_works_once() {
    let (stage, browser) = with_alice().await;
    // GitHub refuses with status 200, X with an error status.
    for provider in ["twitter", "github"] {
        let first = stage.visit(&browser, provider).await;
        let got = stage.land(&browser, &first.callback).await;
        let session = stage.exchange(&first, &got).await;
        let mut pairs = first.callback.query_pairs();
        let (_, used) = pairs.find(|(name, _)| name == "code").unwrap();
        for code in [&used, "invented"] {
            let attempt = stage.visit(&browser, provider).await;
            let replayed = with(&attempt.callback, "code", Some(code));
            let got = stage.land(&browser, &replayed).await;
            assert_eq!(refused(&got), BAD_CALLBACK, "{provider}");
        }
        // The earlier session continues.
        stage.user(&session.access).await;
    }
}

#[tokio::test]
async fn a_callback_works_once() {
    let (stage, browser) = with_alice().await;
    let attempt = stage.visit(&browser, "twitter").await;
    let land = async || stage.land(&browser, &attempt.callback).await;
    let got = land().await;
    // Back and forward in the history, before and after the code has been used.
    assert_eq!(refused(&land().await), BAD_STATE);
    stage.exchange(&attempt, &got).await;
    assert_eq!(refused(&land().await), BAD_STATE);
    assert_eq!(stage.tokens_asked_for("twitter").await, 1);
    // Many at once, too.
    let attempt = stage.visit(&browser, "twitter").await;
    let landings = (0..8).map(|_| stage.land(&browser, &attempt.callback));
    let landings = join_all(landings).await;
    let codes = landings.iter().filter(|got| got.contains_key("code"));
    assert_eq!(codes.count(), 1);
    assert_eq!(stage.tokens_asked_for("twitter").await, 2);
}

#[tokio::test]
async fn a_state_that_is_not_ours_is_worth_nothing() {
    let (stage, browser) = with_alice().await;
    let attempt = stage.visit(&browser, "twitter").await;
    let long = "x".repeat(4000);
    for state in [
        None,
        Some(""),
        Some("forged"),
        Some("%00\r\n"),
        Some(&*long),
    ] {
        let forged = with(&attempt.callback, "state", state);
        let got = stage.land(&browser, &forged).await;
        assert_eq!(refused(&got), BAD_STATE, "{state:?}");
    }
    let bare = stage.site.auth("GET", "callback/twitter", &[], None).await;
    assert_eq!(refused(&location(&bare)), BAD_STATE);
    // None of it reached the provider, and the real state is still valid.
    assert_eq!(stage.tokens_asked_for("twitter").await, 0);
    let got = stage.land(&browser, &attempt.callback).await;
    stage.exchange(&attempt, &got).await;
}

#[tokio::test]
async fn another_browser_cannot_complete_a_sign_in() {
    let (stage, attacker) = with_alice().await;
    // The attacker lures the victim to the attacker's callback address, to sign the victim in as the attacker.
    let (without_cookie, with_own) = (Browser::new(), Browser::new());
    stage.leave(&with_own, "twitter").await;
    let session = stage.sign_in(&Browser::new(), "github").await;
    let cookie = format!("por-refresh={}", session.cookie.as_deref().unwrap());
    with_own.keep(stage.site.origin.trim_start_matches("http://"), &cookie);
    for victim in [&without_cookie, &with_own] {
        let attempt = stage.visit(&attacker, "twitter").await;
        // After that, the sign-in has ended for the attacker as well.
        for browser in [victim, &attacker] {
            let got = stage.land(browser, &attempt.callback).await;
            assert_eq!(refused(&got), BAD_STATE);
        }
    }
    assert_eq!(stage.tokens_asked_for("twitter").await, 0);
    assert_eq!(stage.site.people().await, 1, "the victim alone");
    stage.user(&session.access).await;
}

#[tokio::test]
async fn another_provider_cannot_complete_a_sign_in() {
    let (stage, browser) = with_alice().await;
    let attempt = stage.visit(&browser, "twitter").await;
    for other in ["google", "github"] {
        let mut mixed_up = attempt.callback.clone();
        mixed_up.set_path(&format!("/api/auth/v1/callback/{other}"));
        assert_eq!(refused(&stage.land(&browser, &mixed_up).await), BAD_STATE);
        assert_eq!(stage.tokens_asked_for(other).await, 0);
    }
    let mut nobody = attempt.callback.clone();
    nobody.set_path("/api/auth/v1/callback/mock");
    assert_eq!(browser.open(&nobody).await.status(), 404);
    assert_eq!(stage.site.people().await, 0);
}

#[tokio::test]
async fn an_answer_of_another_issuer_is_refused() {
    let (stage, browser) = with_alice().await;
    let google = stage.providers.address("google");
    // X does not send its issuer.
    for (issuer, is_refused) in [(Some(google), true), (Some(""), true), (None, false)] {
        let attempt = stage.visit(&browser, "twitter").await;
        let callback = with(&attempt.callback, "iss", issuer);
        let got = stage.land(&browser, &callback).await;
        if is_refused {
            assert_eq!(refused(&got), BAD_CALLBACK, "{issuer:?}");
            assert_eq!(stage.tokens_asked_for("twitter").await, 0);
        } else {
            stage.exchange(&attempt, &got).await;
        }
    }
}

#[tokio::test]
async fn a_sign_in_must_be_complete_in_ten_minutes() {
    let (stage, browser) = with_alice().await;
    let attempt = stage.visit(&browser, "twitter").await;
    stage.site.state.clock.advance(599);
    let got = stage.land(&browser, &attempt.callback).await;
    stage.exchange(&attempt, &got).await;

    let attempt = stage.visit(&browser, "twitter").await;
    stage.site.state.clock.advance(600);
    let got = stage.land(&browser, &attempt.callback).await;
    assert_eq!(refused(&got), ("invalid_request", "flow_state_expired"));
    assert_eq!(stage.tokens_asked_for("twitter").await, 1);
}

#[tokio::test]
async fn tabs_of_one_browser_sign_in_side_by_side() {
    let (stage, browser) = with_alice().await;
    let first = stage.leave(&browser, "twitter").await;
    let second = stage.leave(&browser, "github").await;
    let third = stage.leave(&browser, "twitter").await;
    // The sign-ins come back in reverse order.
    for attempt in [second, third, first] {
        let attempt = stage.pass(&browser, attempt).await;
        let got = stage.land(&browser, &attempt.callback).await;
        stage.exchange(&attempt, &got).await;
    }
    assert_eq!(stage.site.people().await, 2);
}

/// Another app, whose page is of a foreign origin: there is no cookie, and the token in the body is the real one.
#[tokio::test]
async fn another_app_holds_its_own_refresh_token() {
    let app = "http://127.0.0.1:1/done";
    let listed = format!("--redirect-urls={app}");
    let stage = Stage::open_as(TestDatabase::sqlite().await, None, &[&listed]).await;
    let alice = x_user("1", "alice");
    stage.providers.person("twitter", alice).await;
    let browser = Browser::new();
    let attempt = stage.leave_for(&browser, "twitter", app).await;
    let attempt = stage.pass(&browser, attempt).await;
    let answer = Answer::read(browser.open(&attempt.callback).await).await;
    let code = answer
        .header("location")
        .strip_prefix(&format!("{app}?code="));

    let (site, origin) = (&stage.site, Some("http://127.0.0.1:1"));
    let answer = site.exchange(
        code.expect("a code for the app"),
        &attempt.verifier,
        origin,
        None,
    );
    let session = signed(&answer.await);
    let next = signed(&site.refresh(&session.refresh, origin, None).await);
    assert_eq!((&session.cookie, &next.cookie), (&None, &None));
    assert_eq!(next.user_id, session.user_id);
    assert_ne!(next.refresh, session.refresh);
}
