//! Many clients of one visitor, who take everything that there is to take, and another visitor meanwhile: a thousand clients with
//! `./test all rust impatient`. `PATIENCE=5` holds each answer to the other visitor to so many seconds.

use std::collections::BTreeMap;
use std::env;
use std::future::pending;
use std::io::Cursor;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use api::limits::places::TooMany;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chain::clock::Clock;
use futures_util::future::{join_all, select};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::jobs::execute;
use crate::support::app::{TestApp, sign_in_at};
use crate::support::database::TestDatabase;
use crate::support::process::ServerProcess;
use crate::support::{http_client, size, until};

/// Each kind of client several times over.
fn clients() -> usize {
    size(168, 1_000)
}

/// Each has a picture, a card and a badge of their own.
const HOLDERS: usize = 1_000;

/// The crowd asks for everybody but these.
const SPARED: usize = 10;

/// How often one of the crowd comes again, whatever it was told.
const PACE: Duration = Duration::from_secs(2);

/// What one answer may take unless `PATIENCE` says, in seconds: by then people have gone.
const PATIENCE: f64 = 30.0;

fn patience() -> Duration {
    let patience = env::var("PATIENCE").ok().and_then(|it| it.parse().ok());
    Duration::from_secs_f64(patience.unwrap_or(PATIENCE))
}

fn id(holder: usize) -> String {
    format!("{holder:08}-0000-4000-8000-000000000000")
}

/// Holders whose pictures have been fetched, and not yet been drawn.
async fn board(database: &TestDatabase) {
    let picture = RgbImage::from_fn(400, 400, |x, y| {
        let [x, y] = [x, y].map(|it| u8::try_from(it / 2).unwrap_or(u8::MAX));
        Rgb([x, y, x ^ y])
    });
    let mut file = Cursor::new(Vec::new());
    DynamicImage::from(picture)
        .write_to(&mut file, ImageFormat::Jpeg)
        .expect("a picture");
    let picture = STANDARD.encode(file.into_inner());
    let now = Clock::System.now();
    let numbers = format!(
        "with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < {HOLDERS} - 1)"
    );
    let id = "printf('%08d-0000-4000-8000-000000000000', n)";
    let address = "'https://avatars.githubusercontent.com/u/' || n";
    let store = database.store().await;
    let profiles = format!(
        "insert into profiles (id, provider, subject, username, username_folded, named, avatar_url, holdings_sats, last_verified,
           created_at, updated_at)
         {numbers} select {id}, 'github', 's' || n, 'holder' || n, 'holder' || n, true, {address}, 1000000 + n, {now}, {now}, {now}
         from numbers"
    );
    execute(&store, profiles).await;
    let pictures = format!(
        "insert into pictures (profile_id, source_url, fresh_until, media_type, content)
         {numbers} select {id}, {address}, {now} + 86400, 'image/jpeg', '{picture}' from numbers"
    );
    execute(&store, pictures).await;
    store.close().await;
}

/// What can be asked for about somebody.
const KINDS: [&str; 14] = [
    "stream", "page", "csv", "json", "card", "small", "whole", "badge", "embed", "rows", "search",
    "log", "report", "file",
];

fn words(kind: &str, holder: usize) -> String {
    let head =
        "host: a\r\nx-forwarded-for: 198.51.100.7\r\naccept-encoding: br\r\nconnection: close\r\n";
    let post = |path: &str, length: usize, rest: &str| {
        format!(
            "POST /api/functions/v1/{path} HTTP/1.1\r\n{head}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{rest}"
        )
    };
    let path = match kind {
        "report" => {
            let report = "{\"level\": \"warn\", \"message\": \"again\"}";
            return post("client-log", report.len(), report);
        }
        "file" => return post("submit-proof", 2_000_000, "{\"psbtBase64\": \""),
        "stream" => "/api/rest/v1/profiles/changes".to_owned(),
        "page" => format!("/leaderboard?u=github:holder{holder}"),
        "csv" | "json" => format!("/api/functions/v1/board.{kind}"),
        "card" => format!("/card/github:holder{holder}.png"),
        "small" => format!("/api/storage/v1/avatar/{}?width=96&height=96", id(holder)),
        "whole" => format!("/api/storage/v1/avatar/{}", id(holder)),
        "badge" => format!("/badge/github:holder{holder}.svg"),
        "embed" => format!("/embed?u=github:holder{holder}"),
        "rows" => format!("/api/rest/v1/profiles?limit=100&offset={holder}"),
        "search" => format!("/api/rest/v1/profiles?username=ilike.*{holder}*"),
        _ => "/log/checkpoint".to_owned(),
    };
    format!("GET {path} HTTP/1.1\r\n{head}\r\n")
}

