//! Requests that no honest client sends. Both databases give the same response to each, and it is never a server error.

use std::fmt::Write as _;
use std::net::SocketAddr;

use api::sign_in::SignIn;
use futures_util::stream;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::pictures::Host;
use crate::support::document;
use crate::support::prelude::*;
use crate::support::sign_in::{challenge, signed_in, verifier};

mod list;

/// The trusted proxies, so that each request comes from its own network and no limit hides a response.
const PROXY: &str = "--trusted-proxies=127.0.0.1";

/// Routes that answer 503 because they are not set up here: no source of prices, no payment.
const NOT_SET_UP: [&str; 3] = ["bitcoin-price", "create-stripe-session", "stripe-webhook"];

/// How many users sign in: fewer than one address may in five minutes.
const PEOPLE: usize = 14;

/// How many requests run at a time.
const AT_ONCE: usize = 8;

#[tokio::test]
async fn every_hostile_request_gets_the_same_answer_on_both_databases_and_no_failure() {
    let requests = list::requests();
    assert!(requests.len() > 500, "{} requests", requests.len());
    // `./test all` sends all of them. Seven divides none of the lists that they are combined from.
    let requests: Vec<_> = requests.into_iter().step_by(size(7, 1)).collect();
    let databases = [TestDatabase::sqlite().await, TestDatabase::postgres().await];
    let [one, other] = databases.map(|database| answers(database, &requests));
    let (sqlite, postgres) = tokio::join!(one, other);
    let mut wrong = String::new();
    for (request, (one, other)) in requests.iter().zip(sqlite.iter().zip(&postgres)) {
        let status = one.0;
        let excused = status == 503 && NOT_SET_UP.iter().any(|it| request.calls(it));
        // No response at all counts as a failure.
        let failed = status == 0 || (status >= 500 && !excused);
        let documented = document::expects(request.method, request.path(), status);
        // A request with a valid session must not get 401.
        let unauthorized = request.signed_in && status == 401;
        if failed || one != other || !documented || unauthorized {
            let both = format!("    SQLite {one:?}, PostgreSQL {other:?}");
            let _ = writeln!(wrong, "{request:?}\n{both}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Otherwise a template could be refused for another reason than its values, and compare nothing.
#[tokio::test]
async fn every_template_succeeds_with_ordinary_values() {
    let (_, host) = Host::start().await;
    let app = TestApp::with(&[&format!("--avatar-hosts={host}")]).await;
    let face = format!("{host}/images/face_normal.jpg");
    let other = sign_in(&app.state, "twitter", "satoshi", Some(&face)).await;
    prove(&app.state, &other, 100_000_000).await;
    let me = app.sign_in().await;
    me.upload(&me.sample("self-transfer.psbt").await, true)
        .await
        .ok();
    let proof = text(&app.get("/api/functions/v1/proofs").await.body["proofs"][0]["id"]);
    app.state.proving.follower.step().await.unwrap();
    crate::board_log::log(&app).await;
    let page = app.get("/leaderboard").await.text();
    let (_, asset) = page.split_once("/assets/").unwrap();
    let asset = asset.split('"').next().unwrap();
    let challenge = challenge(&verifier());
    let names = [
        ("{me}", &*me.id),
        ("{other}", &other.id),
        ("{proof}", &proof),
        ("{asset}", asset),
        ("{origin}", &app.origin),
        ("{challenge}", &challenge),
    ];
    let mut refused = String::new();
    for (signed_in, method, target) in list::ordinary() {
        let target = names
            .iter()
            .fold(target, |it, (name, to)| it.replace(name, to));
        let request =
            direct_client().request(method.parse().unwrap(), format!("{}{target}", app.origin));
        let request = match method {
            "POST" | "PATCH" => request.json(&json!({ "id": me.id })),
            _ => request,
        };
        let request = match signed_in {
            true => request.bearer_auth(&me.token),
            false => request,
        };
        let answer = request.send().await.unwrap();
        let status = answer.status();
        if !(status.is_success() || status.is_redirection()) {
            let _ = writeln!(refused, "{method} {target}: {status}");
        }
    }
    assert!(refused.is_empty(), "{refused}");
}

/// The parts of a response that both databases must agree on: its status, 0 when the connection was closed without any, and its code.
type Answer = (u16, String);

/// Id and token.
type User = (String, String);

/// One server, and its signed-in users.
struct Fixture {
    address: SocketAddr,
    /// Each sends a share of the requests, so that no limit by account hides a response either.
    people: Vec<User>,
    other: String,
    room: Arc<SignIn>,
}

async fn answers(database: TestDatabase, requests: &[list::Request]) -> Vec<Answer> {
    let app = TestApp::start(database, &[PROXY]).await;
    let mut people = Vec::new();
    for _ in 0..PEOPLE {
        let person = app.sign_in().await;
        people.push((person.id, person.token));
    }
    let fixture = Fixture {
        address: app.state.config.listen,
        other: people.pop().unwrap().0,
        people,
        room: app.state.sign_in.clone(),
    };
    let asked = stream::iter(requests.iter().enumerate());
    let asked = asked.map(|(number, request)| ask(&fixture, number, request));
    asked.buffered(AT_ONCE).collect().await
}

/// Sends a request as one of the users: as a new one, if it may end the session or the account.
async fn ask(fixture: &Fixture, number: usize, request: &list::Request) -> Answer {
    let mut sender = fixture.people[number % fixture.people.len()].clone();
    if request.alone {
        let (session, token) = signed_in(&fixture.room, &format!("user {number}")).await;
        sender = (session.user_id, token);
    }
    exchange(fixture.address, &request.bytes(fixture, &sender, number)).await
}

/// Sends a request on a connection of its own, and reads the response.
async fn exchange(address: SocketAddr, request: &[u8]) -> Answer {
    let connection = TcpStream::connect(address).await;
    let mut connection = connection.expect("a connection");
    // A server that refuses early may close the connection before the request is complete.
    let _ = connection.write_all(request).await;
    let mut said = Vec::new();
    // A stream of changes never ends.
    let stream = |said: &[u8]| {
        let text = String::from_utf8_lossy(said);
        text.contains("text/event-stream") && text.contains("\r\n\r\n")
    };
    while let Ok(1..) = connection.read_buf(&mut said).await
        && !stream(&said)
    {}
    let said = String::from_utf8_lossy(&said);
    let (head, body) = said.split_once("\r\n\r\n").unwrap_or((&said, ""));
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let code = body["code"].as_str().unwrap_or_default();
    (status.unwrap_or(0), code.to_owned())
}
