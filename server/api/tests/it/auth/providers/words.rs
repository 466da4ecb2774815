//! What users and operators learn when a provider refuses, and claims of another form, which end no sign-in.

use super::*;

/// Each message names the fix. The log has the status and the provider's code, and no token.
#[tokio::test]
async fn a_suspended_user_a_refused_site_a_limit_and_an_outage_are_four_different_sentences() {
    const ACCOUNT: &str = "refuses this account";
    const SITE: &str = "Only the site's operator can fix that";
    const DOWN: &str = "is not responding. Try again in a minute";
    let (fixture, browser) = Fixture::open().await;
    let log = tempfile::NamedTempFile::new().unwrap();
    let subscriber = || {
        let file = log.reopen().unwrap();
        let subscriber = tracing_subscriber::fmt().with_writer(file).with_ansi(false);
        subscriber.with_max_level(tracing::Level::WARN).finish()
    };
    let _log = tracing::subscriber::set_default(subscriber());
    // As in secrets.rs.
    let _second = tracing::Dispatch::new(subscriber());
    let reset = (NOW + 15 * 60).to_string();
    let suspended =
        json!({"errors": [{"title": "Forbidden", "detail": "User has been suspended: [1]."}]});
    let not_enrolled = json!({"title": "Client Forbidden", "reason": "client-not-enrolled",
        "detail": "When authenticating requests you must use an app that is attached to a project. Suspended apps may not."});
    let github = json!({"message": "Sorry. Your account was suspended."});
    let google = json!({"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "This API is not in use by the project."}});
    let (title, none) = (json!({"title": "Too Many Requests"}), json!({}));
    let client = json!({"error": "invalid_client", "error_description": "the-secret"});
    for (provider, endpoint, status, headers, body, sentence, logged) in [
        (
            "twitter",
            "person",
            200,
            none.clone(),
            suspended,
            ACCOUNT,
            "status 200, Forbidden",
        ),
        (
            "twitter",
            "person",
            403,
            none.clone(),
            not_enrolled.clone(),
            SITE,
            "status 403, client-not-enrolled",
        ),
        (
            "twitter",
            "token",
            403,
            none.clone(),
            not_enrolled,
            SITE,
            "status 403, client-not-enrolled",
        ),
        (
            "github",
            "person",
            403,
            none.clone(),
            github,
            ACCOUNT,
            "status 403, Sorry. Your account was suspended.",
        ),
        (
            "google",
            "person",
            403,
            none.clone(),
            google,
            SITE,
            "status 403, PERMISSION_DENIED",
        ),
        (
            "google",
            "token",
            401,
            none.clone(),
            client,
            SITE,
            "invalid_client",
        ),
        (
            "twitter",
            "person",
            429,
            json!({"x-rate-limit-reset": reset}),
            title.clone(),
            "again in 15 minutes.",
            "429, Too Many",
        ),
        (
            "twitter",
            "token",
            429,
            json!({"retry-after": "7000"}),
            title,
            "again in 2 hours.",
            "status 429",
        ),
        (
            "google",
            "person",
            429,
            none.clone(),
            none.clone(),
            "again later.",
            "status 429, without a code",
        ),
        (
            "github",
            "person",
            403,
            json!({"x-ratelimit-remaining": "0", "x-ratelimit-reset": reset}),
            none.clone(),
            "again in 15 minutes.",
            "status 403",
        ),
        (
            "github",
            "person",
            403,
            json!({"x-ratelimit-remaining": "9", "x-ratelimit-reset": reset}),
            none.clone(),
            SITE,
            "status 403",
        ),
        (
            "google",
            "token",
            500,
            none.clone(),
            json!({"error": "server_error"}),
            DOWN,
            "status 500, server_error",
        ),
        (
            "github",
            "person",
            502,
            none.clone(),
            none.clone(),
            DOWN,
            "status 502",
        ),
    ] {
        let fault = json!({"endpoint": endpoint, "kind": "said", "status": status, "headers": headers, "body": body});
        fixture.providers.fault(provider, fault).await;
        let (_, said) = fixture.fails(&browser, provider).await;
        assert!(
            said.contains(sentence),
            "{provider} {endpoint} {status}: {said}"
        );
        let lines = std::fs::read_to_string(log.path()).unwrap();
        log.as_file().set_len(0).unwrap();
        assert!(
            lines.contains(logged) && !lines.contains("the-secret"),
            "{logged}: {lines}"
        );
        fixture.providers.fault(provider, Value::Null).await;
    }
    assert_eq!(fixture.site.people().await, 0);
}

/// Sign-in needs no optional claim, and only the token of a token response.
#[tokio::test]
async fn claims_of_another_form_end_no_sign_in() {
    let (fixture, browser) = Fixture::open().await;
    let odd = [json!(7), json!({"a": [1]}), json!(null), json!(["x"])];
    for odd in &odd {
        for (provider, person) in [
            (
                "twitter",
                json!({"data": {"id": "1", "username": "alice", "profile_image_url": odd}}),
            ),
            (
                "google",
                json!({"sub": "1", "email": odd, "email_verified": odd, "picture": odd}),
            ),
            (
                "github",
                json!({"id": 1, "login": "alice", "avatar_url": odd}),
            ),
        ] {
            let fault =
                json!({"endpoint": "person", "kind": "said", "status": 200, "body": person});
            fixture.providers.fault(provider, fault).await;
            fixture.sign_in(&browser, provider).await;
        }
        let emails = json!([odd, {"email": odd, "primary": true, "verified": true}]);
        let fault = json!({"endpoint": "emails", "kind": "said", "status": 200, "body": emails});
        fixture.providers.fault("github", fault).await;
        fixture.sign_in(&browser, "github").await;
    }
    for (verified, email) in [("true", "a@b.example"), ("false", "")] {
        let person = json!({"sub": "1", "email": "a@b.example", "email_verified": verified});
        let fault = json!({"endpoint": "person", "kind": "said", "status": 200, "body": person});
        fixture.providers.fault("google", fault).await;
        let session = fixture.sign_in(&browser, "google").await;
        assert_eq!(
            fixture.user(&session.access).await["email"],
            email,
            "{verified}"
        );
    }
    fixture.providers.fault("google", Value::Null).await;
    let token =
        json!({"access_token": "a-token", "expires_in": "7200", "token_type": 1, "scope": []});
    let fault = json!({"endpoint": "token", "kind": "said", "status": 200, "body": token});
    fixture.providers.fault("twitter", fault).await;
    // The token was read: the account refuses it.
    let (_, said) = fixture.fails(&browser, "twitter").await;
    assert!(said.contains("X refuses sign-ins from this site"), "{said}");
}
