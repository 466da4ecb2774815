//! How a session begins.

use super::*;

#[tokio::test]
async fn a_sign_in_gives_a_session() {
    let site = site().await;
    let verifier = verifier();
    let callback = format!("{}/auth/callback", site.site());
    let answer = site
        .authorize(&[
            ("provider", "mock"),
            ("redirect_to", &callback),
            ("scopes", "ignored"),
            ("code_challenge", &challenge(&verifier)),
            ("code_challenge_method", "s256"),
        ])
        .await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let target = answer.header("location");
    assert!(target.starts_with(&format!("{callback}?code=")), "{target}");
    let code = location(&answer).remove("code").unwrap();
    assert!(code.len() >= 43, "256 bits");

    let answer = site.exchange(&code, &verifier, None, None).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(set_cookie(&answer), None, "a program gets no cookie");
    let (session, id) = (&answer.body, signed(&answer).user_id);
    let name = format!("user_{}", &id[..5]);
    assert_eq!(session["token_type"], "bearer");
    assert_eq!(session["expires_in"], 3600);
    assert_eq!(session["expires_at"], site.state.clock.now() + 3600);
    let metadata =
        json!({ "preferred_username": name, "user_name": name, "name": name, "avatar_url": null });
    assert_eq!(session["user"]["user_metadata"], metadata);
    let metadata = &session["user"]["app_metadata"];
    assert_eq!(metadata["provider"], "mock");
    assert_eq!(metadata["providers"], json!(["mock"]));

    let user = site.user(&signed(&answer).access).await;
    assert_eq!((user.status.as_u16(), &user.body), (200, &session["user"]));
    let profile = site.state.store.profile(&id).await.unwrap();
    assert_eq!(profile.unwrap().tier, None, "no plan yet (D6)");
    assert_ne!(site.program().await.user_id, id, "each is a new user");
}

#[tokio::test]
async fn nobody_is_redirected_off_the_list() {
    let listed = "http://127.0.0.1:1/done";
    let site = TestApp::with(&[&format!("--redirect-urls={listed}")]).await;
    let own = format!("{}/auth/callback", site.site());
    for (address, allowed) in [
        (format!("{own}?x=1"), false),
        (format!("{listed}/more"), false),
        (own, true),
        (listed.to_owned(), true),
    ] {
        let parameters = [("provider", "facebook"), ("redirect_to", &*address)];
        let answer = site.authorize(&parameters).await;
        let target = answer.header("location");
        if allowed {
            assert!(target.starts_with(&address), "{target}");
            continue;
        }
        assert_eq!(target, "", "{address}");
        assert_eq!(answer.problem(), (400, "validation_failed"), "{address}");
    }
}

#[tokio::test]
async fn refused_providers_are_told_to_the_page() {
    let site = site().await;
    for (provider, code) in [
        ("twitter", "provider_disabled"),
        ("a&error=none#", "oauth_provider_not_supported"),
    ] {
        let target = location(&site.authorize(&[("provider", provider)]).await);
        assert_eq!(target["error"], "invalid_request");
        assert_eq!(target["error_code"], code);
        assert!(target["error_description"].contains(provider));
    }
}
