//! A provider in trouble: nobody is signed in, everybody is told, and the next try can succeed.

use std::collections::HashMap;

use serde_json::json;

use super::{Stage, github_user, google_user, refused, x_user};
use crate::support::database::TestDatabase;
use crate::support::providers::Browser;

const UNAVAILABLE: (&str, &str) = ("temporarily_unavailable", "provider_unavailable");

/// Every way of giving no useful answer but silence.
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
    stage
        .providers
        .person("twitter", x_user("1", "alice"))
        .await;
    stage.providers.person("google", google).await;
    stage
        .providers
        .person("github", github_user(1, "alice", &json!([])))
        .await;
    (stage, Browser::new())
}

async fn attempt(stage: &Stage, browser: &Browser, provider: &str) -> HashMap<String, String> {
    let attempt = stage.visit(browser, provider).await;
    stage.land(browser, &attempt.callback).await
}

#[tokio::test]
async fn an_answer_that_is_of_no_use_signs_nobody_in() {
    let (stage, browser) = stage().await;
    for provider in ["twitter", "google", "github"] {
        for endpoint in ["token", "person"] {
            for kind in USELESS {
                stage.providers.fault(provider, endpoint, kind).await;
                let got = attempt(&stage, &browser, provider).await;
                assert_eq!(refused(&got), UNAVAILABLE, "{provider} {endpoint} {kind}");
            }
        }
        stage.providers.mend(provider).await;
    }
    assert_eq!(stage.people().await, 0);
    for provider in ["twitter", "google", "github"] {
        stage.sign_in(&browser, provider).await;
    }
}

#[tokio::test]
async fn a_provider_that_is_down_is_said_to_be_so() {
    let (stage, browser) = stage().await;
    let away = stage.visit(&browser, "twitter").await;
    stage.providers.close("twitter").await;
    let got = stage.land(&browser, &away.callback).await;
    assert_eq!(refused(&got), UNAVAILABLE);
    assert!(
        got["error_description"].starts_with("X does not answer"),
        "{got:?}"
    );
    // The others are not concerned.
    stage.sign_in(&browser, "github").await;
}

#[tokio::test]
async fn nobody_waits_for_a_silent_provider_for_ever() {
    let (stage, browser) = stage().await;
    stage.providers.fault("twitter", "token", "slow").await;
    stage.providers.fault("github", "person", "slow").await;
    // Both at once, because it is the only test that has to wait for something.
    let (x, github) = (Browser::new(), Browser::new());
    let (x, github) = tokio::join!(
        attempt(&stage, &x, "twitter"),
        attempt(&stage, &github, "github")
    );
    for got in [x, github] {
        assert_eq!(refused(&got), UNAVAILABLE);
    }
    // It was the server that gave up.
    let waited = stage.providers.seen("twitter", "token").await;
    assert!(waited.iter().any(|it| it["gave_up"] == true), "{waited:?}");
    stage.providers.mend("twitter").await;
    stage.sign_in(&browser, "twitter").await;
}

#[tokio::test]
async fn trouble_with_the_list_of_addresses_loses_none() {
    let (stage, browser) = stage().await;
    let emails = json!([{"email": "octo@mail.example", "primary": true, "verified": true}]);
    stage
        .providers
        .person("github", github_user(1, "alice", &emails))
        .await;
    let session = stage.sign_in(&browser, "github").await;
    for kind in ["server error", "garbage", "huge"] {
        stage.providers.fault("github", "emails", kind).await;
        let got = attempt(&stage, &browser, "github").await;
        assert_eq!(refused(&got), UNAVAILABLE, "{kind}");
    }
    let profile = stage.profile(&session.user_id).await;
    assert_eq!(profile.email.as_deref(), Some("octo@mail.example"));
}
