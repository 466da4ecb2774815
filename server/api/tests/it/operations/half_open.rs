//! Connections of clients that send only part of a request, or read only part of a response, are closed.

use std::net::SocketAddr;

use api::config::ConnectionLimits;
use tokio::net::TcpSocket;
use tokio::time::{sleep, timeout};

use super::*;
use crate::support::document;

async fn all_closed(app: &TestApp, what: &str) {
    wait_until(what, async || app.connections.open() == 0).await;
}

/// Sends these bytes and nothing more.
async fn say(address: SocketAddr, words: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    // A small receive buffer, so that little of a response fits.
    socket.set_recv_buffer_size(4096).unwrap();
    let mut connection = socket.connect(address).await.unwrap();
    let mut words = words.as_bytes();
    // The server may stop reading early.
    while let Ok(said @ 1..) = connection.write(words).await {
        words = &words[said..];
    }
    connection
}

/// A server with time-outs of two seconds for these names, and of ten minutes for all others.
async fn impatient(short: &str) -> TestApp {
    let time = |clock: &str| Duration::from_secs(if short.contains(clock) { 2 } else { 600 });
    let limits = ConnectionLimits {
        head: time("head"),
        transfer: time("transfer"),
        stream: time("stream"),
        ..ConnectionLimits::default()
    };
    TestApp::limited(&[], limits).await
}

const TOKEN: &str = "/api/auth/v1/token?grant_type=pkce";
const CHANGES: &str = "/api/rest/v1/profiles/changes";
const REPORT: &str = "/api/functions/v1/client-log";

/// A request with these words after its first line.
fn request(method: &str, path: &str, rest: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nhost: a\r\n{rest}")
}

fn get(path: &str) -> String {
    request("GET", path, "\r\n")
}

fn post(path: &str, length: usize, rest: &str) -> String {
    let json = "content-type: application/json\r\ncontent-length";
    request("POST", path, &format!("{json}: {length}\r\n\r\n{rest}"))
}

fn chunked(path: &str, rest: &str) -> String {
    let json = "content-type: application/json\r\ntransfer-encoding: chunked";
    request("POST", path, &format!("{json}\r\n\r\n{rest}"))
}

/// Shortens one time-out after the other. Each closes only its own kind of connection.
#[tokio::test]
async fn half_open_connections_are_closed() {
    let half = request("GET", "/leaderboard", "x-");
    let half = half.as_str();
    let file = post(TOKEN, 4_000, "{\"auth_code\": \"");
    // No byte, or half of a head: of the first request, of a later one, or of one after a body. A response, and then silence.
    let heads = vec![
        String::new(),
        half.to_owned(),
        "\r\n\r\n".to_owned() + half,
        get("/healthz") + half,
        get("/healthz").repeat(2) + half,
        post(REPORT, 4, "{}  ") + half,
        chunked(REPORT, "2\r\n{}\r\n0\r\n\r\n") + half,
        get("/healthz"),
        post(REPORT, 4, "{}  "),
    ];
    // Half a body, for an existing user and for none; and responses that are not read.
    let large = get("/api/openapi.json").repeat(40);
    let bodies = vec![
        file,
        chunked(TOKEN, "2\r\n{ \r\n"),
        post("/how-it-works", 4_000, "{"),
        large,
    ];
    let groups = [
        ("head", heads),
        // After half a body was refused, no other head is read.
        ("transfer head", bodies),
        // A stream, which would never end.
        ("stream head", vec![get(CHANGES)]),
    ];
    join_all(groups.map(async |(short, kinds)| {
        let app = impatient(short).await;
        let address = app.state.config.listen;
        // 567 of them in total.
        let all = (0..189).map(|number| say(address, &kinds[number % kinds.len()]));
        let all = join_all(all).await;
        all_closed(&app, &format!("{short} letting go")).await;
        drop(all);
    }))
    .await;
}

/// What the server says until it closes the connection.
async fn rest(connection: &mut (impl AsyncReadExt + Unpin)) -> String {
    let mut said = String::new();
    connection.read_to_string(&mut said).await.unwrap();
    said
}

