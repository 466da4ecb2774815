//! Cross-site request forgery: whatever another site makes the victim's browser send, cookies included, changes
//! nothing and tells it nothing.

use reqwest::{Method, RequestBuilder, Response};
use serde_json::json;
use store::sessions::Session;

use super::providers::{Stage, x_user};
use super::site::answer::{Signed, set_cookie, signed};
use super::site::{Site, challenge, verifier};
use crate::support::app::session_id;
use crate::support::database::TestDatabase;
use crate::support::providers::Browser;

/// Who may have sent a request.
type Sender = (&'static str, Vec<(&'static str, String)>);

/// What browsers say when a page of another site sends a request, and how a careless check could be fooled.
fn foreign_pages(own: &str) -> Vec<Sender> {
    let evil = "https://evil.example".to_owned();
    let neighbour = format!("{own}0");
    vec![
        ("another site", vec![("origin", evil.clone())]),
        (
            "a page that hides its origin",
            vec![("origin", "null".to_owned())],
        ),
        ("an empty origin", vec![("origin", String::new())]),
        ("another port", vec![("origin", neighbour)]),
        ("our name with a path", vec![("origin", format!("{own}/"))]),
        (
            "a site with our name in front",
            vec![("origin", format!("{own}.evil.example"))],
        ),
        (
            "ours and another",
            vec![("origin", own.to_owned()), ("origin", evil.clone())],
        ),
        (
            "another and ours",
            vec![("origin", evil), ("origin", own.to_owned())],
        ),
        (
            "ours twice",
            vec![("origin", own.to_owned()), ("origin", own.to_owned())],
        ),
        ("ours in a list", vec![("origin", format!("{own}, {own}"))]),
        (
            "a form of another site",
            vec![("sec-fetch-site", "cross-site".to_owned())],
        ),
        (
            "a form of a neighbour",
            vec![("sec-fetch-site", "same-site".to_owned())],
        ),
        (
            "no origin though same-origin",
            vec![("sec-fetch-site", "same-origin".to_owned())],
        ),
    ]
}

/// The same, and a program that has got hold of the cookie.
fn strangers(own: &str) -> Vec<Sender> {
    let mut strangers = foreign_pages(own);
    strangers.push(("a program", Vec::new()));
    strangers
}

fn sent_by(request: RequestBuilder, (_, headers): &Sender) -> RequestBuilder {
    headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, value)
    })
}

fn cookie(victim: &Signed) -> String {
    let value = victim.cookie.as_deref().expect("a cookie");
    format!("por-refresh={value}")
}

async fn send(request: RequestBuilder) -> Response {
    let answer = request.send().await.expect("an answer");
    let headers = answer.headers();
    assert!(!headers.contains_key("access-control-allow-credentials"));
    answer
}

/// The victim's session as the database has it.
async fn on_record(site: &Site, victim: &Signed) -> Session {
    let session = site.state.store.session(&session_id(&victim.access)).await;
    session.expect("a database").expect("a session")
}

#[tokio::test]
async fn the_cookie_alone_does_nothing_for_anybody() {
    let site = Site::sqlite().await;
    let victim = site.page().await;
    let before = on_record(&site, &victim).await;
    let profile = format!("/rest/v1/profiles?id=eq.{}", victim.user_id);
    let endpoints = [
        (Method::POST, "/auth/v1/logout"),
        (Method::POST, "/auth/v1/logout?scope=local"),
        (Method::POST, "/auth/v1/logout?scope=others"),
        (Method::GET, "/auth/v1/user"),
        (Method::POST, "/functions/v1/delete-account"),
        (Method::POST, "/functions/v1/submit-proof"),
        (Method::POST, "/functions/v1/create-stripe-session"),
        (Method::GET, "/functions/v1/proof-challenge"),
        (Method::PATCH, profile.as_str()),
    ];
    // Not even our own page is let in by the cookie: it shows its access token.
    let mut senders = strangers(&site.origin);
    senders.push(("our page", vec![("origin", site.origin.clone())]));
    for sender in &senders {
        for (method, path) in &endpoints {
            let request = site.request(method.clone(), path);
            let request = request
                .header("cookie", cookie(&victim))
                .json(&json!({ "tier": "free" }));
            let answer = send(sent_by(request, sender)).await;
            assert_eq!(answer.status(), 401, "{method} {path} by {}", sender.0);
            assert_eq!(set_cookie(&answer), None, "{method} {path} by {}", sender.0);
        }
    }
    assert_eq!(on_record(&site, &victim).await, before);
    assert_eq!(site.user(&victim.access).await.status(), 200);
}

