//! A running server on a port of its own, and people who use it over real HTTP.

use std::future::pending;
use std::time::Duration;

use api::App;
use api::config::Config;
use api::http::connections::Connections;
use api::http::functions::submit_proof::outcomes::OUTCOMES;
use api::http::router;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chain::clock::Clock;
use clap::Parser;
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

use super::database::TestDatabase;
use super::document;

/// When the clock of a test server begins.
pub(crate) const NOW: i64 = 1_790_000_000;

/// A server in development mode, with a clock that stands still until it is moved.
#[derive(Debug)]
pub(crate) struct TestApp {
    /// Its address without a path.
    pub(crate) origin: String,
    /// What its handlers share, for moving the clock and looking behind the scenes.
    pub(crate) state: App,
    client: Client,
    _database: TestDatabase,
}

/// A body and its status.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: StatusCode,
    /// The JSON body, or null.
    pub(crate) body: Value,
}

impl TestApp {
    /// Starts a server on this database, with more arguments than the usual ones.
    pub(crate) async fn start(database: TestDatabase, arguments: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("the address listened on");
        let usual = [
            "server".to_owned(),
            "--app-env=development".to_owned(),
            format!("--listen={address}"),
            format!("--database-url={}", database.url),
            // Prices are those of a test's own source, or none.
            "--price-url=none".to_owned(),
        ];
        let arguments = usual
            .into_iter()
            .chain(arguments.iter().map(ToString::to_string));
        let config = Config::parse_from(arguments);
        let state = App::start(config, Clock::manual(NOW))
            .await
            .expect("the server starts");
        super::until("reading the board", async || state.live.sequence()).await;
        let app = router::app(state.clone());
        let connections = Connections::new(&state.config);
        tokio::spawn(async move { connections.serve(listener, app, pending()).await });
        Self {
            origin: format!("http://{address}"),
            state,
            client: super::http_client(),
            _database: database,
        }
    }

    /// A server on SQLite and the embedded development chain.
    pub(crate) async fn development() -> Self {
        Self::start(TestDatabase::sqlite().await, &[]).await
    }

    /// A request as a visitor.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.origin))
    }

    /// A visitor's GET, after everything that has happened at this server is on the board.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.caught_up().await;
        answer(self.request(Method::GET, path)).await
    }

    /// Waits until the board has everything that was committed here. It does without when there is no database.
    pub(crate) async fn caught_up(&self) {
        let caught_up = self.state.board.caught_up();
        let _ = tokio::time::timeout(Duration::from_secs(2), caught_up).await;
    }

    /// The same person with an access token of now, for tests that have moved the clock.
    pub(crate) async fn still_signed_in(&self, person: &Person<'_>) -> Person<'_> {
        let session = self.state.store.session(&session_id(&person.token)).await;
        let session = session.expect("a database");
        let granted = self.state.sign_in.grant(session.expect("a session")).await;
        let token = granted.map(|it| it.access_token).expect("a token");
        Person {
            app: self,
            id: person.id.clone(),
            token,
        }
    }

    /// Somebody who has signed in in another way.
    pub(crate) fn person(&self, id: &str, token: &str) -> Person<'_> {
        Person {
            app: self,
            id: id.to_owned(),
            token: token.to_owned(),
        }
    }

    /// A new mock user, signed in as the web app does it.
    pub(crate) async fn sign_in(&self) -> Person<'_> {
        let site = self.state.config.origin();
        let session = sign_in_from(&self.origin, &site).await;
        Person {
            app: self,
            id: session["user"]["id"].as_str().expect("an id").to_owned(),
            token: session["access_token"]
                .as_str()
                .expect("a token")
                .to_owned(),
        }
    }
}

/// The session that an access token names, whether or not it is still good.
pub(crate) fn session_id(access_token: &str) -> String {
    let claims = access_token.split('.').nth(1).expect("a JWT");
    let claims = URL_SAFE_NO_PAD.decode(claims).expect("base64");
    let claims: Value = serde_json::from_slice(&claims).expect("JSON");
    claims["session_id"].as_str().expect("an id").to_owned()
}

