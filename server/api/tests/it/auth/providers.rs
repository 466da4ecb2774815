//! Signing in at X, Google and GitHub, the whole way: a browser, this server in production mode, and providers that
//! check what they are sent.

use std::collections::HashMap;

use api::config::Config;
use chain::clock::Clock;
use clap::Parser;
use serde_json::{Value, json};
use store::profiles::Profile;
use tokio::net::TcpListener;
use url::Url;

use super::site::answer::{Signed, location, read, signed};
use super::site::{NOW, Site, challenge, verifier};
use crate::support::database::TestDatabase;
use crate::support::node::Node;
use crate::support::process::LEGAL;
use crate::support::providers::{Browser, Providers, redirect};

mod names;
mod refusals;
mod secrets;
mod sessions;
mod trouble;
mod who;

/// A server in production mode, and the providers that it knows.
pub(super) struct Stage {
    pub(super) site: Site,
    pub(super) providers: Providers,
    chain: String,
    database: TestDatabase,
}

/// A sign-in as far as our callback address, which the browser has not opened yet.
pub(super) struct Attempt {
    pub(super) verifier: String,
    pub(super) callback: Url,
}

impl Stage {
    pub(super) async fn open(database: TestDatabase) -> Self {
        Self::open_with(database, &[]).await
    }

    /// With more settings.
    pub(super) async fn open_with(database: TestDatabase, more: &[&str]) -> Self {
        Self::open_as(database, None, more).await
    }

    /// Under an address that is not its own, as behind a proxy.
    pub(super) async fn open_as(
        database: TestDatabase,
        origin: Option<&str>,
        more: &[&str],
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("a bound port");
        let origin = origin.map_or_else(|| format!("http://{address}"), str::to_owned);
        let providers = Providers::start(&origin).await;
        let chain = format!("--chain=bitcoind:{}", Node::shared().await.url());
        let clock = Clock::manual(NOW);
        let arguments = arguments(&origin, &listener, &chain, &database, &providers, more);
        let site = Site::serve(Config::parse_from(arguments), clock, listener).await;
        Self {
            site,
            providers,
            chain,
            database,
        }
    }

    /// Another server behind the same name, on the same database.
    pub(super) async fn replica(&self) -> Site {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let Self {
            site,
            providers,
            chain,
            database,
        } = self;
        let arguments = arguments(&site.origin, &listener, chain, database, providers, &[]);
        Site::serve(Config::parse_from(arguments), site.clock.clone(), listener).await
    }

    /// A click on the button: the provider's page, which the browser has not opened yet.
    pub(super) async fn leave(&self, browser: &Browser, provider: &str) -> Attempt {
        self.leave_for(browser, provider, None).await
    }

    /// The same, to end at another address than our own page.
    pub(super) async fn leave_for(
        &self,
        browser: &Browser,
        provider: &str,
        redirect_to: Option<&str>,
    ) -> Attempt {
        let verifier = verifier();
        let address = format!("{}/api/auth/v1/authorize", self.site.origin);
        let mut url = Url::parse(&address).expect("an address");
        url.query_pairs_mut()
            .append_pair("provider", provider)
            .append_pair("code_challenge", &challenge(&verifier))
            .append_pair("code_challenge_method", "s256");
        if let Some(address) = redirect_to {
            url.query_pairs_mut().append_pair("redirect_to", address);
        }
        let answer = browser.open(&url).await;
        assert_eq!(answer.status(), 302);
        Attempt {
            verifier,
            callback: redirect(&answer, &url),
        }
    }

    /// Through the provider's pages, and back as far as our callback address.
    pub(super) async fn visit(&self, browser: &Browser, provider: &str) -> Attempt {
        let attempt = self.leave(browser, provider).await;
        self.pass(browser, attempt).await
    }

    /// Through the provider's pages.
    pub(super) async fn pass(&self, browser: &Browser, attempt: Attempt) -> Attempt {
        let home = format!("{}/", self.site.origin);
        let callback = browser.follow(attempt.callback, &home).await;
        Attempt {
            callback,
            ..attempt
        }
    }

    /// Opens our callback address: what the callback page gets.
    pub(super) async fn land(&self, browser: &Browser, callback: &Url) -> HashMap<String, String> {
        location(&browser.open(callback).await)
    }

