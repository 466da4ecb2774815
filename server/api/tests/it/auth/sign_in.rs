//! How a session begins.

use serde_json::json;

use super::site::answer::{location, read, refusal, set_cookie};
use super::site::{Site, challenge, verifier};

#[tokio::test]
async fn a_sign_in_gives_a_session() {
    let site = Site::sqlite().await;
    let verifier = verifier();
    let callback = format!("{}/auth/callback", site.origin);
    let answer = site
        .authorize(&[
            ("provider", "mock"),
            ("redirect_to", &callback),
            ("scopes", "ignored"),
            ("code_challenge", &challenge(&verifier)),
            ("code_challenge_method", "s256"),
        ])
        .await;
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let target = answer.headers()["location"].to_str().expect("ASCII");
    assert!(target.starts_with(&format!("{callback}?code=")), "{target}");
    let code = location(&answer).remove("code").expect("a code");
    assert!(code.len() >= 43, "256 bits");

    let answer = site.exchange(&code, &verifier, None, None).await;
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(set_cookie(&answer), None, "a program gets no cookie");
    let (status, session) = read(answer).await;
    assert_eq!(status, 200, "{session}");
    assert_eq!(session["token_type"], "bearer");
    assert_eq!(session["expires_in"], 3600);
    assert_eq!(session["expires_at"], site.clock.now() + 3600);
    let id = session["user"]["id"].as_str().expect("an id");
    let name = format!("user_{}", &id[..5]);
    assert_eq!(
        session["user"]["user_metadata"],
        json!({ "preferred_username": name, "user_name": name, "name": name, "avatar_url": null })
    );
    assert_eq!(
        session["user"]["app_metadata"],
        json!({ "provider": "mock", "providers": ["mock"] })
    );

    let access = session["access_token"].as_str().expect("a token");
    let (status, user) = read(site.user(access).await).await;
    assert_eq!((status.as_u16(), &user), (200, &session["user"]));
    let profile = site.state.store.profile(id).await.expect("a database");
    assert_eq!(profile.expect("a profile").tier, None, "no plan yet (D6)");
}

#[tokio::test]
async fn every_mock_sign_in_is_somebody_new() {
    let site = Site::sqlite().await;
    assert_ne!(site.program().await.user_id, site.program().await.user_id);
}

#[tokio::test]
async fn nobody_is_redirected_off_the_list() {
    let site = Site::sqlite().await;
    let origin = &site.origin;
    for foreign in [
        "https://evil.example/auth/callback".to_owned(),
        "//evil.example/auth/callback".to_owned(),
        format!("{origin}.evil.example/auth/callback"),
        format!("{origin}@evil.example/auth/callback"),
        format!("{origin}/auth/callback/"),
        format!("{origin}/auth/callback?x=1"),
        format!("{origin}/"),
        "/auth/callback".to_owned(),
        "javascript:alert(1)".to_owned(),
        String::new(),
    ] {
        let answer = site
            .authorize(&[("provider", "facebook"), ("redirect_to", &foreign)])
            .await;
        assert!(!answer.headers().contains_key("location"), "{foreign}");
        assert_eq!(
            refusal(answer).await,
            (400, "validation_failed".to_owned()),
            "{foreign}"
        );
    }
    // The other name of this machine, on the same port, is ours as well.
    let alias = origin.replace("127.0.0.1", "localhost");
    let answer = site
        .authorize(&[
            ("provider", "facebook"),
            ("redirect_to", &format!("{alias}/auth/callback")),
        ])
        .await;
    let target = answer.headers()["location"].to_str().expect("ASCII");
    assert!(target.starts_with(&alias), "{target}");
}

#[tokio::test]
async fn refused_providers_are_told_to_the_page() {
    let site = Site::sqlite().await;
    for (provider, code, sentence) in [
        (
            "twitter",
            "provider_disabled",
            "OAuth login (twitter) is disabled in development mode. Use mock login.",
        ),
        (
            "facebook",
            "oauth_provider_not_supported",
            "Unsupported provider: facebook",
        ),
        (
            "a&error=none#",
            "oauth_provider_not_supported",
            "Unsupported provider: a&error=none#",
        ),
    ] {
        let target = location(&site.authorize(&[("provider", provider)]).await);
        assert_eq!(target["error"], "invalid_request");
        assert_eq!(target["error_code"], code);
        assert_eq!(target["error_description"], sentence);
    }
}

#[tokio::test]
async fn malformed_requests_are_explained() {
    let site = Site::sqlite().await;
    let post = |path: &str, body: &'static str| {
        let request = site.post(path).header("content-type", "application/json");
        request.body(body).send()
    };
    for (path, body, code) in [
        ("/auth/v1/token", "{}", "validation_failed"),
        (
            "/auth/v1/token?grant_type=password",
            "{}",
            "validation_failed",
        ),
        ("/auth/v1/token?grant_type=pkce", "{}", "validation_failed"),
        ("/auth/v1/token?grant_type=pkce", "", "bad_json"),
        (
            "/auth/v1/token?grant_type=pkce",
            r#"{"auth_code":1}"#,
            "bad_json",
        ),
        (
            "/auth/v1/token?grant_type=refresh_token",
            r#"{"refresh_token":""}"#,
            "validation_failed",
        ),
        (
            "/auth/v1/token?grant_type=refresh_token",
            r#"{"refresh_token":"x"}"#,
            "refresh_token_not_found",
        ),
        ("/auth/v1/logout?scope=all", "{}", "validation_failed"),
    ] {
        let answer = post(path, body).await.expect("an answer");
        let content_type = answer.headers()["content-type"].clone();
        assert_eq!(content_type, "application/problem+json");
        assert_eq!(answer.headers()["x-supabase-api-version"], "2024-01-01");
        assert_eq!(refusal(answer).await, (400, code.to_owned()), "{path}");
    }
}

#[tokio::test]
async fn settings_say_what_is_on() {
    let site = Site::sqlite().await;
    let answer = site.get("/auth/v1/settings").send().await;
    let (_, settings) = read(answer.expect("an answer")).await;
    assert_eq!(
        settings,
        json!({
            "external": { "mock": true, "twitter": false, "google": false, "github": false },
            "development": true,
        })
    );
}
