//! Connections of clients that send only part of a request, or read only part of a response, are closed.

use tokio::net::TcpSocket;
use tokio::time::{sleep, timeout};

use super::*;
use crate::support::document;

/// The number of connections in the server's metrics.
async fn open(server: &ServerProcess) -> Option<f64> {
    server.metric("http_connections").await
}

async fn all_closed(server: &ServerProcess, what: &str) {
    until(what, async || (open(server).await? == 0.0).then_some(())).await;
}

/// Sends these bytes and nothing more.
async fn say(server: &ServerProcess, words: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    // A small receive buffer, so that little of a response fits.
    socket.set_recv_buffer_size(4096).unwrap();
    let mut connection = socket.connect(server.address).await.unwrap();
    let mut words = words.as_bytes();
    // The server may stop reading early.
    while let Ok(said @ 1..) = connection.write(words).await {
        words = &words[said..];
    }
    connection
}

fn post(path: &str, length: usize, rest: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{rest}"
    )
}

fn chunked(path: &str, rest: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n{rest}"
    )
}

/// One time-out after the other is short. Each closes only its own kind of connection.
#[tokio::test]
async fn what_is_half_open_is_let_go_of() {
    let token = "/api/auth/v1/token?grant_type=pkce";
    let report = "/api/functions/v1/client-log";
    let half = "GET /leaderboard HTTP/1.1\r\nhost: a\r\nx-";
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n");
    let groups: [(&[&str], Vec<String>); 4] = [
        // No byte, or half of a head: of the first request, of a later one, or of one after a body. Then half of a body.
        (
            &["header"],
            vec![
                String::new(),
                half.to_owned(),
                "\r\n\r\n".to_owned() + half,
                get("/healthz") + half,
                get("/healthz").repeat(2) + half,
                post(report, 4, "{}  ") + half,
                chunked(report, "2\r\n{}\r\n0\r\n\r\n") + half,
                post(token, 4_000, "{\"auth_code\": \""),
                chunked(token, "2\r\n{ \r\n"),
            ],
        ),
        // Half a body, for an existing user and for none; and a body that is too large and not read.
        (
            &["transfer"],
            vec![
                post(token, 4_000, "{\"auth_code\": \""),
                post("/how-it-works", 4_000, "{"),
                get("/api/openapi.json").repeat(20),
            ],
        ),
        // A response, and then silence.
        (&["idle"], vec![get("/healthz"), post(report, 4, "{}  ")]),
        // A stream, which would never end.
        (
            &["stream", "idle"],
            vec![get("/api/rest/v1/profiles/changes")],
        ),
    ];
    join_all(groups.map(async |(short, kinds)| {
        let clocks = ["header", "transfer", "idle", "stream"].map(|clock| {
            let seconds = if short.contains(&clock) { 2 } else { 600 };
            format!("--{clock}-seconds={seconds}")
        });
        let clocks = clocks.each_ref().map(String::as_str);
        let server = ServerProcess::on_sqlite(&clocks).await;
        // 756 of them in all.
        let all = (0..189).map(|number| say(&server, &kinds[number % kinds.len()]));
        let all = join_all(all).await;
        all_closed(&server, &format!("{short:?} letting go")).await;
        drop(all);
    }))
    .await;
}

/// The pause before the next request is limited by the idle time, not by the header time.
#[tokio::test]
async fn silence_between_requests_is_no_half_head() {
    let arguments = ["--header-seconds=1", "--idle-seconds=600"];
    let server = ServerProcess::on_sqlite(&arguments).await;
    let ask = "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n";
    let report = post("/api/functions/v1/client-log", 4, "{}  ");
    let mut silent = [say(&server, ask).await, say(&server, &report).await];
    let mut begun = say(&server, &(ask.to_owned() + "GET ")).await;
    let mut answers = String::new();
    // Ends when the server closes the connection.
    begun.read_to_string(&mut answers).await.unwrap();
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 1, "{answers}");
    for connection in &mut silent {
        let last = "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
        connection.write_all(last.as_bytes()).await.unwrap();
        let mut answers = String::new();
        connection.read_to_string(&mut answers).await.unwrap();
        assert_eq!(answers.matches("HTTP/1.1 ").count(), 2, "{answers}");
    }
}