/// How often something was answered like this; a refusal that does not say when to come again has the status 0.
type Answers = Arc<Mutex<BTreeMap<(&'static str, u16), usize>>>;

/// Asks for something of one holder after another. A third of all do not read, a third hang up, a third read.
async fn client(server: SocketAddr, number: usize, answers: &Answers) {
    let kind = KINDS[number % KINDS.len()];
    sleep(PACE * u32::try_from(number).unwrap_or(0) / 1_000).await;
    for round in 0.. {
        let holder = (number + round * 337) % (HOLDERS - SPARED);
        let socket = TcpSocket::new_v4().expect("a socket");
        // Little of an answer fits on the way.
        socket.set_recv_buffer_size(4096).expect("a buffer");
        let mut connection = socket.connect(server).await.expect("a server");
        // The server may stop listening before all is said.
        let _ = connection.write_all(words(kind, holder).as_bytes()).await;
        match number / KINDS.len() % 3 {
            0 => {
                note(answers, (kind, 1));
                pending().await
            }
            1 => note(answers, (kind, 2)),
            _ => {
                let mut answer = Vec::new();
                let _ = connection.read_to_end(&mut answer).await;
                note(answers, (kind, status(&answer)));
            }
        }
        drop(connection);
        sleep(PACE).await;
    }
}

fn note(answers: &Answers, answer: (&'static str, u16)) {
    let mut answers = answers.lock().expect("nobody panics");
    *answers.entry(answer).or_default() += 1;
}

fn status(answer: &[u8]) -> u16 {
    let head = String::from_utf8_lossy(&answer[..answer.len().min(1_000)]);
    let status = head.get(9..12).and_then(|status| status.parse().ok());
    let told = head.contains("\r\nretry-after: ");
    status
        .filter(|status| told || ![429, 503].contains(status))
        .unwrap_or(0)
}

#[tokio::test]
async fn somebody_is_served_in_time_while_the_clients_of_another_are_impatient() {
    let database = TestDatabase::sqlite().await;
    board(&database).await;
    let server = ServerProcess::start(&database.url, &["--trusted-proxies=127.0.0.1"]).await;
    let session = sign_in_at(&server.origin).await;
    let token = session["access_token"].as_str().expect("a token");
    let before = server.peak_memory();
    let answers = Answers::default();
    let (stop, stopped) = oneshot::channel::<()>();
    // On a thread of its own, which does not hold up whoever is measured.
    let crowd = thread::spawn({
        let (answers, address) = (Arc::clone(&answers), server.address);
        move || {
            let runtime = Builder::new_current_thread().enable_all().build();
            let all = join_all((0..clients()).map(|number| client(address, number, &answers)));
            runtime
                .expect("a runtime")
                .block_on(async { select(Box::pin(all), stopped).await });
        }
    });
    until("the crowd", async || {
        let answers = answers.lock().expect("nobody panics");
        (answers.values().sum::<usize>() >= clients()).then_some(())
    })
    .await;
    let mut took = Vec::new();
    for holder in HOLDERS - 3..HOLDERS {
        for path in [
            "/healthz".to_owned(),
            "/readyz".to_owned(),
            "/leaderboard".to_owned(),
            format!("/leaderboard?u=github:holder{holder}"),
            "/api/rest/v1/profiles?limit=50".to_owned(),
            format!("/api/rest/v1/profiles?limit=50&offset={holder}"),
            format!("/api/storage/v1/avatar/{}?width=96&height=96", id(holder)),
            format!("/card/github:holder{holder}.png"),
            format!("/badge/github:holder{holder}.svg"),
            "/api/functions/v1/board.csv".to_owned(),
            "/api/functions/v1/board.json".to_owned(),
            "/log/checkpoint".to_owned(),
            "/api/auth/v1/user".to_owned(),
            "/api/functions/v1/export-account".to_owned(),
        ] {
            let asked = Instant::now();
            let request = http_client()
                .get(format!("{}{path}", server.origin))
                .header("x-forwarded-for", "203.0.113.5")
                .timeout(Duration::from_secs(30));
            let mine = path.starts_with("/api/auth") || path.ends_with("-account");
            let request = if mine {
                request.bearer_auth(token)
            } else {
                request
            };
            let answer = request.send().await.expect("an answer");
            let status = answer.status().as_u16();
            answer.bytes().await.expect("all of it");
            took.push((asked.elapsed(), status, path));
        }
    }
    let _ = stop.send(());
    crowd.join().expect("a crowd");
    let answers = answers.lock().expect("nobody panics");
    took.sort();
    for (took, status, path) in &took {
        assert!(
            *status == 200 && *took < patience(),
            "{path}: {status} after {took:?}"
        );
    }
    // Nobody has failed, and whoever was refused was told when to come again.
    for ((kind, status), times) in &*answers {
        let expected = [1, 2, 200, 204, 401, 429, 503].contains(status);
        assert!(expected, "{kind}: {status}, {times} times");
    }
    if let Some((before, after)) = before.zip(server.peak_memory()) {
        assert!(after - before < 350_000, "{before} kB, then {after} kB");
    }
}

/// A place that others have is not there for whoever comes: more of one address are told to wait, and more in all.
#[tokio::test]
async fn more_questions_and_downloads_than_there_are_places_for_are_told_when_to_come_again() {
    let arguments = ["--trusted-proxies=127.0.0.1"];
    let app = TestApp::start(TestDatabase::sqlite().await, &arguments).await;
    let ask = async |path: &str, address: &str| {
        let request = app.request(Method::GET, path);
        let request = request.header("x-forwarded-for", address);
        let answer = request.send().await.expect("an answer");
        let wait = answer.headers().get("retry-after").cloned();
        let seconds = wait.map(|it| it.to_str().expect("text").parse::<u32>().expect("seconds"));
        let status = answer.status().as_u16();
        answer.bytes().await.expect("all of it");
        (status, seconds)
    };
    let board = &app.state.board;
    let (download, question) = (
        "/api/functions/v1/board.csv",
        "/api/rest/v1/profiles?limit=7",
    );
    for (path, wait) in [(download, 10), (question, 2)] {
        let place = |address: &str| {
            let address: Option<IpAddr> = address.parse().ok();
            if path == download {
                board.download(address)
            } else {
                board.question(address)
            }
        };
        let mut places = Vec::new();
        let full = loop {
            match place("192.0.2.1") {
                Ok(taken) => places.push(taken),
                Err(full) => break full,
            }
        };
        assert_eq!(full, TooMany::FromSender);
        assert_eq!(ask(path, "192.0.2.1").await, (429, Some(wait)), "{path}");
        assert_eq!(ask(path, "203.0.113.2").await, (200, None), "{path}");
        let unasked = path.replace("limit=7", "limit=8");
        let mut others = (3..).map(|other| format!("10.{}.{}.1", other / 200, other % 200));
        // Whoever has just been served may have a place for a moment after the end.
        until("as many others as there is room for", async || {
            let full = loop {
                match place(&others.next().expect("more of them")) {
                    Ok(taken) => places.push(taken),
                    Err(full) => break full,
                }
            };
            assert_eq!(full, TooMany::InAll);
            (ask(&unasked, "203.0.113.2").await == (503, Some(wait))).then_some(())
        })
        .await;
        drop(places);
        assert_eq!(ask(&unasked, "192.0.2.1").await, (200, None), "{path}");
    }
}

/// An address that asks too much is refused, and not who asks the same at the same moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_is_refused_for_what_somebody_else_asks_too_much() {
    let arguments = ["--trusted-proxies=127.0.0.1"];
    let app = TestApp::start(TestDatabase::sqlite().await, &arguments).await;
    let (much, little) = ("192.0.2.1", "203.0.113.2");
    let address: Option<IpAddr> = much.parse().ok();
    let mut places = Vec::new();
    while let Ok(place) = app.state.board.question(address) {
        places.push(place);
    }
    let ask = |limit: u32, address: &'static str| {
        let path = format!("/api/rest/v1/profiles?limit={limit}");
        let request = app.request(Method::GET, &path);
        let answer = request.header("x-forwarded-for", address).send();
        tokio::spawn(async move { answer.await.expect("an answer").status().as_u16() })
    };
    for limit in 1..=size(100, 500) {
        let before = [much, much, much].map(|address| ask(limit, address));
        let asked = ask(limit, little);
        let after = [much, much, much].map(|address| ask(limit, address));
        assert_eq!(asked.await.expect("no panic"), 200, "{limit}");
        for asked in before.into_iter().chain(after) {
            // Who comes when it has been made gets it.
            assert!([200, 429].contains(&asked.await.expect("no panic")));
        }
    }
}
