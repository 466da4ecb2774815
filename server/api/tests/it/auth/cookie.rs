//! Cookie mode: no script and no other site can read the refresh token of our own pages.

use super::*;

on_both!(signing_in_again_ends_the_session_of_the_old_cookie);

/// In body mode, and in cookie mode by other callers than the page.
#[tokio::test]
async fn an_unknown_refresh_token_changes_nothing() {
    let site = TestApp::development().await;
    let (mine, other) = (site.page().await, site.page().await);
    let (program, stranger) = (site.program().await, site.program().await);
    let (rest, _) = program.refresh.rsplit_once('.').expect("a MAC");
    let (_, mac) = stranger.refresh.rsplit_once('.').expect("a MAC");
    let origin = site.site();
    let own = Some(origin.as_str());
    let cookie = mine.cookie.as_deref().unwrap();
    let name = mine.refresh.as_str();
    let (page, thief) = ((own, Some(cookie)), (None, Some(cookie)));
    for (token, caller, why) in [
        (&*format!("{rest}.{mac}"), PROGRAM, "another one's MAC"),
        (rest, PROGRAM, "no MAC"),
        (&program.access, PROGRAM, "an access token"),
        (name, thief, "no origin"),
        (name, (own, None), "no cookie"),
        (name, (own, Some(name)), "the name as cookie"),
        (name, (own, other.cookie.as_deref()), "another cookie"),
        (&other.refresh, page, "another name"),
        ("x", page, "no name"),
        (cookie, page, "the cookie's token in the body"),
        (cookie, PROGRAM, "the cookie's token from a program"),
    ] {
        let answer = site.refresh(token, caller).await;
        assert_eq!(answer.problem(), (400, "refresh_token_not_found"), "{why}");
    }
    for session in [&mine, &other, &program] {
        signed(&site.renew(session).await);
    }
}

async fn signing_in_again_ends_the_session_of_the_old_cookie(database: TestDatabase) {
    let site = TestApp::start(database, &[]).await;
    let old = site.page().await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let (origin, cookie) = (site.site(), old.cookie.as_deref());
    let caller = (Some(&*origin), cookie);
    let new = signed(&site.exchange(&code, &verifier, caller).await);
    assert!(!site.is_in(&old.access).await);
    assert!(site.is_in(&new.access).await);
}