/// Sends a head more slowly than allowed.
#[tokio::test]
async fn a_slow_but_steady_body_is_accepted() {
    let app = impatient("head").await;
    let token = app.sign_in().await.token;
    let portion = " ".repeat(16 * 1024);
    let own = format!("\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n");
    let head = post(SUBMIT, 9 * portion.len(), "").replace("\r\n\r\n", &own);
    let mut connection = say(app.state.config.listen, &head).await;
    for _ in 0..9 {
        sleep(Duration::from_millis(300)).await;
        connection.write_all(portion.as_bytes()).await.unwrap();
    }
    let answer = rest(&mut connection).await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}

#[tokio::test]
async fn a_dripping_body_times_out() {
    let app = impatient("transfer").await;
    let half = post(TOKEN, 4_000, "{");
    let (mut answers, mut drip) = say(app.state.config.listen, &half).await.into_split();
    // The drip stops only when the server closes the connection.
    let dripping = async {
        while drip.write_all(b" ").await.is_ok() {
            sleep(Duration::from_millis(50)).await;
        }
        std::future::pending().await
    };
    let answer = tokio::select! {
        answer = rest(&mut answers) => answer,
        answer = dripping => answer,
    };
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    has(&answer, &["\"code\":\"too_slow\""]);
    // The API's document lists it where a body is read.
    let row = ("PATCH", "/api/rest/v1/profiles");
    for (method, path) in [("POST", "/api/auth/v1/token"), ("POST", SUBMIT), row] {
        assert!(document::expects(method, path, 408), "{path}");
    }
}

#[tokio::test]
async fn connections_are_limited() {
    let limits = ConnectionLimits {
        total: 20,
        ..ConnectionLimits::default()
    };
    let app = TestApp::limited(&[], limits).await;
    let ask = get("/healthz");
    let begin = async || {
        let mut connection = say(app.state.config.listen, &ask).await;
        let mut first = [0; 12];
        // When no connection is free, the server closes or resets without a response.
        connection.read_exact(&mut first).await.ok()?;
        assert_eq!(&first, b"HTTP/1.1 200");
        Some(connection)
    };
    let mut kept = Vec::new();
    for _ in 0..20 {
        kept.push(begin().await.expect("a place"));
    }
    assert!(begin().await.is_none());
    kept.pop();
    until("a place that is free again", begin).await;
}

#[tokio::test]
async fn half_sent_bodies_take_little_memory() {
    let server = ServerProcess::on_sqlite(&[]).await;
    let Some(before) = server.peak_memory() else {
        return;
    };
    let body = "x".repeat(2 * 1024 * 1024 - 1);
    let halves = [TOKEN, SUBMIT].map(|path| post(path, body.len() + 1, &body));
    let all = (0..100).map(|number| say(server.address, &halves[number % 2]));
    // All are refused before they have sent everything.
    for mut connection in join_all(all).await {
        let mut answer = Vec::new();
        let _ = connection.read_to_end(&mut answer).await;
    }
    let grown = server.peak_memory().expect("as before") - before;
    assert!(grown < 60 * 1024, "{grown} kB");
}

/// All that one visitor can hold: streams, downloads, log reports, previews, half-sent files.
#[tokio::test]
async fn a_visitor_is_served_while_others_hold_connections() {
    let server = ServerProcess::on_sqlite(&[]).await;
    let report = "{\"level\": \"warn\", \"message\": \"again\"}";
    let kinds = [
        get(CHANGES),
        get("/leaderboard").repeat(4),
        get("/api/openapi.json"),
        get("/card/satoshi.png"),
        get("/api/storage/v1/render/image/public/avatars/satoshi?width=96&height=96"),
        get("/api/functions/v1/board.csv"),
        get("/api/rest/v1/profiles?username=ilike.*some*"),
        get("/log/checkpoint"),
        post(REPORT, report.len(), report).repeat(4),
        post(SUBMIT, 2_000_000, "{\"psbtBase64\": \""),
        post(TOKEN, 4_000, "{"),
    ];
    let clients = size(200, 1_000);
    let all = (0..clients).map(|number| say(server.address, &kinds[number % kinds.len()]));
    let all = join_all(all).await;
    let honest = timeout(Duration::from_secs(60), async {
        for path in ["/healthz", "/leaderboard", "/api/rest/v1/profiles"] {
            assert_eq!(server.get(path).await.status, 200, "{path}");
        }
        server.sign_in().await;
    });
    honest.await.expect("served in time");
    // The streams are still open, and strangers' unread files have been closed.
    let open = server.metric("http_connections").await;
    assert!(open.unwrap() >= size(100.0, 500.0));
    drop(all);
}
