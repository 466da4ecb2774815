//! Complete sign-ins at every provider: a browser, this server in production mode, and providers that
//! check the requests they get.

use super::*;
use crate::support::providers::{Browser, Providers, redirect};
use api::providers::oauth;

mod refusals;
mod secrets;
mod who;
mod words;

/// The names of the providers. None is left out of the tests that are for all of them.
fn names() -> impl Iterator<Item = &'static str> {
    oauth().map(|(provider, _)| provider.name)
}

/// A server in production mode, and its providers.
struct Fixture {
    site: TestApp,
    providers: Providers,
}

/// A sign-in up to our callback address, which the browser has not opened yet.
struct Attempt {
    verifier: String,
    callback: Url,
}

/// What the callback page gets.
type Got = HashMap<String, String>;

impl Fixture {
    /// Alice has an account at each provider.
    async fn open() -> (Self, Browser) {
        Self::open_as(TestDatabase::sqlite().await, None).await
    }

    /// With a public address other than its own, as behind a proxy.
    async fn open_as(database: TestDatabase, site: Option<&str>) -> (Self, Browser) {
        let (listener, origin) = port().await;
        let site = site.unwrap_or(&origin);
        let providers = Providers::start(site).await;
        let arguments = providers.arguments();
        let clock = Clock::manual(NOW);
        let site = TestApp::production(listener, site, &database, clock, &arguments).await;
        for provider in names() {
            providers.person(provider, alice(provider)).await;
        }
        let site = site.keeping(database);
        (Self { site, providers }, Browser::new())
    }

    /// A click on the button: the address of the provider's page, not opened yet.
    async fn leave(&self, browser: &Browser, provider: &str) -> Attempt {
        let verifier = verifier();
        let (site, query) = (self.site.site(), self.site.query(provider, &verifier));
        let url = format!("{site}/api/auth/v1/authorize?{query}");
        let url: Url = url.parse().unwrap();
        let response = browser.open(&url).await;
        assert_eq!(response.status(), 302);
        let callback = redirect(&response, &url);
        Attempt { verifier, callback }
    }

    /// Goes through the provider's pages.
    async fn pass(&self, browser: &Browser, mut attempt: Attempt) -> Attempt {
        let home = format!("{}/", self.site.site());
        attempt.callback = browser.follow(attempt.callback, &home).await;
        attempt
    }

    /// Goes through the provider's pages, and back to our callback address.
    async fn visit(&self, browser: &Browser, provider: &str) -> Attempt {
        let attempt = self.leave(browser, provider).await;
        self.pass(browser, attempt).await
    }

    /// Exchanges the code, as the callback page does.
    async fn exchange(&self, attempt: &Attempt, got: &Got) -> Signed {
        let code = got.get("code");
        let code = code.unwrap_or_else(|| panic!("no code: {got:?}"));
        let (origin, verifier) = (self.site.site(), &attempt.verifier);
        let exchanged = self.site.exchange(code, verifier, (Some(&origin), None));
        signed(&exchanged.await)
    }

    /// Completes a sign-in.
    async fn finish(&self, browser: &Browser, attempt: &Attempt) -> Signed {
        let got = land(browser, &attempt.callback).await;
        self.exchange(attempt, &got).await
    }

    /// A complete sign-in.
    async fn sign_in(&self, browser: &Browser, provider: &str) -> Signed {
        let attempt = self.visit(browser, provider).await;
        self.finish(browser, &attempt).await
    }

    /// A sign-in that fails, as [`refused`] says it.
    async fn fails(&self, browser: &Browser, provider: &str) -> (String, String) {
        let attempt = self.visit(browser, provider).await;
        refused(browser, &attempt.callback).await
    }

    /// The user object of the client library.
    async fn user(&self, access: &str) -> Value {
        let user = self.site.user(access).await;
        assert_eq!(user.status, 200, "{user:?}");
        user.body
    }

    /// How many requests have reached the token endpoint of a provider.
    async fn tokens_asked_for(&self, provider: &str) -> usize {
        self.providers.seen(provider, "token").await.len()
    }
}

/// Opens our callback address.
async fn land(browser: &Browser, callback: &Url) -> Got {
    location(&Answer::read(browser.open(callback).await).await)
}

/// Error and code that the callback page gets instead of a code, and the sentence.
async fn refused(browser: &Browser, callback: &Url) -> (String, String) {
    let got = land(browser, callback).await;
    assert_eq!(got.get("code"), None);
    let sentence = got["error_description"].clone();
    let is_text = sentence.ends_with('.') && !sentence.contains('<');
    assert!(is_text, "{sentence}");
    (format!("{} {}", got["error"], got["error_code"]), sentence)
}

/// Alice's account at this provider.
fn alice(provider: &str) -> Value {
    match provider {
        "twitter" => x_user("1", "alice"),
        "google" => google_user("1", "alice@mail.example", true),
        "github" => {
            let emails = json!([{"email": "octo@mail.example", "primary": true, "verified": true}]);
            github_user(1, "alice", &emails)
        }
        other => panic!("Alice needs an account in the format of {other}"),
    }
}

/// An account in X's format.
fn x_user(id: &str, name: &str) -> Value {
    json!({
        "id": id, "name": "Shown at X alone", "username": name,
        "profile_image_url": format!("https://pbs.twimg.com/profile_images/{id}/face_normal.jpg"),
    })
}

/// An account in Google's format.
fn google_user(sub: &str, email: &str, verified: bool) -> Value {
    json!({
        "sub": sub, "name": "A Real Name", "email": email, "email_verified": verified,
        "picture": format!("https://lh3.googleusercontent.com/a/{sub}=s96-c"),
    })
}

/// An account in GitHub's format.
fn github_user(id: u64, login: &str, emails: &Value) -> Value {
    json!({
        "id": id, "login": login, "name": "Shown at GitHub alone", "emails": emails,
        "avatar_url": format!("https://avatars.githubusercontent.com/u/{id}?v=4"),
    })
}

/// The address with one parameter changed or removed.
fn with(url: &Url, name: &str, value: Option<&str>) -> Url {
    let pairs = url.query_pairs().filter(|(other, _)| other != name);
    let pairs = pairs.chain(value.map(|value| (name.into(), value.into())));
    let mut changed = url.clone();
    changed.query_pairs_mut().clear().extend_pairs(pairs);
    changed
}
