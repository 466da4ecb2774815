//! Cookie mode: no script and no other site can read the refresh token of our own pages.

use std::collections::HashSet;

use super::site::{signed, site, site_on};
use crate::support::prelude::*;
use crate::support::sign_in::verifier;

on_both!(
    fifty_tabs_refresh_at_once,
    signing_in_again_ends_the_session_of_the_old_cookie,
);

#[tokio::test]
async fn a_page_never_sees_the_refresh_token_and_refreshes_with_its_cookie() {
    let site = site().await;
    let (origin, verifier) = (site.site(), verifier());
    let own = Some(origin.as_str());
    let code = site.code(&verifier).await;
    let answer = site.exchange(&code, &verifier, own, None).await;
    let first = signed(&answer);
    let cookie = first.cookie.as_deref().expect("a cookie");
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

async fn fifty_tabs_refresh_at_once(database: TestDatabase) {
    let site = site_on(database).await;
    let page = site.page().await;
    let sessions = join_all((0..50).map(|_| site.renew_patiently(&page))).await;
    let cookies: HashSet<_> = sessions.iter().map(|session| &session.cookie).collect();
    assert_eq!(cookies.len(), 1);
}

#[tokio::test]
async fn other_callers_cannot_use_the_cookie() {
    let site = site().await;
    let (page, other) = (site.page().await, site.page().await);
    let origin = site.site();
    let own = Some(origin.as_str());
    let cookie = page.cookie.as_deref().expect("a cookie");
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

/// The response with the new cookie and the new id was lost. Other rules of rotation do not depend on the mode (`refresh.rs`).
#[tokio::test]
async fn a_lost_answer_is_given_again_to_a_page() {
    let site = site().await;
    let first = site.page().await;
    let lost = signed(&site.renew(&first).await);
    // The laptop sleeps until the next morning.
    site.state.clock.advance(12 * 60 * 60);
    let again = signed(&site.renew(&first).await);
    assert_eq!(
        (&again.refresh, &again.cookie),
        (&lost.refresh, &lost.cookie)
    );
    assert_ne!(again.cookie, first.cookie);
    assert!(site.is_in(&again.access).await);
    // The browser has the new cookie, so a client with the old one has stolen it.
    site.state.clock.advance(11);
    let stolen = site.renew(&first).await;
    assert_eq!(stolen.problem(), (400, "refresh_token_already_used"));
    assert!(!site.is_in(&again.access).await);
}
