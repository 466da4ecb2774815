//! A running server on its own port, and its users over real HTTP.

use std::fmt;
use std::future::pending;

use api::App;
use api::config::{Config, ConnectionLimits};
use api::http::connections::Connections;
use api::http::functions::submit_proof::outcomes::OUTCOMES;
use api::http::router;
use clap::Parser;
use reqwest::header::HeaderMap;
use tokio::net::TcpListener;

use super::document;
use super::process::LEGAL;
use crate::support::prelude::*;

/// Where files are submitted.
pub(crate) const SUBMIT: &str = "/api/functions/v1/submit-proof";

/// The start of a test server's clock, unix seconds.
pub(crate) const NOW: i64 = 1_790_000_000;

/// A server with a clock that moves only when the test moves it.
pub(crate) struct TestApp {
    /// Its address without a path.
    pub(crate) origin: String,
    /// The state that its handlers share, for moving the clock and for reading the database.
    pub(crate) state: App,
    pub(crate) connections: Connections,
    _database: Option<TestDatabase>,
}

/// A response, read to its end.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// The JSON body, or null.
    pub(crate) body: Value,
    pub(crate) bytes: Vec<u8>,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.text())
    }
}

impl Answer {
    pub(crate) async fn read(response: reqwest::Response) -> Self {
        Self::try_read(response).await.unwrap()
    }

    /// `None` when the connection is lost before the end.
    pub(crate) async fn try_read(response: reqwest::Response) -> Option<Self> {
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.bytes().await.ok()?.to_vec();
        Some(Self {
            status,
            headers,
            body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            bytes,
        })
    }

    /// A header, or nothing.
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The same response, whose status must be 200.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.status, 200, "{self:?}");
        self
    }

    /// Status and code of a refusal.
    pub(crate) fn problem(&self) -> (u16, &str) {
        assert_eq!(self.header("set-cookie"), "", "an error sets no cookie");
        let code = self.body["code"].as_str();
        (self.status.as_u16(), code.unwrap_or_default())
    }
}

impl TestApp {
    /// Starts a server in development mode on this database, with additional arguments.
    pub(crate) async fn start(database: TestDatabase, arguments: &[&str]) -> Self {
        Self::with_limits(database, arguments, ConnectionLimits::default()).await
    }

    /// A server on SQLite with these limits of connections.
    pub(crate) async fn limited(arguments: &[&str], limits: ConnectionLimits) -> Self {
        Self::with_limits(TestDatabase::sqlite().await, arguments, limits).await
    }

    async fn with_limits(
        database: TestDatabase,
        arguments: &[&str],
        limits: ConnectionLimits,
    ) -> Self {
        let (listener, origin) = port().await;
        let listen = origin.replace("http://", "--listen=");
        let database_url = format!("--database-url={}", database.url);
        // Prices come from a test's own source, or from none.
        let usual = ["server", "--app-env=development", "--price-url=none"];
        let usual = usual.into_iter().chain([&*listen, &*database_url]);
        let mut config = Config::parse_from(usual.chain(arguments.iter().copied()));
        config.connections = limits;
        let app = Self::serve(listener, config, Clock::manual(NOW)).await;
        app.keeping(database)
    }

    /// A server on SQLite and the embedded development chain.
    pub(crate) async fn development() -> Self {
        Self::with(&[]).await
    }

    /// The same with additional arguments.
    pub(crate) async fn with(arguments: &[&str]) -> Self {
        Self::start(TestDatabase::sqlite().await, arguments).await
    }

    /// The same behind a proxy on this machine, which names the clients.
    pub(crate) async fn behind_a_proxy() -> Self {
        Self::with(&["--trusted-proxies=127.0.0.1"]).await
    }

    /// The same where coins are looked up at the node at `url`, and files need not be bound.
    pub(crate) async fn at_node(database: TestDatabase, url: &str) -> Self {
        let chain = format!("--chain=bitcoind:{url}");
        let arguments = [&*chain, "--network=regtest", "--proof-binding=optional"];
        Self::start(database, &arguments).await
    }

