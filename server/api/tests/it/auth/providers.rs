//! Complete sign-ins at X, Google and GitHub: a browser, this server in production mode, and providers that
//! check the requests they get.

use super::*;
use crate::support::providers::{Browser, Providers, redirect};

mod refusals;
mod secrets;
mod sessions;
mod trouble;
mod who;

/// A server in production mode, and its providers.
pub(super) struct Stage {
    pub(super) site: TestApp,
    pub(super) providers: Providers,
}

/// A sign-in up to our callback address, which the browser has not opened yet.
pub(super) struct Attempt {
    pub(super) verifier: String,
    pub(super) callback: Url,
}

impl Stage {
    pub(super) async fn open(database: TestDatabase) -> Self {
        Self::open_as(database, None, &[]).await
    }

    /// With a public address other than its own, as behind a proxy, and with more settings.
    pub(super) async fn open_as(database: TestDatabase, site: Option<&str>, more: &[&str]) -> Self {
        let (listener, origin) = port().await;
        let site = site.unwrap_or(&origin);
        let providers = Providers::start(site).await;
        let clock = Clock::manual(NOW);
        let mut arguments = providers.arguments();
        arguments.extend(more.iter().map(ToString::to_string));
        let site = TestApp::production(listener, site, &database, clock, &arguments).await;
        Self {
            site: site.keeping(database),
            providers,
        }
    }

    /// A click on the button: the address of the provider's page, not opened yet.
    pub(super) async fn leave(&self, browser: &Browser, provider: &str) -> Attempt {
        let callback = format!("{}/auth/callback", self.site.site());
        self.leave_for(browser, provider, &callback).await
    }

    /// The same, with another redirect address than our own page.
    pub(super) async fn leave_for(
        &self,
        browser: &Browser,
        provider: &str,
        redirect_to: &str,
    ) -> Attempt {
        let verifier = verifier();
        let address = format!("{}/api/auth/v1/authorize", self.site.site());
        let parameters = [
            ("provider", provider),
            ("redirect_to", redirect_to),
            ("code_challenge", &challenge(&verifier)),
            ("code_challenge_method", "s256"),
        ];
        let url = Url::parse_with_params(&address, parameters).unwrap();
        let response = browser.open(&url).await;
        assert_eq!(response.status(), 302);
        let callback = redirect(&response, &url);
        Attempt { verifier, callback }
    }

    /// Goes through the provider's pages, and back to our callback address.
    pub(super) async fn visit(&self, browser: &Browser, provider: &str) -> Attempt {
        let attempt = self.leave(browser, provider).await;
        self.pass(browser, attempt).await
    }

    /// Goes through the provider's pages.
    pub(super) async fn pass(&self, browser: &Browser, attempt: Attempt) -> Attempt {
        let home = format!("{}/", self.site.site());
        let callback = browser.follow(attempt.callback, &home).await;
        Attempt {
            callback,
            ..attempt
        }
    }

    /// Opens our callback address; returns what the callback page gets.
    pub(super) async fn land(&self, browser: &Browser, callback: &Url) -> HashMap<String, String> {
        location(&Answer::read(browser.open(callback).await).await)
    }

    /// Exchanges the code, as the callback page does.
    pub(super) async fn exchange(
        &self,
        attempt: &Attempt,
        got: &HashMap<String, String>,
    ) -> Signed {
        let code = got.get("code");
        let code = code.unwrap_or_else(|| panic!("no code: {got:?}"));
        let origin = self.site.site();
        let exchanged = self
            .site
            .exchange(code, &attempt.verifier, Some(&origin), None);
        signed(&exchanged.await)
    }

    /// A complete sign-in.
    pub(super) async fn sign_in(&self, browser: &Browser, provider: &str) -> Signed {
        let attempt = self.visit(browser, provider).await;
        let got = self.land(browser, &attempt.callback).await;
        self.exchange(&attempt, &got).await
    }

    /// A new user of X, signed in.
    pub(super) async fn person(&self, id: &str, name: &str) -> Signed {
        self.providers.person("twitter", x_user(id, name)).await;
        self.sign_in(&Browser::new(), "twitter").await
    }

    /// All data on record about a user.
    pub(super) async fn profile(&self, id: &str) -> Profile {
        self.site.state.store.profile(id).await.unwrap().unwrap()
    }

    /// The user object of the client library.
    pub(super) async fn user(&self, access: &str) -> Value {
        let user = self.site.user(access).await;
        assert_eq!(user.status, 200, "{user:?}");
        user.body
    }

    /// How many requests have reached the token endpoint of a provider.
    pub(super) async fn tokens_asked_for(&self, provider: &str) -> usize {
        self.providers.seen(provider, "token").await.len()
    }
}

/// An account in X's format.
pub(super) fn x_user(id: &str, name: &str) -> Value {
    json!({
        "id": id, "name": "Shown at X alone", "username": name,
        "profile_image_url": format!("https://pbs.twimg.com/profile_images/{id}/face_normal.jpg"),
    })
}

/// An account in Google's format.
pub(super) fn google_user(sub: &str, email: &str, verified: bool) -> Value {
    json!({
        "sub": sub, "name": "A Real Name", "email": email, "email_verified": verified,
        "picture": format!("https://lh3.googleusercontent.com/a/{sub}=s96-c"),
    })
}

/// An account in GitHub's format.
pub(super) fn github_user(id: u64, login: &str, emails: &Value) -> Value {
    json!({
        "id": id, "login": login, "name": "Shown at GitHub alone", "emails": emails,
        "avatar_url": format!("https://avatars.githubusercontent.com/u/{id}?v=4"),
    })
}

/// Error and code that the callback page got instead of a code.
pub(super) fn refused(got: &HashMap<String, String>) -> (&str, &str) {
    assert_eq!(got.get("code"), None);
    let sentence = &got["error_description"];
    let is_text = sentence.ends_with('.') && !sentence.contains('<');
    assert!(is_text, "{sentence}");
    (&got["error"], &got["error_code"])
}

/// The address with one parameter changed or removed.
pub(super) fn with(url: &Url, name: &str, value: Option<&str>) -> Url {
    let pairs = url.query_pairs().into_owned();
    let others: Vec<_> = pairs.filter(|(other, _)| other != name).collect();
    let mut changed = url.clone();
    let mut query = changed.query_pairs_mut();
    query.clear().extend_pairs(others);
    query.extend_pairs(value.map(|value| (name, value)));
    drop(query);
    changed
}
