//! Who is not signed in, and what the callback page is told.

use url::Url;

use super::{Stage, github_user, refused, with, x_user};
use crate::auth::site::answer::{location, refusal};
use crate::support::database::TestDatabase;
use crate::support::providers::Browser;

const BAD_STATE: (&str, &str) = ("invalid_request", "bad_oauth_state");
const BAD_CALLBACK: (&str, &str) = ("invalid_request", "bad_oauth_callback");

async fn with_alice() -> (Stage, Browser) {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    stage
        .providers
        .person("twitter", x_user("1", "alice"))
        .await;
    (stage, Browser::new())
}

#[tokio::test]
async fn whoever_does_not_agree_is_told_so() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let browser = Browser::new();
    for (provider, title) in [("twitter", "X"), ("google", "Google"), ("github", "GitHub")] {
        let attempt = stage.visit(&browser, provider).await;
        assert!(
            attempt
                .callback
                .query()
                .unwrap_or_default()
                .contains("refused")
        );
        let got = stage.land(&browser, &attempt.callback).await;
        assert_eq!(refused(&got), ("access_denied", "access_denied"));
        // In our words, not in those of whoever made up the address.
        let sentence = &got["error_description"];
        assert!(
            sentence.contains(title) && !sentence.contains("refused"),
            "{sentence}"
        );
    }
    assert_eq!(stage.people().await, 0);
    // Nobody is held to a refusal.
    stage
        .providers
        .person("twitter", x_user("1", "alice"))
        .await;
    stage.sign_in(&browser, "twitter").await;
}

#[tokio::test]
async fn other_errors_of_the_provider_come_back() {
    let (stage, browser) = with_alice().await;
    for error in ["server_error", "invalid_scope", "<script>"] {
        let attempt = stage.visit(&browser, "twitter").await;
        let failed = with(&attempt.callback, "code", None);
        let failed = with(&failed, "error", Some(error));
        let got = stage.land(&browser, &failed).await;
        assert_eq!(refused(&got).1, "bad_oauth_callback", "{error}");
        assert!(!format!("{got:?}").contains("<script"));
    }
    // Neither a code nor an error, and a code beside an error.
    let attempt = stage.visit(&browser, "twitter").await;
    let empty = with(&attempt.callback, "code", None);
    assert_eq!(refused(&stage.land(&browser, &empty).await), BAD_CALLBACK);
    let attempt = stage.visit(&browser, "twitter").await;
    let both = with(&attempt.callback, "error", Some("access_denied"));
    let got = stage.land(&browser, &both).await;
    assert_eq!(refused(&got), ("access_denied", "access_denied"));
    assert_eq!(stage.people().await, 0);
}

#[tokio::test]
async fn a_code_of_the_provider_works_once() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let browser = Browser::new();
    stage
        .providers
        .person("twitter", x_user("1", "alice"))
        .await;
    stage
        .providers
        .person("github", github_user(1, "octo", &serde_json::json!([])))
        .await;
    // GitHub refuses with a good status, X with a bad one.
    for provider in ["twitter", "github"] {
        let first = stage.visit(&browser, provider).await;
        let got = stage.land(&browser, &first.callback).await;
        let session = stage.exchange(&first, &got).await;
        let (_, code) = first
            .callback
            .query_pairs()
            .find(|(name, _)| name == "code")
            .expect("a code");
        let second = stage.visit(&browser, provider).await;
        let replayed = with(&second.callback, "code", Some(&code));
        assert_eq!(
            refused(&stage.land(&browser, &replayed).await),
            BAD_CALLBACK
        );
        let invented = stage.visit(&browser, provider).await;
        let invented = with(&invented.callback, "code", Some("invented"));
        assert_eq!(
            refused(&stage.land(&browser, &invented).await),
            BAD_CALLBACK
        );
        // Whoever is signed in stays so.
        stage.user(&session.access).await;
    }
}

#[tokio::test]
async fn a_callback_works_once() {
    let (stage, browser) = with_alice().await;
    let attempt = stage.visit(&browser, "twitter").await;
    let got = stage.land(&browser, &attempt.callback).await;
    // Going back and forth in the history, before and after the code has been used.
    assert_eq!(
        refused(&stage.land(&browser, &attempt.callback).await),
        BAD_STATE
    );
    stage.exchange(&attempt, &got).await;
    assert_eq!(
        refused(&stage.land(&browser, &attempt.callback).await),
        BAD_STATE
    );
    assert_eq!(stage.providers.seen("twitter", "token").await.len(), 1);
    // Many at once, too.
    let attempt = stage.visit(&browser, "twitter").await;
    let landings = (0..8).map(|_| stage.land(&browser, &attempt.callback));
    let landings = futures_util::future::join_all(landings).await;
    let codes = landings.iter().filter(|got| got.contains_key("code"));
    assert_eq!(codes.count(), 1);
    assert_eq!(stage.providers.seen("twitter", "token").await.len(), 2);
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
        Some(long.as_str()),
    ] {
        let forged = with(&attempt.callback, "state", state);
        let got = stage.land(&browser, &forged).await;
        assert_eq!(refused(&got), BAD_STATE, "{state:?}");
    }
    let bare = stage.site.get("/auth/v1/callback/twitter").send().await;
    assert_eq!(refused(&location(&bare.expect("an answer"))), BAD_STATE);
    // None of it reached the provider, and none of it used the real state up.
    assert_eq!(stage.providers.seen("twitter", "token").await.len(), 0);
    let got = stage.land(&browser, &attempt.callback).await;
    stage.exchange(&attempt, &got).await;
}