    /// What the callback page does with the code.
    pub(super) async fn exchange(
        &self,
        attempt: &Attempt,
        got: &HashMap<String, String>,
    ) -> Signed {
        let code = got
            .get("code")
            .unwrap_or_else(|| panic!("no code: {got:?}"));
        let origin = Some(self.site.origin.as_str());
        signed(
            self.site
                .exchange(code, &attempt.verifier, origin, None)
                .await,
        )
        .await
    }

    /// All of it.
    pub(super) async fn sign_in(&self, browser: &Browser, provider: &str) -> Signed {
        let attempt = self.visit(browser, provider).await;
        let got = self.land(browser, &attempt.callback).await;
        self.exchange(&attempt, &got).await
    }

    /// Somebody new at X, signed in.
    pub(super) async fn somebody(&self, id: &str, name: &str) -> Signed {
        self.providers.person("twitter", x_user(id, name)).await;
        self.sign_in(&Browser::new(), "twitter").await
    }

    /// What is on record about somebody.
    pub(super) async fn profile(&self, id: &str) -> Profile {
        let profile = self.site.state.store.profile(id).await;
        profile.expect("a database").expect("a profile")
    }

    /// How many people there are.
    pub(super) async fn people(&self) -> usize {
        let ids = self.site.state.store.profile_ids().await;
        ids.expect("a database").len()
    }

    /// What the library shows as the signed-in user.
    pub(super) async fn user(&self, access: &str) -> Value {
        let (status, user) = read(self.site.user(access).await).await;
        assert_eq!(status, 200, "{user}");
        user
    }
}

fn arguments(
    origin: &str,
    listener: &TcpListener,
    chain: &str,
    database: &TestDatabase,
    providers: &Providers,
    more: &[&str],
) -> Vec<String> {
    let address = listener.local_addr().expect("a bound port");
    let mut arguments: Vec<String> = ["server", "--app-env=production", "--network=regtest", chain]
        .map(str::to_owned)
        .to_vec();
    arguments.extend([
        format!("--listen={address}"),
        format!("--public-url={origin}"),
        format!("--database-url={}", database.url),
    ]);
    arguments.extend(LEGAL.map(str::to_owned));
    arguments.extend(providers.arguments());
    arguments.extend(more.iter().map(ToString::to_string));
    arguments
}

/// An account in X's words.
pub(super) fn x_user(id: &str, name: &str) -> Value {
    json!({
        "id": id, "name": "Shown at X alone", "username": name,
        "profile_image_url": format!("https://pbs.twimg.com/profile_images/{id}/face_normal.jpg"),
    })
}

/// An account in Google's words.
pub(super) fn google_user(sub: &str, email: &str, verified: bool) -> Value {
    json!({
        "sub": sub, "name": "A Real Name", "email": email, "email_verified": verified,
        "picture": format!("https://lh3.googleusercontent.com/a/{sub}=s96-c"),
    })
}

/// An account in GitHub's words.
pub(super) fn github_user(id: u64, login: &str, emails: &Value) -> Value {
    json!({
        "id": id, "login": login, "name": "Shown at GitHub alone", "emails": emails,
        "avatar_url": format!("https://avatars.githubusercontent.com/u/{id}?v=4"),
    })
}

/// Error and code that the callback page got in place of a code.
pub(super) fn refused(got: &HashMap<String, String>) -> (&str, &str) {
    assert_eq!(got.get("code"), None);
    let sentence = &got["error_description"];
    assert!(
        sentence.ends_with('.') && !sentence.contains('<'),
        "{sentence}"
    );
    (&got["error"], &got["error_code"])
}

/// The address with one parameter set to something else, or taken away.
pub(super) fn with(url: &Url, name: &str, value: Option<&str>) -> Url {
    let others: Vec<(String, String)> = url
        .query_pairs()
        .into_owned()
        .filter(|(other, _)| other != name)
        .collect();
    let mut changed = url.clone();
    changed
        .query_pairs_mut()
        .clear()
        .extend_pairs(others)
        .extend_pairs(value.map(|value| (name, value)));
    changed
}
