//! Cross-site request forgery: no request that another site makes the victim's browser send, cookies included, changes
//! or reveals anything.

use serde_json::{Value, json};
use store::sessions::Session;

use super::providers::{Stage, x_user};
use super::site::{Signed, set_cookie, signed, site};
use crate::support::app::{Answer, TestApp, session_id};
use crate::support::database::TestDatabase;
use crate::support::providers::Browser;
use crate::support::sign_in::{challenge, verifier};

/// A sender, and the headers by which browsers identify it.
type Sender = (&'static str, Vec<(&'static str, String)>);

/// The headers of a request from another site's page, and values that could fool a careless check.
fn foreign_pages(own: &str) -> Vec<Sender> {
    let evil = "https://evil.example";
    let pages = [
        ("another site", vec![("origin", evil.to_owned())]),
        ("a hidden origin", vec![("origin", "null".to_owned())]),
        ("an empty origin", vec![("origin", String::new())]),
        ("another port", vec![("origin", format!("{own}0"))]),
        ("our name with a path", vec![("origin", format!("{own}/"))]),
        (
            "our name in front",
            vec![("origin", format!("{own}.evil.example"))],
        ),
        ("ours in a list", vec![("origin", format!("{own}, {own}"))]),
    ];
    let twice = [
        ("ours and another", own, evil),
        ("another and ours", evil, own),
        ("ours twice", own, own),
    ];
    let twice = twice.map(|(who, first, second)| {
        (
            who,
            vec![("origin", first.to_owned()), ("origin", second.to_owned())],
        )
    });
    let forms = [
        ("a form of another site", "cross-site"),
        ("a form of the same site", "same-site"),
        ("no origin though same-origin", "same-origin"),
    ];
    let forms = forms.map(|(who, site)| (who, vec![("sec-fetch-site", site.to_owned())]));
    pages.into_iter().chain(twice).chain(forms).collect()
}

/// The same senders, and a program that has stolen the cookie.
fn strangers(own: &str) -> Vec<Sender> {
    let mut strangers = foreign_pages(own);
    strangers.push(("a program", Vec::new()));
    strangers
}

fn cookie(victim: &Signed) -> String {
    format!(
        "por-refresh={}",
        victim.cookie.as_deref().expect("a cookie")
    )
}

/// Sends a request of this sender, with more headers.
async fn send(
    site: &TestApp,
    (method, path): (&str, &str),
    (_, sender): &Sender,
    more: &[(&str, &str)],
    body: Option<Value>,
) -> Answer {
    let sender = sender.iter().map(|(name, value)| (*name, value.as_str()));
    let headers: Vec<_> = sender.chain(more.iter().copied()).collect();
    let answer = site.auth(method, path, &headers, body).await;
    assert_eq!(answer.header("access-control-allow-credentials"), "");
    answer
}

/// The victim's session in the database.
async fn on_record(site: &TestApp, victim: &Signed) -> Session {
    let session = site.state.store.session(&session_id(&victim.access)).await;
    session.unwrap().unwrap()
}

#[tokio::test]
async fn the_cookie_alone_does_nothing_for_anybody() {
    let site = site().await;
    let victim = site.page().await;
    let before = on_record(&site, &victim).await;
    let profile = format!("/rest/v1/profiles?id=eq.{}", victim.user_id);
    let endpoints = [
        ("POST", "logout"),
        ("POST", "logout?scope=local"),
        ("POST", "logout?scope=others"),
        ("GET", "user"),
        ("POST", "/functions/v1/delete-account"),
        ("POST", "/functions/v1/submit-proof"),
        ("POST", "/functions/v1/create-stripe-session"),
        ("GET", "/functions/v1/proof-challenge"),
        ("PATCH", &profile),
    ];
    // Even our own page needs its access token: the cookie is not enough.
    let mut senders = strangers(&site.site());
    senders.push(("our page", vec![("origin", site.site())]));
    let cookie = cookie(&victim);
    for sender in &senders {
        for endpoint in endpoints {
            let body = Some(json!({ "tier": "free" }));
            let answer = send(&site, endpoint, sender, &[("cookie", &cookie)], body).await;
            assert_eq!(answer.status, 401, "{endpoint:?} by {}", sender.0);
            assert_eq!(set_cookie(&answer), None, "{endpoint:?} by {}", sender.0);
        }
    }
    assert_eq!(on_record(&site, &victim).await, before);
    assert!(site.is_in(&victim.access).await);
}