/// A new mock user at the server at `origin`, signed in as the web app does it: the session.
pub(crate) async fn sign_in_at(origin: &str) -> Value {
    sign_in_from(origin, origin).await
}

/// The same for a server at `origin` whose pages are at `site`.
async fn sign_in_from(origin: &str, site: &str) -> Value {
    let verifier = "a-verifier-of-more-than-forty-three-characters-for-tests";
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    let no_redirects = Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .expect("a client");
    let authorize = format!(
        "{origin}/api/auth/v1/authorize?provider=mock&code_challenge={challenge}&code_challenge_method=s256"
    );
    let redirect = no_redirects.get(authorize).send().await.expect("an answer");
    let location = redirect.headers()["location"].to_str().expect("text");
    let location = url::Url::parse(location).expect("an address");
    let (_, code) = location
        .query_pairs()
        .find(|(name, _)| name == "code")
        .expect("a code");
    let token = format!("{origin}/api/auth/v1/token?grant_type=pkce");
    let session = answer(
        super::http_client()
            .post(token)
            .header("origin", site)
            .json(&json!({"auth_code": code, "code_verifier": verifier})),
    )
    .await;
    assert_eq!(session.status, 200, "{session:?}");
    session.body
}

/// Somebody who is signed in.
#[derive(Debug)]
pub(crate) struct Person<'a> {
    app: &'a TestApp,
    /// Their id.
    pub(crate) id: String,
    /// Their access token.
    pub(crate) token: String,
}

impl Person<'_> {
    /// A request with their token.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.app.request(method, path).bearer_auth(&self.token)
    }

    /// Their GET, after everything that has happened at this server is on the board.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.app.caught_up().await;
        answer(self.request(Method::GET, path)).await
    }

    /// Submits a file, without saying anything about its coins.
    pub(crate) async fn submit(&self, file: &[u8]) -> Answer {
        self.submit_as("wallet.psbt", &STANDARD.encode(file), json!([]))
            .await
    }

    /// Submits text as a file.
    pub(crate) async fn submit_as(&self, name: &str, base64: &str, utxos: Value) -> Answer {
        let body = json!({"psbtBase64": base64, "utxos": utxos, "file_name": name});
        answer(
            self.request(Method::POST, "/api/functions/v1/submit-proof")
                .json(&body),
        )
        .await
    }

    /// Their row on the board.
    pub(crate) async fn profile(&self) -> Value {
        let path = format!("/api/rest/v1/profiles?id=eq.{}", self.id);
        self.get(&path).await.body[0].take()
    }

    /// Their history.
    pub(crate) async fn proofs(&self) -> Value {
        let path = format!(
            "/api/rest/v1/psbts?user_id=eq.{}&order=created_at.desc",
            self.id
        );
        self.get(&path).await.body
    }

    /// The file of a sample of the development chain.
    pub(crate) async fn sample(&self, file_name: &str) -> Vec<u8> {
        let samples = self.get("/api/functions/v1/development-samples").await;
        let sample = samples
            .body
            .as_array()
            .and_then(|samples| {
                samples
                    .iter()
                    .find(|sample| sample["file_name"] == file_name)
            })
            .unwrap_or_else(|| panic!("no sample {file_name}: {samples:?}"));
        STANDARD
            .decode(sample["psbt_base64"].as_str().expect("base64"))
            .expect("base64")
    }
}

/// Sends a request and reads its answer, which must be one that the document has.
pub(crate) async fn answer(request: RequestBuilder) -> Answer {
    let (client, request) = request.build_split();
    let request = request.expect("a request");
    let (method, asked) = (request.method().clone(), request.url().clone());
    let response = client.execute(request).await.expect("an answer");
    let (status, path) = (response.status(), asked.path());
    let led_elsewhere = *response.url() != asked;
    assert!(
        led_elsewhere || document::expects(method.as_str(), path, status.as_u16()),
        "{method} {path}: {status} is not in openapi.json"
    );
    let body = response.bytes().await.expect("a body");
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    if path.ends_with("/submit-proof")
        && let Some(code) = body["code"].as_str()
    {
        assert!(
            OUTCOMES.contains(&code),
            "{code} is not counted from the start"
        );
    }
    Answer { status, body }
}
