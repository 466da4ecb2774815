//! What each provider is asked, and what is taken from its answer.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::{Stage, github_user, google_user, x_user};
use crate::auth::site::answer::set_cookie;
use crate::auth::site::{challenge, verifier};
use crate::support::database::TestDatabase;
use crate::support::providers::Browser;

/// Looks at what went to a provider on the way: scopes, and how the server proves who it is.
async fn proper_request(stage: &Stage, provider: &str, scopes: &str, client_auth: &str) {
    let callback = format!("{}/api/auth/v1/callback/{provider}", stage.site.origin);
    let page = stage.providers.seen(provider, "authorize").await;
    let token = stage.providers.seen(provider, "token").await;
    let (query, form) = (&page[0]["query"], &token[0]["form"]);
    assert_eq!(query["response_type"], "code");
    assert_eq!(query["scope"], scopes);
    assert_eq!(query["redirect_uri"], json!(callback));
    assert_eq!(query["code_challenge_method"], "S256");
    assert!(query["state"].as_str().expect("a state").len() >= 43);
    assert_eq!(query["client_secret"], Value::Null);

    assert_eq!(token[0]["client_auth"], client_auth);
    assert_eq!(form["grant_type"], "authorization_code");
    assert_eq!(form["redirect_uri"], json!(callback));
    let verifier = form["code_verifier"].as_str().expect("a verifier");
    assert_eq!(query["code_challenge"], json!(challenge(verifier)));
    // The page's own proof is for this server, and says nothing to the provider.
    assert_eq!(page.len(), 1);
    assert_eq!(token.len(), 1);
}

#[tokio::test]
async fn x_says_who_somebody_is() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    stage
        .providers
        .person("twitter", x_user("1001", "alice"))
        .await;
    let browser = Browser::new();
    let session = stage.sign_in(&browser, "twitter").await;
    proper_request(&stage, "twitter", "users.read tweet.read", "basic").await;

    let user = stage.user(&session.access).await;
    assert_eq!(user["app_metadata"]["provider"], "twitter");
    assert_eq!(user["user_metadata"]["user_name"], "alice");
    assert_eq!(user["email"], "", "X does not tell");
    let profile = stage.profile(&session.user_id).await;
    assert_eq!(profile.subject, "1001");
    assert_eq!(
        profile.avatar_url.as_deref(),
        Some("https://pbs.twimg.com/profile_images/1001/face_normal.jpg")
    );
    assert_eq!((profile.tier, profile.holdings_sats), (None, None));
    assert!(session.cookie.is_some(), "our own page is in cookie mode");
}

#[tokio::test]
async fn google_says_who_somebody_is() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let person = google_user("g-1", "alice@mail.example", true);
    stage.providers.person("google", person).await;
    let browser = Browser::new();
    let session = stage.sign_in(&browser, "google").await;
    proper_request(&stage, "google", "openid email profile", "body").await;

    let user = stage.user(&session.access).await;
    assert_eq!(user["email"], "alice@mail.example");
    // Tokens go to more places than that answer.
    for token in [&session.access, &session.refresh] {
        let said: String = token.split('.').map(decoded).collect();
        assert!(!said.contains("email") && !said.contains("alice"), "{said}");
    }
    assert!(
        decoded(&session.access).contains("alg"),
        "it is read at all"
    );
    // Real names are nobody's business: 'user_' and the id's first five characters.
    let name = format!("user_{}", &session.user_id[..5]);
    assert_eq!(user["user_metadata"]["name"], json!(name));
    assert!(!user.to_string().contains("Real"));
    let profile = stage.profile(&session.user_id).await;
    assert_eq!(
        profile.avatar_url.as_deref(),
        Some("https://lh3.googleusercontent.com/a/g-1=s96-c")
    );

    // An address that somebody only says to have is not taken over.
    let person = google_user("g-1", "boss@mail.example", false);
    stage.providers.person("google", person).await;
    let again = stage.sign_in(&browser, "google").await;
    assert_eq!(again.user_id, session.user_id);
    assert_eq!(stage.user(&again.access).await["email"], "");
}

