//! Cookie mode: the refresh token of our own pages is out of reach of every script and other site.

use std::collections::HashSet;

use super::site::answer::{refusal, set_cookie, signed};
use super::site::{Site, verifier};
use crate::support::database::{TestDatabase, on_both};

on_both!(
    fifty_tabs_refresh_at_once,
    signing_in_again_ends_the_session_of_the_old_cookie,
);

#[tokio::test]
async fn a_page_never_sees_the_refresh_token() {
    let site = Site::sqlite().await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let origin = site.origin.as_str();
    let answer = site.exchange(&code, &verifier, Some(origin), None).await;
    let header = set_cookie(&answer).expect("a cookie");
    let session = signed(answer).await;
    let cookie = session.cookie.expect("a cookie");
    assert_eq!(
        header,
        format!("por-refresh={cookie}; HttpOnly; SameSite=Lax; Path=/; Max-Age=7776000")
    );
    // What the page sees names the session and lacks what makes a token genuine.
    assert!(cookie.starts_with(&format!("{}.", session.refresh)));
    assert_eq!(session.refresh.split('.').count(), 2);
}

#[tokio::test]
async fn a_page_refreshes_with_its_cookie() {
    let site = Site::sqlite().await;
    let origin = site.origin.as_str();
    let first = site.page().await;
    let cookie = first.cookie.as_deref();
    let second = signed(site.refresh(&first.refresh, Some(origin), cookie).await).await;
    assert_ne!(second.refresh, first.refresh);
    assert_ne!(second.cookie, first.cookie);
    assert_eq!(site.user(&second.access).await.status(), 200);
    // Another tab still has the earlier name in memory, but the cookie is everybody's.
    let cookie = second.cookie.as_deref();
    let third = signed(site.refresh(&first.refresh, Some(origin), cookie).await).await;
    assert_eq!(third.user_id, first.user_id);
}

async fn fifty_tabs_refresh_at_once(database: TestDatabase) {
    let site = Site::start(database).await;
    let page = site.page().await;
    let origin = site.origin.as_str();
    let cookie = page.cookie.as_deref();
    let attempts = (0..50)
        .map(|_| site.refresh_patiently(&page.refresh, Some(origin), cookie))
        .map(|answer| async { signed(answer.await).await });
    let answers = futures_util::future::join_all(attempts).await;
    let cookies: HashSet<_> = answers.iter().map(|answer| &answer.cookie).collect();
    assert_eq!(cookies.len(), 1);
}

#[tokio::test]
async fn other_callers_cannot_use_the_cookie() {
    let site = Site::sqlite().await;
    let page = site.page().await;
    let other = site.page().await;
    let own = Some(site.origin.as_str());
    let cookie = page.cookie.as_deref().expect("a cookie");
    let name = page.refresh.as_str();
    let other_port = format!("{}0", site.origin);
    for (token, origin, cookie, why) in [
        (name, Some("https://evil.example"), Some(cookie), "foreign"),
        (name, Some(other_port.as_str()), Some(cookie), "other port"),
        (name, Some("null"), Some(cookie), "a hidden origin"),
        (name, Some(""), Some(cookie), "an empty origin"),
        (name, None, Some(cookie), "no origin"),
        (name, own, None, "no cookie"),
        (name, own, Some(name), "the name as cookie"),
        (name, own, other.cookie.as_deref(), "another cookie"),
        (other.refresh.as_str(), own, Some(cookie), "another name"),
        ("x", own, Some(cookie), "no name"),
        (cookie, own, Some(cookie), "the cookie's token in the body"),
        (cookie, None, None, "the cookie's token from a program"),
    ] {
        let answer = site.refresh(token, origin, cookie).await;
        assert!(
            !answer
                .headers()
                .contains_key("access-control-allow-credentials")
        );
        assert_eq!(
            refusal(answer).await,
            (400, "refresh_token_not_found".to_owned()),
            "{why}"
        );
    }
    // None of that changed anything for the page.
    signed(site.refresh(name, own, Some(cookie)).await).await;
    let cookie = other.cookie.as_deref();
    signed(site.refresh(&other.refresh, own, cookie).await).await;
}

#[tokio::test]
async fn a_page_of_another_origin_cannot_exchange_our_code() {
    let site = Site::sqlite().await;
    for origin in ["https://evil.example", "null", ""] {
        let verifier = verifier();
        let code = site.code(&verifier).await;
        let answer = site.exchange(&code, &verifier, Some(origin), None).await;
        assert_eq!(refusal(answer).await, (400, "validation_failed".to_owned()));
    }
}

#[tokio::test]
async fn no_page_can_choose_body_mode() {
    let site = Site::sqlite().await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    // What a browser sends where it leaves Origin out.
    let answer = site
        .post("/auth/v1/token?grant_type=pkce")
        .header("sec-fetch-site", "same-origin")
        .json(&serde_json::json!({ "auth_code": code, "code_verifier": verifier }))
        .send()
        .await
        .expect("an answer");
    assert_eq!(refusal(answer).await, (400, "validation_failed".to_owned()));
}

async fn signing_in_again_ends_the_session_of_the_old_cookie(database: TestDatabase) {
    let site = Site::start(database).await;
    let old = site.page().await;
    let verifier = verifier();
    let code = site.code(&verifier).await;
    let origin = Some(site.origin.as_str());
    let answer = site
        .exchange(&code, &verifier, origin, old.cookie.as_deref())
        .await;
    let new = signed(answer).await;
    assert_eq!(site.user(&old.access).await.status(), 401);
    assert_eq!(site.user(&new.access).await.status(), 200);
}

#[tokio::test]
async fn a_stale_cookie_is_reuse() {
    let site = Site::sqlite().await;
    let origin = Some(site.origin.as_str());
    let first = site.page().await;
    let cookie = first.cookie.as_deref();
    let next = signed(site.refresh(&first.refresh, origin, cookie).await).await;
    assert_eq!(site.user(&next.access).await.status(), 200, "it arrived");
    site.clock.advance(11);
    let answer = site.refresh(&first.refresh, origin, cookie).await;
    assert_eq!(
        refusal(answer).await,
        (400, "refresh_token_already_used".to_owned())
    );
    assert_eq!(site.user(&first.access).await.status(), 401);
}

/// The browser has neither the new cookie nor the new name.
#[tokio::test]
async fn a_lost_answer_is_given_again_to_a_page() {
    let site = Site::sqlite().await;
    let origin = Some(site.origin.as_str());
    let first = site.page().await;
    let cookie = first.cookie.as_deref();
    let lost = signed(site.refresh(&first.refresh, origin, cookie).await).await;
    // The laptop sleeps until the next morning.
    site.clock.advance(12 * 60 * 60);
    let again = signed(site.refresh(&first.refresh, origin, cookie).await).await;
    assert_eq!(
        (&again.refresh, &again.cookie),
        (&lost.refresh, &lost.cookie)
    );
    assert!(again.cookie.is_some() && again.cookie.as_deref() != cookie);
    assert_eq!(site.user(&again.access).await.status(), 200);
    let cookie = again.cookie.as_deref();
    signed(site.refresh(&again.refresh, origin, cookie).await).await;
}
