//! Sessions end at once, on every server.

use super::site::{set_cookie, signed, site, site_on};

use crate::support::prelude::*;

on_both!(a_sign_out_is_seen_by_every_replica_at_once);

#[tokio::test]
async fn a_sign_out_ends_what_its_scope_says() {
    let site = site().await;
    for (scope, expected) in [
        ("", [false, false, false, true]),
        ("?scope=global", [false, false, false, true]),
        ("?scope=local", [false, true, true, true]),
        ("?scope=others", [true, false, false, true]),
    ] {
        // Three devices of one user, and another user.
        let user = identity("github", scope);
        let mut sessions = Vec::new();
        for _ in 0..3 {
            sessions.push(signed(&site.enter(&user, None).await));
        }
        sessions.push(site.program().await);
        let first = sessions[0].access.clone();
        assert_eq!(site.sign_out(&first, scope).await, 204);
        for (session, alive) in sessions.iter().zip(expected) {
            assert_eq!(site.is_in(&session.access).await, alive, "{scope}");
            let answer = site.renew(session).await;
            assert_eq!(answer.status == 200, alive, "{scope}");
        }
        let again = if expected[0] { 204 } else { 401 };
        assert_eq!(site.sign_out(&first, scope).await, again);
    }
}

#[tokio::test]
async fn a_sign_out_on_a_page_removes_the_cookie() {
    let site = site().await;
    let (own, evil) = (site.site(), "https://evil.example");
    let removed = "por-refresh=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0";
    for (scope, origin, expected) in [
        ("global", own.as_str(), Some(removed)),
        ("local", &own, Some(removed)),
        ("others", &own, None),
        ("global", evil, None),
    ] {
        let bearer = format!("Bearer {}", site.page().await.access);
        let headers = [("authorization", bearer.as_str()), ("origin", origin)];
        let path = format!("logout?scope={scope}");
        let answer = site.auth("POST", &path, &headers, None).await;
        assert_eq!(answer.status, 204);
        assert_eq!(set_cookie(&answer), expected, "{scope} {origin}");
    }
}

async fn a_sign_out_is_seen_by_every_replica_at_once(database: TestDatabase) {
    let site = site_on(database).await;
    let replica = site.another().await;
    let session = site.program().await;
    assert!(replica.is_in(&session.access).await);
    assert_eq!(site.sign_out(&session.access, "?scope=local").await, 204);
    let user = replica.user(&session.access).await;
    assert_eq!(user.problem(), (401, "session_not_found"));
    let refreshed = replica.renew(&session).await;
    assert_eq!(refreshed.problem(), (400, "session_not_found"));
}