/// A part of a token as text, if it is any.
fn decoded(part: &str) -> String {
    let part = part.split('.').next().unwrap_or_default();
    let bytes = URL_SAFE_NO_PAD.decode(part).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned() + part
}

#[tokio::test]
async fn github_says_who_somebody_is() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let emails = json!([
        {"email": "old@mail.example", "primary": false, "verified": true, "visibility": null},
        {"email": "octo@mail.example", "primary": true, "verified": true, "visibility": "private"},
    ]);
    stage
        .providers
        .person("github", github_user(583_231, "octo", &emails))
        .await;
    let browser = Browser::new();
    let session = stage.sign_in(&browser, "github").await;
    proper_request(&stage, "github", "read:user user:email", "body").await;

    let user = stage.user(&session.access).await;
    assert_eq!(user["email"], "octo@mail.example");
    assert_eq!(user["user_metadata"]["user_name"], "octo");
    let profile = stage.profile(&session.user_id).await;
    assert_eq!(profile.subject, "583231");
    assert_eq!(
        profile.avatar_url.as_deref(),
        Some("https://avatars.githubusercontent.com/u/583231?v=4")
    );

    // A primary address that is not verified, and a picture that would be fetched in the clear.
    let unverified = json!([{"email": "boss@mail.example", "primary": true, "verified": false}]);
    let mut person = github_user(583_231, "octo", &unverified);
    person["avatar_url"] = json!("http://avatars.githubusercontent.com/u/583231");
    stage.providers.person("github", person).await;
    let again = stage.sign_in(&browser, "github").await;
    assert_eq!(again.user_id, session.user_id);
    let profile = stage.profile(&session.user_id).await;
    assert_eq!((profile.email, profile.avatar_url), (None, None));

    // Who keeps the addresses back is let in all the same.
    stage
        .providers
        .person("github", github_user(583_231, "octo", &Value::Null))
        .await;
    let again = stage.sign_in(&browser, "github").await;
    assert_eq!(again.user_id, session.user_id);
}

#[tokio::test]
async fn who_comes_back_is_the_same_person_under_the_new_name() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let first = stage.somebody("7", "before").await;
    let second = stage.somebody("7", "After").await;
    assert_eq!(second.user_id, first.user_id);
    assert_eq!(stage.people().await, 1);
    for access in [&first.access, &second.access] {
        let user = stage.user(access).await;
        assert_eq!(user["user_metadata"]["user_name"], "After");
    }
}

#[tokio::test]
async fn settings_say_which_providers_are_on() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let answer = stage.site.get("/auth/v1/settings").send().await;
    let settings: Value = answer.expect("an answer").json().await.expect("JSON");
    let external = json!({ "mock": false, "twitter": true, "google": true, "github": true });
    assert_eq!(settings["external"], external);
    assert_eq!(settings["development"], false);
}

#[tokio::test]
async fn the_cookie_of_a_sign_in_is_out_of_reach() {
    let database = TestDatabase::sqlite().await;
    let https = "https://reserves.example";
    for (origin, name, end) in [
        (
            None,
            "por-sign-in=",
            "; HttpOnly; SameSite=Lax; Path=/; Max-Age=600",
        ),
        (
            Some(https),
            "__Host-por-sign-in=",
            "; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=600",
        ),
    ] {
        let stage = Stage::open_as(database.again(), origin, &[]).await;
        let begin = async || {
            let challenge = challenge(&verifier());
            let parameters = [
                ("provider", "github"),
                ("code_challenge", challenge.as_str()),
                ("code_challenge_method", "s256"),
            ];
            stage.site.authorize(&parameters).await
        };
        let answer = begin().await;
        let cookie = set_cookie(&answer).expect("a cookie");
        let value = cookie
            .strip_prefix(name)
            .and_then(|rest| rest.strip_suffix(end));
        let value = value.unwrap_or_else(|| panic!("{cookie}"));
        assert_eq!(value.len(), 43, "256 bits");
        assert_ne!(
            set_cookie(&begin().await).as_ref(),
            Some(&cookie),
            "each browser has its own"
        );
        let location = answer.headers()["location"].to_str().expect("ASCII");
        assert!(!location.contains(value), "the provider does not learn it");
    }
}