#[tokio::test]
async fn nobody_else_is_answered_by_the_cookie() {
    let site = site().await;
    let victim = site.page().await;
    let before = on_record(&site, &victim).await;
    let cookie = cookie(&victim);
    let cookie = ("cookie", cookie.as_str());
    let refresh = ("POST", "token?grant_type=refresh_token");
    let pkce = ("POST", "token?grant_type=pkce");
    let wanted = json!({ "refresh_token": victim.refresh });
    for sender in &strangers(&site.site()) {
        for (endpoint, body) in [
            (refresh, wanted.clone()),
            (refresh, json!({ "refresh_token": "" })),
            (refresh, json!({})),
            (pkce, json!({ "auth_code": "x", "code_verifier": "x" })),
        ] {
            let answer = send(&site, endpoint, sender, &[cookie], Some(body)).await;
            assert_eq!(answer.problem().0, 400, "{endpoint:?} by {}", sender.0);
            assert!(!answer.text().contains("access_token"), "{answer:?}");
        }
        // A request that a form can send without a preflight is not read.
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
        ] {
            let headers = [cookie, ("content-type", kind)];
            let body = Some(wanted.clone());
            let answer = send(&site, refresh, sender, &headers, body).await;
            assert!(answer.status.is_client_error(), "{kind} by {}", sender.0);
            assert_eq!(set_cookie(&answer), None);
        }
        // A preflight does not help.
        let asks = [
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "content-type"),
        ];
        send(&site, ("OPTIONS", refresh.1), sender, &asks, None).await;
    }
    assert_eq!(on_record(&site, &victim).await, before);
}

#[tokio::test]
async fn a_foreign_page_cannot_set_our_cookie() {
    let site = site().await;
    let (victim, thief) = (site.page().await, site.program().await);
    let cookie = cookie(&victim);
    let cookie = ("cookie", cookie.as_str());
    let bearer = format!("Bearer {}", thief.access);
    let exchange = ("POST", "token?grant_type=pkce");
    for sender in &foreign_pages(&site.site()) {
        // With its own code it could sign the victim in as another user.
        let verifier = verifier();
        let code = site.code(&verifier).await;
        let body = json!({ "auth_code": code, "code_verifier": verifier });
        let answer = send(&site, exchange, sender, &[cookie], Some(body)).await;
        assert_eq!(answer.problem(), (400, "validation_failed"), "{}", sender.0);
        // It cannot delete the cookie, even with an access token.
        let headers = [cookie, ("authorization", &bearer)];
        let answer = send(
            &site,
            ("POST", "logout?scope=others"),
            sender,
            &headers,
            None,
        )
        .await;
        assert_eq!(answer.status, 204, "{}", sender.0);
        assert_eq!(set_cookie(&answer), None, "{}", sender.0);
    }
    assert!(site.is_in(&victim.access).await);
}

#[tokio::test]
async fn our_own_page_is_served() {
    let site = site().await;
    let victim = site.page().await;
    let origin = site.site();
    let refreshed = site.refresh(&victim.refresh, Some(&origin), victim.cookie.as_deref());
    let next = signed(&refreshed.await);
    let bearer = format!("Bearer {}", next.access);
    let headers = [
        ("authorization", bearer.as_str()),
        ("cookie", &cookie(&next)),
    ];
    let own = ("our page", vec![("origin", origin)]);
    let answer = send(&site, ("POST", "logout"), &own, &headers, None).await;
    assert_eq!(answer.status, 204);
    let cleared = "por-refresh=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0";
    assert_eq!(set_cookie(&answer), Some(cleared));
    assert!(!site.is_in(&next.access).await);
}

#[tokio::test]
async fn a_callback_of_an_attacker_leaves_the_victim_alone() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let site = &stage.site;
    let victim = stage.person("1", "victim").await;
    let before = on_record(site, &victim).await;
    stage
        .providers
        .person("twitter", x_user("2", "attacker"))
        .await;
    let attempt = stage.visit(&Browser::new(), "twitter").await;
    let path = attempt.callback.path().trim_start_matches("/api");
    let callback = format!("{path}?{}", attempt.callback.query().expect("a query"));
    // The sign-in cookie belongs to a sign-in that the attacker started in the victim's browser.
    let begin = site
        .authorize(&[
            ("provider", "twitter"),
            ("code_challenge", &challenge(&verifier())),
            ("code_challenge_method", "s256"),
        ])
        .await;
    let begun = set_cookie(&begin).and_then(|cookie| cookie.split(';').next());
    let cookies = format!("{}; {}", cookie(&victim), begun.expect("a pair"));
    for sender in &strangers(&site.site()) {
        let headers = [("cookie", cookies.as_str())];
        let answer = send(site, ("GET", &callback), sender, &headers, None).await;
        assert_eq!(answer.status, 302, "{}", sender.0);
        let location = answer.header("location");
        assert!(
            location.contains("error_code=bad_oauth_state"),
            "{location}"
        );
        assert_eq!(set_cookie(&answer), None);
    }
    assert_eq!(on_record(site, &victim).await, before);
    assert_eq!(site.people().await, 1, "nobody else has come");
}
