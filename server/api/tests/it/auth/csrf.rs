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

/// A user of our pages, whose browser sends the cookie.
struct Victim {
    site: TestApp,
    session: Signed,
    cookie: String,
    /// The foreign pages, and a program that has stolen the cookie.
    strangers: Vec<Sender>,
}

impl Victim {
    async fn new() -> Self {
        let site = TestApp::development().await;
        let session = site.page().await;
        let own = site.site();
        let header = |header: &'static str| {
            let (name, value) = header.split_once(": ").expect("a name and a value");
            (name, value.replace("{own}", &own))
        };
        let sender = |headers: &'static str| headers.split("; ").map(header).collect();
        let mut strangers: Vec<Sender> = FOREIGN_PAGES.into_iter().map(sender).collect();
        strangers.push(Vec::new());
        Self {
            cookie: format!("por-refresh={}", session.cookie.as_ref().unwrap()),
            site,
            session,
            strangers,
        }
    }

    /// Sends a request of this sender with the cookie and more headers. The response sets none.
    async fn send(
        &self,
        (method, path): (&str, &str),
        sender: &Sender,
        more: &[(&str, &str)],
        body: Option<Value>,
    ) -> Answer {
        let sender = sender.iter().map(|(name, value)| (*name, value.as_str()));
        let cookie = ("cookie", self.cookie.as_str());
        let headers: Vec<_> = sender.chain([cookie]).chain(more.iter().copied()).collect();
        let answer = self.site.auth(method, path, &headers, body).await;
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        assert_eq!(answer.header("set-cookie"), "", "{path} by {headers:?}");
        answer
    }

    async fn on_record(&self) -> Option<Session> {
        self.site.on_record(&self.session.access).await
    }
}

#[tokio::test]
async fn the_cookie_alone_changes_nothing() {
    let victim = Victim::new().await;
    let before = victim.on_record().await;
    // Even our own page needs its access token: the cookie is not enough.
    let own = vec![("origin", victim.site.site())];
    for sender in victim.strangers.iter().chain([&own]) {
        // `headers.rs` tests that no other route reads cookies.
        for endpoint in [
            ("POST", "logout"),
            ("POST", "logout?scope=local"),
            ("POST", "logout?scope=others"),
            ("GET", "user"),
            ("POST", "/functions/v1/delete-account"),
        ] {
            let body = Some(json!({ "tier": "free" }));
            let answer = victim.send(endpoint, sender, &[], body).await;
            assert_eq!(answer.status, 401, "{endpoint:?} by {sender:?}");
        }
    }
    assert_eq!(victim.on_record().await, before);
    assert!(victim.site.is_in(&victim.session.access).await);
}

#[tokio::test]
async fn the_cookie_is_read_only_with_our_origin() {
    let victim = Victim::new().await;
    let before = victim.on_record().await;
    let refresh = ("POST", "token?grant_type=refresh_token");
    let pkce = ("POST", "token?grant_type=pkce");
    let wanted = json!({ "refresh_token": victim.session.refresh });
    for sender in &victim.strangers {
        for (endpoint, body) in [
            (refresh, wanted.clone()),
            (refresh, json!({ "refresh_token": "" })),
            (refresh, json!({})),
            (pkce, json!({ "auth_code": "x", "code_verifier": "x" })),
        ] {
            let answer = victim.send(endpoint, sender, &[], Some(body)).await;
            assert_eq!(answer.status, 400, "{endpoint:?} by {sender:?}");
            assert!(!answer.text().contains("access_token"), "{answer:?}");
        }
        // A request that a form can send without a preflight is not read.
        let forms = "text/plain application/x-www-form-urlencoded multipart/form-data";
        for kind in forms.split(' ') {
            let kind = [("content-type", kind)];
            let body = Some(wanted.clone());
            let answer = victim.send(refresh, sender, &kind, body).await;
            assert!(answer.status.is_client_error(), "{kind:?} by {sender:?}");
        }
        // A preflight does not help.
        let header = ("access-control-request-headers", "content-type");
        let asks = [("access-control-request-method", "POST"), header];
        let preflight = ("OPTIONS", refresh.1);
        victim.send(preflight, sender, &asks, None).await;
    }
    assert_eq!(victim.on_record().await, before);
}

#[tokio::test]
async fn a_foreign_page_cannot_set_our_cookie() {
    let victim = Victim::new().await;
    let site = &victim.site;
    let bearer = format!("Bearer {}", site.program().await.access);
    let thief = [("authorization", bearer.as_str())];
    for sender in &victim.strangers[..FOREIGN_PAGES.len()] {
        // With its own code it could sign the victim in as another user.
        let verifier = verifier();
        let code = site.code(&verifier).await;
        let body = Some(json!({ "auth_code": code, "code_verifier": verifier }));
        let exchange = ("POST", "token?grant_type=pkce");
        let answer = victim.send(exchange, sender, &[], body).await;
        assert_eq!(answer.problem(), (400, "validation_failed"), "{sender:?}");
        // It cannot delete the cookie, even with an access token.
        let sign_out = ("POST", "logout?scope=others");
        let answer = victim.send(sign_out, sender, &thief, None).await;
        assert_eq!(answer.status, 204, "{sender:?}");
    }
    assert!(site.is_in(&victim.session.access).await);
}