#[tokio::test]
async fn another_browser_cannot_complete_a_sign_in() {
    let (stage, attacker) = with_alice().await;
    // Signing somebody in as oneself: the victim is lured to the attacker's answer.
    let victims = [
        ("a browser without a cookie", Browser::new()),
        ("a browser with a sign-in of its own", Browser::new()),
    ];
    stage.leave(&victims[1].1, "twitter").await;
    for (who, victim) in &victims {
        let attempt = stage.visit(&attacker, "twitter").await;
        let got = stage.land(victim, &attempt.callback).await;
        assert_eq!(refused(&got), BAD_STATE, "{who}");
        // The attempt is over for the attacker as well.
        let got = stage.land(&attacker, &attempt.callback).await;
        assert_eq!(refused(&got), BAD_STATE);
    }
    assert_eq!(stage.providers.seen("twitter", "token").await.len(), 0);
    assert_eq!(stage.people().await, 0);
}

#[tokio::test]
async fn another_provider_cannot_complete_a_sign_in() {
    let (stage, browser) = with_alice().await;
    let attempt = stage.visit(&browser, "twitter").await;
    for other in ["google", "github"] {
        let mut mixed_up = attempt.callback.clone();
        mixed_up.set_path(&format!("/api/auth/v1/callback/{other}"));
        assert_eq!(refused(&stage.land(&browser, &mixed_up).await), BAD_STATE);
        assert_eq!(stage.providers.seen(other, "token").await.len(), 0);
    }
    let mut nobody = attempt.callback.clone();
    nobody.set_path("/api/auth/v1/callback/mock");
    assert_eq!(browser.open(&nobody).await.status(), 404);
    assert_eq!(stage.people().await, 0);
}

#[tokio::test]
async fn an_answer_of_another_issuer_is_refused() {
    let (stage, browser) = with_alice().await;
    let google = stage.providers.address("google").to_owned();
    for issuer in ["https://evil.example", google.as_str(), ""] {
        let attempt = stage.visit(&browser, "twitter").await;
        let wrong = with(&attempt.callback, "iss", Some(issuer));
        let got = stage.land(&browser, &wrong).await;
        assert_eq!(refused(&got), BAD_CALLBACK, "{issuer}");
    }
    assert_eq!(stage.providers.seen("twitter", "token").await.len(), 0);
    // X itself does not say.
    let attempt = stage.visit(&browser, "twitter").await;
    let silent = with(&attempt.callback, "iss", None);
    let got = stage.land(&browser, &silent).await;
    stage.exchange(&attempt, &got).await;
}

#[tokio::test]
async fn a_sign_in_must_be_complete_in_ten_minutes() {
    let (stage, browser) = with_alice().await;
    let attempt = stage.visit(&browser, "twitter").await;
    stage.site.clock.advance(599);
    let got = stage.land(&browser, &attempt.callback).await;
    stage.exchange(&attempt, &got).await;

    let attempt = stage.visit(&browser, "twitter").await;
    stage.site.clock.advance(600);
    let got = stage.land(&browser, &attempt.callback).await;
    assert_eq!(refused(&got), ("invalid_request", "flow_state_expired"));
    assert_eq!(stage.providers.seen("twitter", "token").await.len(), 1);
}

#[tokio::test]
async fn tabs_of_one_browser_sign_in_side_by_side() {
    let (stage, browser) = with_alice().await;
    stage
        .providers
        .person("github", github_user(1, "octo", &serde_json::json!([])))
        .await;
    let first = stage.leave(&browser, "twitter").await;
    let second = stage.leave(&browser, "github").await;
    let third = stage.leave(&browser, "twitter").await;
    // The first one to leave is the last one to come back.
    for attempt in [second, third, first] {
        let attempt = stage.pass(&browser, attempt).await;
        let got = stage.land(&browser, &attempt.callback).await;
        stage.exchange(&attempt, &got).await;
    }
    assert_eq!(stage.people().await, 2);
}

#[tokio::test]
async fn nobody_is_sent_off_the_list() {
    let database = TestDatabase::sqlite().await;
    let listed = "http://127.0.0.1:1/done";
    let stage = Stage::open_with(database, &[&format!("--redirect-urls={listed}")]).await;
    let origin = &stage.site.origin;
    for address in [
        "https://evil.example/auth/callback".to_owned(),
        format!("{origin}/elsewhere"),
        format!("{origin}.evil.example/auth/callback"),
        format!("{origin}@evil.example/auth/callback"),
        format!("{listed}/more"),
        format!("{listed}?x=1"),
        "//evil.example".to_owned(),
    ] {
        let answer = stage
            .site
            .authorize(&[("provider", "twitter"), ("redirect_to", &address)])
            .await;
        assert!(!answer.headers().contains_key("location"), "{address}");
        assert_eq!(refusal(answer).await, (400, "validation_failed".to_owned()));
    }
    let url = Url::parse(listed).expect("an address");
    let browser = Browser::new();
    let attempt = stage
        .leave_for(&browser, "twitter", Some(url.as_str()))
        .await;
    assert!(
        attempt
            .callback
            .as_str()
            .starts_with(stage.providers.address("twitter"))
    );
}