/// Slower than one second for the whole body, and faster than 16 KiB in a second.
#[tokio::test]
async fn a_body_that_keeps_coming_is_waited_for() {
    let server = ServerProcess::on_sqlite(&["--header-seconds=1"]).await;
    let token = server.token().await;
    let portion = " ".repeat(16 * 1024);
    let head = post("/api/functions/v1/submit-proof", 5 * portion.len(), "");
    let head = head.replace(
        "\r\n\r\n",
        &format!("\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"),
    );
    let mut connection = say(&server, &head).await;
    for _ in 0..5 {
        sleep(Duration::from_millis(300)).await;
        connection.write_all(portion.as_bytes()).await.unwrap();
    }
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}

#[tokio::test]
async fn a_body_that_drips_is_not_waited_for() {
    let arguments = ["--header-seconds=2", "--transfer-seconds=600"];
    let server = ServerProcess::on_sqlite(&arguments).await;
    let token = "/api/auth/v1/token?grant_type=pkce";
    let (mut answers, mut drip) = say(&server, &post(token, 4_000, "{")).await.into_split();
    let mut answer = String::new();
    // The drip stops only when the server closes the connection.
    tokio::select! {
        read = answers.read_to_string(&mut answer) => { read.unwrap(); }
        () = async {
            while drip.write_all(b" ").await.is_ok() {
                sleep(Duration::from_millis(50)).await;
            }
            std::future::pending().await
        } => {}
    }
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("\"code\":\"too_slow\""), "{answer}");
    // The API's document lists it where a body is read.
    for address in [
        "POST /api/auth/v1/token",
        "POST /api/functions/v1/submit-proof",
        "PATCH /api/rest/v1/profiles",
    ] {
        let (method, path) = address.split_once(' ').unwrap();
        assert!(document::expects(method, path, 408), "{address}");
    }
}

#[tokio::test]
async fn there_are_so_many_connections_and_no_more() {
    let server = ServerProcess::on_sqlite(&["--max-connections=20"]).await;
    all_closed(&server, "closing what the start left").await;
    let ask = "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n";
    let mut kept = Vec::new();
    for _ in 0..20 {
        let mut connection = say(&server, ask).await;
        let mut first = [0; 12];
        connection.read_exact(&mut first).await.unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
        kept.push(connection);
    }
    let mut refused = say(&server, ask).await;
    // A close or a reset, but no response.
    assert_eq!(refused.read(&mut [0; 12]).await.unwrap_or(0), 0);
    kept.pop();
    until("a place that is free again", async || {
        let mut connection = say(&server, ask).await;
        let mut first = [0; 12];
        connection.read_exact(&mut first).await.ok()
    })
    .await;
}

#[tokio::test]
async fn half_sent_bodies_hold_little() {
    let server = ServerProcess::on_sqlite(&[]).await;
    let Some(before) = server.peak_memory() else {
        return;
    };
    let body = "x".repeat(2 * 1024 * 1024 - 1);
    let half = post("/api/auth/v1/token?grant_type=pkce", body.len() + 1, &body);
    let unsigned = post("/api/functions/v1/submit-proof", body.len() + 1, &body);
    let all = (0..100).map(|number| say(&server, if number % 2 == 0 { &half } else { &unsigned }));
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
async fn somebody_is_served_while_others_hold_what_they_can() {
    let server = ServerProcess::on_sqlite(&[]).await;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n");
    let report = "{\"level\": \"warn\", \"message\": \"again\"}";
    let kinds = [
        get("/api/rest/v1/profiles/changes"),
        get("/leaderboard").repeat(4),
        get("/api/openapi.json"),
        get("/card/satoshi.png"),
        get("/api/storage/v1/avatar/satoshi?width=96&height=96"),
        get("/api/functions/v1/board.csv"),
        get("/api/rest/v1/profiles?username=ilike.*some*"),
        get("/log/checkpoint"),
        post("/api/functions/v1/client-log", report.len(), report).repeat(4),
        post(
            "/api/functions/v1/submit-proof",
            2_000_000,
            "{\"psbtBase64\": \"",
        ),
        post("/api/auth/v1/token?grant_type=pkce", 4_000, "{"),
    ];
    let clients = size(200, 1_000);
    let all = (0..clients).map(|number| say(&server, &kinds[number % kinds.len()]));
    let all = join_all(all).await;
    let honest = timeout(Duration::from_secs(60), async {
        for path in ["/healthz", "/leaderboard", "/api/rest/v1/profiles"] {
            assert_eq!(server.get(path).await.status, 200, "{path}");
        }
        server.sign_in().await
    });
    assert!(honest.await.expect("served in time")["access_token"].is_string());
    // The streams are still open, and strangers' unread files have been closed.
    assert!(open(&server).await.unwrap() >= size(100.0, 500.0));
    drop(all);
}
