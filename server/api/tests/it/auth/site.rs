//! A server on a port of its own, and the requests that the tests send to it.

use std::future::pending;

use api::app::App;
use api::config::Config;
use api::http::connections::Connections;
use api::http::router;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chain::clock::Clock;
use clap::Parser;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

use crate::support::database::TestDatabase;
use crate::support::until;

pub(super) mod answer;

use answer::{Signed, location, set_cookie, signed};

/// When the tests begin, unix seconds.
pub(super) const NOW: i64 = 1_790_000_000;

/// A verifier as the client library makes them: 112 hex digits.
pub(super) fn verifier() -> String {
    hex::encode(rand::random::<[u8; 56]>())
}

/// Its S256 challenge.
pub(super) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// A running server and a client that follows no redirect, keeps no cookie and uses no proxy.
pub(super) struct Site {
    pub(super) state: App,
    pub(super) clock: Clock,
    pub(super) origin: String,
    address: String,
    client: Client,
    _database: Option<TestDatabase>,
}

impl Site {
    /// In development mode, with a clock that stands still.
    pub(super) async fn start(database: TestDatabase) -> Self {
        let clock = Clock::manual(NOW);
        let mut site = Self::replica(&database.url, None, clock).await;
        site._database = Some(database);
        site
    }

    /// The same, where the database makes no difference.
    pub(super) async fn sqlite() -> Self {
        Self::start(TestDatabase::sqlite().await).await
    }

    /// Another server on the same database.
    pub(super) async fn another(&self) -> Self {
        let url = self.state.config.database_url.expose();
        Self::replica(url, Some(&self.origin), self.clock.clone()).await
    }

    /// A server of this origin on this database.
    pub(super) async fn replica(database_url: &str, origin: Option<&str>, clock: Clock) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("a bound port").to_string();
        let origin = origin.map_or_else(|| format!("http://{address}"), str::to_owned);
        let config = Config::parse_from([
            "server",
            "--app-env=development",
            "--chain=development",
            &format!("--listen={address}"),
            &format!("--public-url={origin}"),
            &format!("--database-url={database_url}"),
        ]);
        Self::serve(config, clock, listener).await
    }

    /// With these settings, whatever they are.
    pub(super) async fn serve(config: Config, clock: Clock, listener: TcpListener) -> Self {
        let address = listener.local_addr().expect("a bound port");
        let origin = config.origin();
        let state = App::start(config, clock.clone()).await.expect("a state");
        let connections = Connections::new(&state.config);
        let app = router::app(state.clone());
        tokio::spawn(async move { connections.serve(listener, app, pending()).await });
        Self {
            state,
            clock,
            origin,
            address: format!("http://{address}/api"),
            client: Client::builder()
                .redirect(Policy::none())
                .no_proxy()
                .build()
                .expect("a client"),
            _database: None,
        }
    }

    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.address))
    }

    pub(super) fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.address))
    }

    pub(super) fn post(&self, path: &str) -> RequestBuilder {
        self.client.post(format!("{}{path}", self.address))
    }

    /// `GET authorize` with these parameters.
    pub(super) async fn authorize(&self, parameters: &[(&str, &str)]) -> Response {
        let request = self.get("/auth/v1/authorize").query(parameters);
        request.send().await.expect("an answer")
    }

    /// Signs in with the mock as far as the code.
    pub(super) async fn code(&self, verifier: &str) -> String {
        let challenge = challenge(verifier);
        let answer = self
            .authorize(&[
                ("provider", "mock"),
                ("code_challenge", &challenge),
                ("code_challenge_method", "s256"),
            ])
            .await;
        location(&answer).remove("code").expect("a code")
    }

    /// Exchanges a code, as a page of this origin or as a program.
    pub(super) async fn exchange(
        &self,
        code: &str,
        verifier: &str,
        origin: Option<&str>,
        cookie: Option<&str>,
    ) -> Response {
        let body = json!({ "auth_code": code, "code_verifier": verifier });
        self.token("pkce", body, origin, cookie).await
    }

    /// Presents a refresh token or a rotation id.
    pub(super) async fn refresh(
        &self,
        token: &str,
        origin: Option<&str>,
        cookie: Option<&str>,
    ) -> Response {
        let body = json!({ "refresh_token": token });
        self.token("refresh_token", body, origin, cookie).await
    }

    /// The same as the client library does it: told that the server is busy, it asks again, and its session goes on.
    pub(super) async fn refresh_patiently(
        &self,
        token: &str,
        origin: Option<&str>,
        cookie: Option<&str>,
    ) -> Response {
        until("a refresh", async || {
            let answer = self.refresh(token, origin, cookie).await;
            if answer.status() != 503 {
                return Some(answer);
            }
            assert!(answer.headers().contains_key("retry-after"), "{answer:?}");
            assert_eq!(set_cookie(&answer), None);
            None
        })
        .await
    }

    async fn token(
        &self,
        grant: &str,
        body: Value,
        origin: Option<&str>,
        cookie: Option<&str>,
    ) -> Response {
        let mut request = self.post(&format!("/auth/v1/token?grant_type={grant}"));
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        if let Some(cookie) = cookie {
            request = request.header("cookie", format!("por-refresh={cookie}"));
        }
        request.json(&body).send().await.expect("an answer")
    }

    /// A new user in body mode.
    pub(super) async fn program(&self) -> Signed {
        let verifier = verifier();
        let code = self.code(&verifier).await;
        signed(self.exchange(&code, &verifier, None, None).await).await
    }

    /// A new user in cookie mode.
    pub(super) async fn page(&self) -> Signed {
        let verifier = verifier();
        let code = self.code(&verifier).await;
        let origin = Some(self.origin.as_str());
        signed(self.exchange(&code, &verifier, origin, None).await).await
    }

    /// `POST logout` with this access token and query; the status of the answer.
    pub(super) async fn sign_out(&self, access: &str, scope: &str) -> u16 {
        let request = self.post(&format!("/auth/v1/logout{scope}"));
        let answer = request.bearer_auth(access).send().await;
        answer.expect("an answer").status().as_u16()
    }

    /// `GET user` with this access token.
    pub(super) async fn user(&self, access: &str) -> Response {
        let request = self.get("/auth/v1/user").bearer_auth(access);
        request.send().await.expect("an answer")
    }
}