    /// A server in production mode on the shared node. Its pages are at `site`.
    pub(crate) async fn production(
        listener: TcpListener,
        site: &str,
        database: &TestDatabase,
        clock: Clock,
        more: &[String],
    ) -> Self {
        let own = [
            "server".to_owned(),
            "--app-env=production".to_owned(),
            "--network=regtest".to_owned(),
            format!("--chain=bitcoind:{}", Node::shared().await.url()),
            format!("--public-url={site}"),
            format!("--database-url={}", database.url),
        ];
        let config = Config::parse_from(own.iter().chain(&LEGAL.map(str::to_owned)).chain(more));
        Self::serve(listener, config, clock).await
    }

    /// Another server on the same database with the same public address and settings.
    pub(crate) async fn replica(&self, clock: Clock) -> Self {
        let (listener, _) = port().await;
        let mut config = (*self.state.config).clone();
        config.public_url = Some(self.site().parse().unwrap());
        config.listen = listener.local_addr().unwrap();
        Self::serve(listener, config, clock).await
    }

    /// Serves with these settings.
    pub(crate) async fn serve(listener: TcpListener, config: Config, clock: Clock) -> Self {
        let address = listener.local_addr().unwrap();
        let state = App::start(config, clock, false).await;
        let state = state.expect("the server starts");
        until("reading the board", async || state.live.sequence()).await;
        let app = router::app(state.clone());
        let connections = Connections::new(state.config.clone());
        let serving = connections.clone();
        tokio::spawn(async move { serving.serve(listener, app, pending()).await });
        Self {
            connections,
            origin: format!("http://{address}"),
            state,
            _database: None,
        }
    }

    /// Keeps the database as long as the server.
    pub(crate) fn keeping(mut self, database: TestDatabase) -> Self {
        self._database = Some(database);
        self
    }

    /// The public origin of its pages.
    pub(crate) fn site(&self) -> String {
        self.state.config.origin()
    }

    /// A request as a visitor.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        http_client().request(method, format!("{}{path}", self.origin))
    }

    /// A visitor's GET, after the board includes every earlier change on this server.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[]).await
    }

    /// The same with headers.
    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.caught_up().await;
        answer(with_headers(self.request(Method::GET, path), headers)).await
    }

    /// The GET of a client that the proxy names.
    pub(crate) async fn get_from(&self, address: &str, path: &str) -> Answer {
        self.get_with(path, &[("x-forwarded-for", address)]).await
    }

    /// A visitor's POST.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        answer(self.request(Method::POST, path).json(&body)).await
    }

    /// Waits until the board includes everything that was committed here. Skips that when the database is away.
    pub(crate) async fn caught_up(&self) {
        let _ = tokio::time::timeout(Duration::from_secs(2), self.state.board.catch_up()).await;
    }

    /// Shows a user's total like this from now on.
    pub(crate) async fn show_as(&self, id: &str, shown_as: ShownAs) {
        let now = self.state.clock.now();
        let shown = self.state.store.show_as(id, shown_as, now).await;
        assert!(shown.unwrap());
    }

    /// The same user with a fresh access token, for tests that have moved the clock.
    pub(crate) async fn still_signed_in(&self, person: &Person<'_>) -> Person<'_> {
        let id = session_id(&person.token);
        let session = self.state.store.session(&id).await.unwrap().unwrap();
        let granted = self.state.sign_in.grant(session).await;
        self.person(&person.id, &granted.unwrap().access_token)
    }

    /// A user of a session that was made elsewhere.
    pub(crate) fn person(&self, id: &str, token: &str) -> Person<'_> {
        Person {
            app: Some(self),
            origin: self.origin.clone(),
            id: id.to_owned(),
            token: token.to_owned(),
        }
    }

    pub(crate) async fn sign_in_three(&self) -> [Person<'_>; 3] {
        let (one, two) = (self.sign_in().await, self.sign_in().await);
        [one, two, self.sign_in().await]
    }

    /// A new mock user, signed in as the web app does it.
    pub(crate) async fn sign_in(&self) -> Person<'_> {
        let session = sign_in_from(&self.origin, &self.site()).await.body;
        let mut person = Person::new(&self.origin, &session);
        person.app = Some(self);
        person
    }
}

/// A free port, and the origin that a server on it has.
pub(crate) async fn port() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().unwrap();
    (listener, format!("http://{address}"))
}

pub(crate) fn with_headers(request: RequestBuilder, headers: &[(&str, &str)]) -> RequestBuilder {
    headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    })
}

