//! How a session begins, with a code that is single-use, short-lived and bound to its verifier, and how it is ended at once on every server.

use super::*;

on_both!(
    a_code_that_is_used_again_ends_its_session,
    of_many_exchanges_of_one_code_one_wins,
    logout_ends_the_sessions_of_its_scope,
);

#[tokio::test]
async fn a_sign_in_gives_a_session() {
    let (site, verifier) = (TestApp::development().await, verifier());
    let callback = format!("{}/auth/callback", site.site());
    let answer = site.begin("mock", &verifier).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let target = answer.header("location");
    assert!(target.starts_with(&format!("{callback}?code=")), "{target}");
    let code = location(&answer).remove("code").unwrap();
    assert!(code.len() >= 43, "256 bits");

    let answer = site.exchange(&code, &verifier, PROGRAM).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("set-cookie"), "", "a program gets no cookie");
    let (session, id) = (&answer.body, signed(&answer).user_id);
    let name = format!("user_{}", &id[..5]);
    let ends = json!([3600, site.state.clock.now() + 3600]);
    assert_eq!(json!([session["expires_in"], session["expires_at"]]), ends);
    let metadata =
        json!({ "preferred_username": name, "user_name": name, "name": name, "avatar_url": null });
    assert_eq!(session["user"]["user_metadata"], metadata);
    let metadata = json!({ "provider": "mock", "providers": ["mock"] });
    assert_eq!(session["user"]["app_metadata"], metadata);
    let profile = site.state.store.profile(&id).await.unwrap();
    assert_eq!(profile.unwrap().tier, None, "no plan yet (D6)");
    assert_ne!(site.program().await.user_id, id, "each is a new user");
}

#[tokio::test]
async fn authorize_redirects_only_to_listed_addresses() {
    let listed = "http://127.0.0.1:1/done";
    let site = TestApp::with(&[&format!("--redirect-urls={listed}")]).await;
    let own = format!("{}/auth/callback", site.site());
    for (address, allowed) in [
        (&*format!("{own}?x=1"), false),
        (&format!("{listed}/more"), false),
        (&own, true),
        (listed, true),
    ] {
        let query = format!("provider=facebook&redirect_to={address}");
        let answer = site.authorize(&query).await;
        let target = answer.header("location");
        assert_eq!(target.starts_with(address), allowed, "{target}");
        if !allowed {
            assert_eq!(target, "", "{address}");
            assert_eq!(answer.problem(), (400, "validation_failed"), "{address}");
        }
    }
}

/// No provider, and no challenge that S256 made.
#[tokio::test]
async fn authorize_that_cannot_begin_redirects_with_the_error() {
    let (site, verifier) = (TestApp::development().await, verifier());
    let s256 = challenge(&verifier);
    let queries = format!(
        "provider=twitter | provider_disabled | twitter
         provider=a%26error=none%23 | oauth_provider_not_supported | a&error=none#
         provider=mock&code_challenge={s256} | validation_failed |
         provider=mock&code_challenge={verifier}&code_challenge_method=plain | validation_failed |"
    );
    for [query, code, said] in table(&queries) {
        let target = location(&site.authorize(query).await);
        assert_eq!(target["error"], "invalid_request", "{query}");
        assert_eq!(target["error_code"], code, "{query}");
        assert!(target["error_description"].contains(said), "{target:?}");
        assert!(!target.contains_key("code"));
    }
    assert_eq!(site.people().await, 0, "nobody was signed in");
}

/// RFC 6749, section 4.1.2: two clients have the code, and the server cannot know which one is honest.
async fn a_code_that_is_used_again_ends_its_session(database: TestDatabase) {
    let site = TestApp::start(database, &[]).await;
    let right = verifier();
    let code = site.code(&right).await;
    let begun = signed(&site.exchange(&code, &right, PROGRAM).await);
    let bystander = site.program().await;
    assert!(site.is_in(&begun.access).await);
    // Much later, when the code would have expired anyway.
    site.state.clock.advance(3_000);
    let again = site.exchange(&code, &verifier(), PROGRAM).await;
    assert_eq!(again.problem(), (400, "flow_state_not_found"));
    let user = site.user(&begun.access).await;
    assert_eq!(user.problem(), (401, "session_not_found"));
    let refreshed = site.renew(&begun).await;
    assert_eq!(refreshed.problem(), (400, "session_not_found"));
    assert!(site.is_in(&bystander.access).await);
}

async fn of_many_exchanges_of_one_code_one_wins(database: TestDatabase) {
    let site = TestApp::start(database, &[]).await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let attempts = (0..20).map(|_| site.exchange(&code, &verifier, PROGRAM));
    let answers = join_all(attempts).await;
    let won = answers.iter().filter(|answer| answer.status == 200);
    assert_eq!(won.count(), 1);
}

#[tokio::test]
async fn a_code_lasts_a_minute_and_a_wrong_verifier_uses_it_up() {
    let (site, right) = (TestApp::development().await, verifier());
    let mut code = String::new();
    for (seconds, verifier, refusal) in [
        (Some(59), &right, None),
        (Some(60), &right, Some("flow_state_expired")),
        (Some(0), &verifier(), Some("bad_code_verifier")),
        // The same code again.
        (None, &right, Some("flow_state_not_found")),
    ] {
        if let Some(seconds) = seconds {
            code = site.code(&right).await;
            site.state.clock.advance(seconds);
        }
        let answer = site.exchange(&code, verifier, PROGRAM).await;
        assert_eq!(answer.body["code"].as_str(), refusal, "{seconds:?}");
        assert_eq!(answer.status, if refusal.is_none() { 200 } else { 400 });
    }
}

async fn logout_ends_the_sessions_of_its_scope(database: TestDatabase) {
    let site = TestApp::start(database, &[]).await;
    let replica = site.another().await;
    let origin = site.site();
    let removed = "por-refresh=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0";
    for (scope, expected, cookie) in [
        ("", [false, false, false, true], removed),
        ("?scope=global", [false, false, false, true], removed),
        ("?scope=local", [false, true, true, true], removed),
        ("?scope=others", [true, false, false, true], ""),
    ] {
        // Three devices of one user, and another user.
        let user = identity("github", scope);
        let mut sessions = Vec::new();
        for _ in 0..3 {
            sessions.push(signed(&site.enter(&user, Some(&origin)).await));
        }
        sessions.push(site.program().await);
        let bearer = format!("Bearer {}", sessions[0].access);
        let headers = [("authorization", bearer.as_str()), ("origin", &origin)];
        let path = format!("logout{scope}");
        let answer = site.auth("POST", &path, &headers, None).await;
        assert_eq!(answer.status, 204);
        assert_eq!(answer.header("set-cookie"), cookie, "{scope}");
        for (session, alive) in sessions.iter().zip(expected) {
            let on_record = site.on_record(&session.access).await;
            assert_eq!(on_record.is_some(), alive, "{scope}");
            for server in [&site, &replica] {
                assert_eq!(server.is_in(&session.access).await, alive, "{scope}");
            }
            let answer = replica.renew(session).await;
            assert_eq!(answer.status == 200, alive, "{scope}");
        }
        let again = if expected[0] { 204 } else { 401 };
        assert_eq!(site.sign_out(&sessions[0].access, scope).await, again);
    }
}
