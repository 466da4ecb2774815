//! Cross-site request forgery: no request that another site makes the victim's browser send, cookies included, changes
//! or reveals anything.

use store::sessions::Session;

use super::*;

/// The headers by which a server can tell who sends a request.
type Sender = Vec<(&'static str, String)>;

/// The headers of requests from other sites' pages, with values that could fool a careless check; `{own}` is our origin.
const FOREIGN_PAGES: [&str; 13] = [
    "origin: https://evil.example",
    "origin: null",
    "origin: ",
    "origin: {own}0",
    "origin: {own}/",
    "origin: {own}.evil.example",
    "origin: {own}, {own}",
    "origin: {own}; origin: https://evil.example",
    "origin: https://evil.example; origin: {own}",
    "origin: {own}; origin: {own}",
    "sec-fetch-site: cross-site",
    "sec-fetch-site: same-site",
    // Without an origin.
    "sec-fetch-site: same-origin",
];

fn foreign_pages(own: &str) -> Vec<Sender> {
    let header = |header: &'static str| {
        let (name, value) = header.split_once(": ").expect("a name and a value");
        (name, value.replace("{own}", own))
    };
    let sender = |headers: &'static str| headers.split("; ").map(header).collect();
    FOREIGN_PAGES.into_iter().map(sender).collect()
}

/// The same senders, and a program that has stolen the cookie.
fn strangers(own: &str) -> Vec<Sender> {
    let mut strangers = foreign_pages(own);
    strangers.push(Vec::new());
    strangers
}

fn cookie(victim: &Signed) -> String {
    format!("por-refresh={}", victim.cookie.as_ref().unwrap())
}

/// Sends a request of this sender, with more headers.
async fn send(
    site: &TestApp,
    (method, path): (&str, &str),
    sender: &Sender,
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
    // `headers.rs` tests that no other route reads cookies.
    let endpoints = [
        ("POST", "logout"),
        ("POST", "logout?scope=local"),
        ("POST", "logout?scope=others"),
        ("GET", "user"),
        ("POST", "/functions/v1/delete-account"),
    ];
    // Even our own page needs its access token: the cookie is not enough.
    let mut senders = strangers(&site.site());
    senders.push(vec![("origin", site.site())]);
    let cookie = cookie(&victim);
    for sender in &senders {
        for endpoint in endpoints {
            let body = Some(json!({ "tier": "free" }));
            let answer = send(&site, endpoint, sender, &[("cookie", &cookie)], body).await;
            assert_eq!(answer.status, 401, "{endpoint:?} by {sender:?}");
            assert_eq!(set_cookie(&answer), None, "{endpoint:?} by {sender:?}");
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
            assert_eq!(answer.problem().0, 400, "{endpoint:?} by {sender:?}");
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
            assert!(answer.status.is_client_error(), "{kind} by {sender:?}");
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
    let sign_out = ("POST", "logout?scope=others");
    for sender in &foreign_pages(&site.site()) {
        // With its own code it could sign the victim in as another user.
        let verifier = verifier();
        let code = site.code(&verifier).await;
        let body = json!({ "auth_code": code, "code_verifier": verifier });
        let answer = send(&site, exchange, sender, &[cookie], Some(body)).await;
        assert_eq!(answer.problem(), (400, "validation_failed"), "{sender:?}");
        // It cannot delete the cookie, even with an access token.
        let headers = [cookie, ("authorization", &bearer)];
        let answer = send(&site, sign_out, sender, &headers, None).await;
        assert_eq!(answer.status, 204, "{sender:?}");
        assert_eq!(set_cookie(&answer), None, "{sender:?}");
    }
    assert!(site.is_in(&victim.access).await);
}
