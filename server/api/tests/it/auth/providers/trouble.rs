//! A provider that fails: no one is signed in, the user gets a message, and the next attempt can succeed.

use super::*;

const UNAVAILABLE: (&str, &str) = ("temporarily_unavailable", "provider_unavailable");

const PROVIDERS: [&str; 3] = ["twitter", "google", "github"];

/// Every useless response except none at all.
const USELESS: [&str; 5] = [
    "server error",
    "garbage",
    "another shape",
    "huge",
    "cut off",
];

async fn stage() -> (Stage, Browser) {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let google = google_user("1", "alice@mail.example", true);
    let emails = json!([{"email": "octo@mail.example", "primary": true, "verified": true}]);
    let github = github_user(1, "alice", &emails);
    for (provider, user) in PROVIDERS
        .into_iter()
        .zip([x_user("1", "alice"), google, github])
    {
        stage.providers.person(provider, user).await;
    }
    (stage, Browser::new())
}

async fn attempt(stage: &Stage, browser: &Browser, provider: &str) -> HashMap<String, String> {
    let attempt = stage.visit(browser, provider).await;
    stage.land(browser, &attempt.callback).await
}

#[tokio::test]
async fn an_answer_that_is_of_no_use_signs_nobody_in() {
    let (stage, browser) = stage().await;
    for provider in PROVIDERS {
        for endpoint in ["token", "person"] {
            for kind in USELESS {
                let fault = json!({ "endpoint": endpoint, "kind": kind });
                stage.providers.fault(provider, fault).await;
                let got = attempt(&stage, &browser, provider).await;
                assert_eq!(refused(&got), UNAVAILABLE, "{provider} {endpoint} {kind}");
            }
        }
        stage.providers.fault(provider, Value::Null).await;
    }
    assert_eq!(stage.site.people().await, 0);
    for provider in PROVIDERS {
        stage.sign_in(&browser, provider).await;
    }
}

#[tokio::test]
async fn a_provider_that_is_down_is_said_to_be_so() {
    let (stage, browser) = stage().await;
    let away = stage.visit(&browser, "twitter").await;
    stage.providers.fault("twitter", json!("down")).await;
    let got = stage.land(&browser, &away.callback).await;
    assert_eq!(refused(&got), UNAVAILABLE);
    assert!(
        got["error_description"].starts_with("X is not responding"),
        "{got:?}"
    );
    // The others still work.
    stage.sign_in(&browser, "github").await;
}

#[tokio::test]
async fn nobody_waits_for_a_silent_provider_for_ever() {
    let (stage, browser) = stage().await;
    for (provider, endpoint) in [("twitter", "token"), ("github", "person")] {
        let fault = json!({ "endpoint": endpoint, "kind": "slow" });
        stage.providers.fault(provider, fault).await;
    }
    let other = Browser::new();
    let (x, github) = tokio::join!(
        attempt(&stage, &browser, "twitter"),
        attempt(&stage, &other, "github")
    );
    assert_eq!((refused(&x), refused(&github)), (UNAVAILABLE, UNAVAILABLE));
    // The server gave up first.
    let waited = stage.providers.seen("twitter", "token").await;
    assert!(waited.iter().any(|it| it["gave_up"] == true), "{waited:?}");
    stage.providers.fault("twitter", Value::Null).await;
    stage.sign_in(&browser, "twitter").await;
}

#[tokio::test]
async fn trouble_with_the_list_of_addresses_loses_none() {
    let (stage, browser) = stage().await;
    let session = stage.sign_in(&browser, "github").await;
    for kind in ["server error", "garbage", "huge"] {
        let fault = json!({ "endpoint": "emails", "kind": kind });
        stage.providers.fault("github", fault).await;
        let got = attempt(&stage, &browser, "github").await;
        assert_eq!(refused(&got), UNAVAILABLE, "{kind}");
    }
    let profile = stage.profile(&session.user_id).await;
    assert_eq!(profile.email.as_deref(), Some("octo@mail.example"));
}
