//! Sessions end at once, wherever their tokens are.

use api::sign_in::pkce::NewCode;
use store::sessions::AuthCode;

use super::site::answer::{Signed, refusal, set_cookie, signed};
use super::site::{Site, challenge, verifier};
use crate::support::database::{TestDatabase, on_both};

on_both!(
    a_sign_out_ends_what_its_scope_says,
    a_sign_out_is_seen_by_every_replica_at_once,
);

/// A second session of the same user, as if on another device.
async fn another_device(site: &Site, user_id: &str) -> Signed {
    let verifier = verifier();
    let code = NewCode::generate();
    let row = AuthCode {
        code_hash: code.hash,
        user_id: user_id.to_owned(),
        code_challenge: challenge(&verifier),
        cookie: true,
        expires_at: site.clock.now() + 60,
    };
    let now = site.clock.now();
    let added = site.state.store.add_auth_code(&row, now).await;
    added.expect("a database");
    signed(site.exchange(&code.code, &verifier, None, None).await).await
}

async fn alive(site: &Site, sessions: &[&Signed]) -> Vec<bool> {
    let mut alive = Vec::new();
    for session in sessions {
        alive.push(site.user(&session.access).await.status() == 200);
    }
    alive
}

async fn a_sign_out_ends_what_its_scope_says(database: TestDatabase) {
    let site = Site::start(database).await;
    for (scope, expected) in [
        ("", [false, false, false, true]),
        ("?scope=global", [false, false, false, true]),
        ("?scope=local", [false, true, true, true]),
        ("?scope=others", [true, false, false, true]),
    ] {
        let first = site.program().await;
        let second = another_device(&site, &first.user_id).await;
        let third = another_device(&site, &first.user_id).await;
        let somebody_else = site.program().await;
        assert_eq!(site.sign_out(&first.access, scope).await, 204);
        let sessions = [&first, &second, &third, &somebody_else];
        assert_eq!(alive(&site, &sessions).await, expected, "{scope}");
        for (session, alive) in sessions.iter().zip(expected) {
            let answer = site.refresh(&session.refresh, None, None).await;
            assert_eq!(answer.status() == 200, alive, "{scope}");
        }
        assert_eq!(
            site.sign_out(&first.access, scope).await,
            if expected[0] { 204 } else { 401 }
        );
    }
}

#[tokio::test]
async fn a_sign_out_on_a_page_removes_the_cookie() {
    let site = Site::sqlite().await;
    let removed = "por-refresh=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0";
    for (scope, own, expected) in [
        ("global", true, Some(removed)),
        ("local", true, Some(removed)),
        ("others", true, None),
        ("global", false, None),
    ] {
        let page = site.page().await;
        let origin = if own {
            &site.origin
        } else {
            "https://evil.example"
        };
        let request = site
            .post(&format!("/auth/v1/logout?scope={scope}"))
            .bearer_auth(&page.access)
            .header("origin", origin);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 204);
        assert_eq!(set_cookie(&answer).as_deref(), expected, "{scope}");
    }
}

async fn a_sign_out_is_seen_by_every_replica_at_once(database: TestDatabase) {
    let site = Site::start(database).await;
    let replica = site.another().await;
    let session = site.program().await;
    assert_eq!(replica.user(&session.access).await.status(), 200);
    assert_eq!(site.sign_out(&session.access, "?scope=local").await, 204);
    let answer = refusal(replica.user(&session.access).await).await;
    assert_eq!(answer, (401, "session_not_found".to_owned()));
    let answer = replica.refresh(&session.refresh, None, None).await;
    assert_eq!(refusal(answer).await, (400, "session_not_found".to_owned()));
}
