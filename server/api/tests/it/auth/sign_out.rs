//! Sessions end at once, on every server.

use super::*;

on_both!(a_sign_out_ends_what_its_scope_says);

async fn a_sign_out_ends_what_its_scope_says(database: TestDatabase) {
    let site = site_on(database).await;
    let replica = site.another().await;
    let origin = site.site();
    let removed = Some("por-refresh=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
    for (scope, expected, cookie) in [
        ("", [false, false, false, true], removed),
        ("?scope=global", [false, false, false, true], removed),
        ("?scope=local", [false, true, true, true], removed),
        ("?scope=others", [true, false, false, true], None),
    ] {
        // Three devices of one user, and another user.
        let user = identity("github", scope);
        let mut sessions = Vec::new();
        for _ in 0..3 {
            sessions.push(signed(&site.enter(&user, Some(&origin)).await));
        }
        sessions.push(site.program().await);
        let first = sessions[0].access.clone();
        let bearer = format!("Bearer {first}");
        let headers = [("authorization", bearer.as_str()), ("origin", &origin)];
        let path = format!("logout{scope}");
        let answer = site.auth("POST", &path, &headers, None).await;
        assert_eq!(answer.status, 204);
        assert_eq!(set_cookie(&answer), cookie, "{scope}");
        for (session, alive) in sessions.iter().zip(expected) {
            for server in [&site, &replica] {
                assert_eq!(server.is_in(&session.access).await, alive, "{scope}");
            }
            let answer = replica.renew(session).await;
            assert_eq!(answer.status == 200, alive, "{scope}");
        }
        let again = if expected[0] { 204 } else { 401 };
        assert_eq!(site.sign_out(&first, scope).await, again);
    }
}