#[tokio::test]
async fn nobody_else_is_answered_by_the_cookie() {
    let site = Site::sqlite().await;
    let victim = site.page().await;
    let before = on_record(&site, &victim).await;
    let bodies = [
        ("refresh_token", json!({ "refresh_token": victim.refresh })),
        ("refresh_token", json!({ "refresh_token": "" })),
        ("refresh_token", json!({})),
        ("pkce", json!({ "auth_code": "x", "code_verifier": "x" })),
    ];
    for sender in &strangers(&site.origin) {
        for (grant, body) in &bodies {
            let request = site.post(&format!("/auth/v1/token?grant_type={grant}"));
            let request = request.header("cookie", cookie(&victim)).json(body);
            let answer = send(sent_by(request, sender)).await;
            assert_eq!(answer.status(), 400, "{grant} by {}", sender.0);
            assert_eq!(set_cookie(&answer), None, "{grant} by {}", sender.0);
            let text = answer.text().await.expect("a body");
            assert!(!text.contains("access_token"), "{text}");
        }
        // What a form can send without asking first is not even read.
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
        ] {
            let request = site
                .post("/auth/v1/token?grant_type=refresh_token")
                .header("cookie", cookie(&victim))
                .header("content-type", kind)
                .body(json!({ "refresh_token": victim.refresh }).to_string());
            let answer = send(sent_by(request, sender)).await;
            assert!(answer.status().is_client_error(), "{kind} by {}", sender.0);
            assert_eq!(set_cookie(&answer), None);
        }
        // Asking first does not help.
        let asked = site
            .request(Method::OPTIONS, "/auth/v1/token?grant_type=refresh_token")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type");
        send(sent_by(asked, sender)).await;
    }
    assert_eq!(on_record(&site, &victim).await, before);
}

#[tokio::test]
async fn a_foreign_page_cannot_set_our_cookie() {
    let site = Site::sqlite().await;
    let victim = site.page().await;
    // With a code of its own it could sign the victim in as somebody else.
    for sender in &foreign_pages(&site.origin) {
        let verifier = verifier();
        let code = site.code(&verifier).await;
        let request = site
            .post("/auth/v1/token?grant_type=pkce")
            .header("cookie", cookie(&victim))
            .json(&json!({ "auth_code": code, "code_verifier": verifier }));
        let answer = send(sent_by(request, sender)).await;
        assert_eq!(answer.status(), 400, "{}", sender.0);
        assert_eq!(set_cookie(&answer), None, "{}", sender.0);
    }
    // Nor can it take the cookie away, even with an access token.
    let thief = site.program().await;
    for sender in &foreign_pages(&site.origin) {
        let request = site
            .post("/auth/v1/logout?scope=others")
            .bearer_auth(&thief.access)
            .header("cookie", cookie(&victim));
        let answer = send(sent_by(request, sender)).await;
        assert_eq!(answer.status(), 204, "{}", sender.0);
        assert_eq!(set_cookie(&answer), None, "{}", sender.0);
    }
    assert_eq!(site.user(&victim.access).await.status(), 200);
}

#[tokio::test]
async fn our_own_page_is_served() {
    let site = Site::sqlite().await;
    let victim = site.page().await;
    let origin = Some(site.origin.as_str());
    let answer = site
        .refresh(&victim.refresh, origin, victim.cookie.as_deref())
        .await;
    let next = signed(answer).await;
    let request = site
        .post("/auth/v1/logout")
        .bearer_auth(&next.access)
        .header("origin", &site.origin)
        .header("cookie", cookie(&next));
    let answer = send(request).await;
    assert_eq!(answer.status(), 204);
    let cleared = set_cookie(&answer).expect("the cookie goes");
    assert!(
        cleared.starts_with("por-refresh=;") && cleared.contains("Max-Age=0"),
        "{cleared}"
    );
    assert_eq!(site.user(&next.access).await.status(), 401);
}

#[tokio::test]
async fn a_callback_of_an_attacker_leaves_the_victim_alone() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let site = &stage.site;
    let victim = stage.somebody("1", "victim").await;
    let before = on_record(site, &victim).await;
    stage
        .providers
        .person("twitter", x_user("2", "attacker"))
        .await;
    let attempt = stage.visit(&Browser::new(), "twitter").await;
    let path = attempt
        .callback
        .path()
        .trim_start_matches("/api")
        .to_owned();
    let query = attempt.callback.query().expect("a query");
    // The sign-in cookie is of a sign-in that the attacker made the victim's browser begin.
    let begin = site
        .authorize(&[
            ("provider", "twitter"),
            ("code_challenge", &challenge(&verifier())),
            ("code_challenge_method", "s256"),
        ])
        .await;
    let begun = set_cookie(&begin).expect("a cookie");
    let begun = begun.split(';').next().expect("a pair");
    for sender in &strangers(&site.origin) {
        let request = site.get(&format!("{path}?{query}"));
        let cookies = format!("{}; {begun}", cookie(&victim));
        let answer = send(sent_by(request.header("cookie", cookies), sender)).await;
        assert_eq!(answer.status(), 302, "{}", sender.0);
        let location = answer.headers()["location"].to_str().expect("ASCII");
        assert!(
            location.contains("error_code=bad_oauth_state"),
            "{location}"
        );
        assert_eq!(set_cookie(&answer), None);
    }
    assert_eq!(on_record(site, &victim).await, before);
    assert_eq!(stage.people().await, 1, "nobody else has come");
}
