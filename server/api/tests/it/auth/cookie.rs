//! Cookie mode: no script and no other site can read the refresh token of our own pages.

use super::*;

on_both!(signing_in_again_ends_the_session_of_the_old_cookie);

#[tokio::test]
async fn a_page_never_sees_the_refresh_token_and_refreshes_with_its_cookie() {
    let site = site().await;
    let (origin, verifier) = (site.site(), verifier());
    let own = Some(origin.as_str());
    let code = site.code(&verifier).await;
    let answer = site.exchange(&code, &verifier, own, None).await;
    let first = signed(&answer);
    let cookie = first.cookie.as_deref().unwrap();
    assert_eq!(
        answer.header("set-cookie"),
        format!("por-refresh={cookie}; HttpOnly; SameSite=Lax; Path=/; Max-Age=7776000")
    );
    // The id in the page identifies the session, but is no token.
    assert!(cookie.starts_with(&format!("{}.", first.refresh)));
    assert_eq!(first.refresh.split('.').count(), 2);

    let second = signed(&site.renew(&first).await);
    assert_ne!(second.refresh, first.refresh);
    assert_ne!(second.cookie, first.cookie);
    assert!(site.is_in(&second.access).await);
    // Another tab still remembers the earlier id, but all tabs share the cookie.
    let cookie = second.cookie.as_deref();
    let third = signed(&site.refresh(&first.refresh, own, cookie).await);
    assert_eq!(third.user_id, first.user_id);
}

#[tokio::test]
async fn other_callers_cannot_use_the_cookie() {
    let site = site().await;
    let (page, other) = (site.page().await, site.page().await);
    let origin = site.site();
    let own = Some(origin.as_str());
    let cookie = page.cookie.as_deref().unwrap();
    let name = page.refresh.as_str();
    for (token, origin, cookie, why) in [
        (name, None, Some(cookie), "no origin"),
        (name, own, None, "no cookie"),
        (name, own, Some(name), "the name as cookie"),
        (name, own, other.cookie.as_deref(), "another cookie"),
        (&other.refresh, own, Some(cookie), "another name"),
        ("x", own, Some(cookie), "no name"),
        (cookie, own, Some(cookie), "the cookie's token in the body"),
        (cookie, None, None, "the cookie's token from a program"),
    ] {
        let answer = site.refresh(token, origin, cookie).await;
        assert_eq!(answer.problem(), (400, "refresh_token_not_found"), "{why}");
    }
    // None of that affected the page.
    for session in [&page, &other] {
        signed(&site.renew(session).await);
    }
}

async fn signing_in_again_ends_the_session_of_the_old_cookie(database: TestDatabase) {
    let site = site_on(database).await;
    let old = site.page().await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let (origin, cookie) = (site.site(), old.cookie.as_deref());
    let new = signed(&site.exchange(&code, &verifier, Some(&origin), cookie).await);
    assert!(!site.is_in(&old.access).await);
    assert!(site.is_in(&new.access).await);
}