/// The session of an access token, whether or not it is still valid.
pub(crate) fn session_id(access_token: &str) -> String {
    let claims = access_token.split('.').nth(1).expect("a JWT");
    let claims = URL_SAFE_NO_PAD.decode(claims).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    text(&claims["session_id"])
}

/// A signed-in user.
pub(crate) struct Person<'a> {
    /// The server, when it is in this process.
    app: Option<&'a TestApp>,
    origin: String,
    pub(crate) id: String,
    /// Their access token.
    pub(crate) token: String,
}

impl Person<'_> {
    /// The user of a session of the server at `origin`.
    pub(crate) fn new(origin: &str, session: &Value) -> Self {
        Self {
            app: None,
            origin: origin.to_owned(),
            id: text(&session["user"]["id"]),
            token: text(&session["access_token"]),
        }
    }

    /// A request with their token.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = http_client().request(method, format!("{}{path}", self.origin));
        request.bearer_auth(&self.token)
    }

    /// Their GET, after the board includes every earlier change on this server.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        if let Some(app) = self.app {
            app.caught_up().await;
        }
        answer(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        answer(self.request(Method::POST, path).json(&body)).await
    }

    /// Submits a file, without statements about its coins.
    pub(crate) async fn submit(&self, file: &[u8]) -> Answer {
        self.upload(file, false).await
    }

    /// Submits a sample of the development chain, which must be accepted.
    pub(crate) async fn proves(&self, sample: &str) -> Answer {
        self.submit(&self.sample(sample).await).await.ok()
    }

    /// Submits text as a file.
    pub(crate) async fn submit_as(&self, name: &str, base64: &str, utxos: Value) -> Answer {
        let body = json!({"psbtBase64": base64, "utxos": utxos, "file_name": name});
        self.post(SUBMIT, body).await
    }

    /// Submits a file, and publishes it where that is asked for.
    pub(crate) async fn upload(&self, file: &[u8], publish: bool) -> Answer {
        let file = STANDARD.encode(file);
        let body = json!({"psbtBase64": file, "file_name": "wallet.psbt", "publish": publish});
        self.post(SUBMIT, body).await
    }

    /// The address of their row.
    pub(crate) fn row(&self) -> String {
        format!("/api/rest/v1/profiles?id=eq.{}", self.id)
    }

    /// Their row on the board.
    pub(crate) async fn profile(&self) -> Value {
        self.get(&self.row()).await.body[0].take()
    }

    /// Changes their row.
    pub(crate) async fn change(&self, change: Value) -> Answer {
        answer(self.request(Method::PATCH, &self.row()).json(&change)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        answer(self.request(Method::DELETE, path)).await
    }

    pub(crate) async fn delete_account(&self) -> Answer {
        let path = "/api/functions/v1/delete-account";
        self.post(path, json!({})).await
    }

    /// Their history.
    pub(crate) async fn proofs(&self) -> Value {
        let of = format!("user_id=eq.{}&order=created_at.desc", self.id);
        self.get(&format!("/api/rest/v1/psbts?{of}")).await.body
    }

    /// The file of a sample of the development chain.
    pub(crate) async fn sample(&self, file_name: &str) -> Vec<u8> {
        let samples = self.get("/api/functions/v1/development-samples").await;
        let samples = samples.body.as_array().expect("samples");
        let sample = samples.iter().find(|it| it["file_name"] == file_name);
        let base64 = text(&sample.expect(file_name)["psbt_base64"]);
        STANDARD.decode(base64).unwrap()
    }
}

/// Sends a request and reads its response, which must be in the OpenAPI document.
pub(crate) async fn answer(request: RequestBuilder) -> Answer {
    let (client, request) = request.build_split();
    let request = request.unwrap();
    let (method, asked) = (request.method().clone(), request.url().clone());
    let response = client.execute(request).await.unwrap();
    let (status, path) = (response.status(), asked.path());
    let listed = *response.url() != asked // It was redirected.
        || document::expects(method.as_str(), path, status.as_u16());
    assert!(listed, "{method} {path}: {status} is not in openapi.json");
    let answer = Answer::read(response).await;
    if let (SUBMIT, Some(code)) = (path, answer.body["code"].as_str()) {
        assert!(OUTCOMES.contains(&code), "{code} has no counter");
    }
    answer
}
