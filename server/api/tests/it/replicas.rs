//! Several servers on one PostgreSQL are one service: real processes, and one of them dies.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{Amount, OutPoint};
use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use store::{Database, Store};
use tokio::sync::{Mutex, Semaphore};

use crate::support::app::{Answer, TestApp, answer, sign_in_at};
use crate::support::database::TestDatabase;
use crate::support::node::{AddressType, Node, SomePsbt, Wallet};
use crate::support::process::ServerProcess;
use crate::support::{event, http_client};

const COIN: Amount = Amount::from_sat(30_000_000);

/// How many people claim the same coin at once.
const RIVALS: u64 = 100;

/// How many people send files while a replica dies.
const SENDERS: usize = 24;

/// Arguments for a server on the coins of `node`. What binds a file has tests of its own.
fn arguments(node: &Node) -> Vec<String> {
    vec![
        format!("--chain=bitcoind:{}", node.url()),
        "--network=regtest".to_owned(),
        "--proof-binding=optional".to_owned(),
    ]
}

/// Two servers on one database and one chain; people know them by the address of the first.
async fn replicas(database: &TestDatabase, arguments: &[String]) -> [ServerProcess; 2] {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let first = ServerProcess::start(&database.url, &arguments).await;
    let public = format!("--public-url={}", first.origin);
    let arguments = [arguments.as_slice(), &[public.as_str()]].concat();
    let second = ServerProcess::start(&database.url, &arguments).await;
    [first, second]
}

/// Somebody who is signed in, at any replica.
#[derive(Clone, Debug)]
struct Member {
    id: String,
    token: String,
}

impl Member {
    async fn sign_in(origin: &str) -> Self {
        let session = sign_in_at(origin).await;
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        Self {
            id: text(&session["user"]["id"]),
            token: text(&session["access_token"]),
        }
    }

    async fn get(&self, origin: &str, path: &str) -> Answer {
        let request = http_client().get(format!("{origin}{path}"));
        answer(request.bearer_auth(&self.token)).await
    }

    async fn post(&self, origin: &str, path: &str) -> Answer {
        let request = http_client().post(format!("{origin}{path}"));
        answer(request.bearer_auth(&self.token)).await
    }

    /// Sends a file. None when the server is gone before it has answered.
    async fn submit(&self, client: &Client, origin: &str, file: &SomePsbt) -> Option<Answer> {
        let body = json!({
            "psbtBase64": STANDARD.encode(file.binary()), "utxos": [], "file_name": "wallet.psbt",
        });
        let request = client
            .post(format!("{origin}/api/functions/v1/submit-proof"))
            .bearer_auth(&self.token)
            .json(&body);
        let response = request.send().await.ok()?;
        Some(Answer {
            status: response.status(),
            body: response.json().await.ok()?,
        })
    }
}

/// Signed transactions that all spend the same coin, no two the same.
async fn rival_files(wallet: &Wallet<'_>, coin: OutPoint) -> Vec<SomePsbt> {
    let address = wallet.address(AddressType::Bech32).await;
    let mut files = Vec::new();
    for rival in 0..RIVALS {
        let payment = (address.clone(), Amount::from_sat(10_000 + rival));
        let unsigned = wallet.transfer(&[coin], &[payment]).await;
        files.push(wallet.sign(&unsigned, true).await);
    }
    files
}

/// Whether exactly one of `answers` is a success and all others are conflicts.
fn one_winner(answers: &[Answer]) {
    let mut words: Vec<&str> = answers
        .iter()
        .map(|answer| answer.body["status"].as_str().expect("a status"))
        .collect();
    words.sort_unstable();
    let mut expected = vec!["conflict"; answers.len() - 1];
    expected.push("success");
    assert_eq!(words, expected, "{answers:?}");
}

/// Everything that counts, from the database itself: live claims, their sum, and the sum of what profiles say.
async fn books(store: &Store) -> (i64, i64, i64) {
    const BOOKS: &str = "select (select count(*) from claims where ended_at is null),
        (select cast(coalesce(sum(value_sats), 0) as bigint) from claims where ended_at is null),
        (select cast(coalesce(sum(holdings_sats), 0) as bigint) from profiles)";
    match store.database() {
        Database::Sqlite(pool) => sqlx::query_as(BOOKS).fetch_one(pool).await,
        Database::Postgres(pool) => sqlx::query_as(BOOKS).fetch_one(pool).await,
    }
    .expect("a database")
}

#[tokio::test]
async fn who_signs_in_at_one_replica_is_signed_in_at_all() {
    let database = TestDatabase::postgres().await;
    let [first, second] = replicas(&database, &[]).await;
    let member = Member::sign_in(&first.origin).await;
    let changes = format!("{}/api/rest/v1/profiles/changes", second.origin);
    let mut page = http_client().get(changes).send().await.expect("a stream");
    page.chunk().await.expect("a stream").expect("the opening");

    let user = member.get(&second.origin, "/api/auth/v1/user").await;
    assert_eq!(user.body["id"], json!(member.id));
    // What happens at one is seen on the pages that are open at the other.
    Member::sign_in(&first.origin).await;
    let event = event(&mut page).await;
    assert!(event.starts_with("event: change\n"), "{event:?}");

    // And who signs out at one is signed out at the other, at once.
    let out = member.post(&second.origin, "/api/auth/v1/logout").await;
    assert_eq!(out.status, StatusCode::NO_CONTENT, "{out:?}");
    let user = member.get(&first.origin, "/api/auth/v1/user").await;
    assert!(user.status.is_client_error(), "{user:?}");
}

#[tokio::test]
async fn of_a_hundred_who_claim_a_coin_at_two_replicas_one_wins() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let files = rival_files(&wallet, coin).await;
    let database = TestDatabase::postgres().await;
    let replicas = replicas(&database, &arguments(node)).await;
    let mut rivals = Vec::new();
    for _ in &files {
        rivals.push(Member::sign_in(&replicas[0].origin).await);
    }
    let client = http_client();
    let _still = node.still().await;
    let answers = join_all(rivals.iter().zip(&files).enumerate().map(
        // Every second one not where they signed in.
        |(index, (rival, file))| rival.submit(&client, &replicas[(index + 1) % 2].origin, file),
    ))
    .await;
    let answers: Vec<Answer> = answers.into_iter().flatten().collect();
    assert_eq!(answers.len(), files.len());
    one_winner(&answers);
    let sats = i64::try_from(COIN.to_sat()).expect("sats");
    assert_eq!(books(&database.store().await).await, (1, sats, sats));
}

#[tokio::test]
async fn of_a_hundred_who_claim_a_coin_on_sqlite_one_wins() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let files = rival_files(&wallet, coin).await;
    let arguments = arguments(node);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let app = TestApp::start(TestDatabase::sqlite().await, &arguments).await;
    let mut rivals = Vec::new();
    for _ in &files {
        rivals.push(app.sign_in().await);
    }
    let _still = node.still().await;
    let binaries: Vec<Vec<u8>> = files.iter().map(SomePsbt::binary).collect();
    let answers = join_all(
        rivals
            .iter()
            .zip(&binaries)
            .map(|(rival, file)| rival.submit(file)),
    )
    .await;
    one_winner(&answers);
    let sats = i64::try_from(COIN.to_sat()).expect("sats");
    assert_eq!(books(&app.state.store).await, (1, sats, sats));
}

#[tokio::test]
async fn a_replica_that_dies_among_submissions_loses_and_doubles_nothing() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32, COIN); SENDERS])
        .await;
    let mut files = Vec::new();
    for coin in &coins {
        files.push(wallet.proof(&[*coin], true).await);
    }
    let database = TestDatabase::postgres().await;
    let [survivor, doomed] = replicas(&database, &arguments(node)).await;
    let mut members = Vec::new();
    for _ in &files {
        members.push(Member::sign_in(&survivor.origin).await);
    }
    let _still = node.still().await;
    let client = http_client();

    // Half of them go to the replica that dies when it has acknowledged one, a few at a time: some are then under
    // way there, and some come too late.
    let origin = doomed.origin.clone();
    let (doomed, few) = (Mutex::new(doomed), Semaphore::new(4));
    let answers = join_all(members.iter().zip(&files).enumerate().map(
        |(index, (member, file))| {
            let (client, origin, doomed, few) = (&client, &origin, &doomed, &few);
            let survivor = &survivor.origin;
            async move {
                if index % 2 == 1 {
                    return member.submit(client, survivor, file).await;
                }
                let _turn = few.acquire().await.expect("a turn");
                let answer = member.submit(client, origin, file).await;
                if answer.is_some() {
                    doomed.lock().await.kill();
                }
                answer
            }
        },
    ))
    .await;

    let unanswered = answers.iter().filter(|answer| answer.is_none()).count();
    assert!(unanswered > 0, "the replica died too late");
    let store = database.store().await;
    let mut acknowledged = HashSet::new();
    for (answer, member) in answers.iter().zip(&members) {
        if let Some(answer) = answer {
            assert_eq!(answer.body["status"], "success", "{answer:?}");
            acknowledged.insert(member.id.clone());
            // What was acknowledged is there, and there once.
            let proofs = member
                .get(
                    &survivor.origin,
                    &format!("/api/rest/v1/psbts?user_id=eq.{}", member.id),
                )
                .await;
            assert_eq!(proofs.body.as_array().map(Vec::len), Some(1), "{proofs:?}");
        }
    }
    let (claims, claimed, held) = books(&store).await;
    assert!(usize::try_from(claims).expect("a count") >= acknowledged.len());
    assert_eq!(claimed, held, "totals are the sum of live claims");

    // Whoever got no answer sends the file again, and counts once whatever had become of the first.
    for ((member, file), before) in members.iter().zip(&files).zip(&answers) {
        if before.is_none() {
            let again = member.submit(&client, &survivor.origin, file).await;
            let again = again.expect("an answer");
            let word = again.body["status"].as_str().expect("a status");
            assert!(["success", "already-verified"].contains(&word), "{again:?}");
        }
    }
    let all = i64::try_from(COIN.to_sat() * SENDERS as u64).expect("sats");
    let count = i64::try_from(SENDERS).expect("a count");
    assert_eq!(books(&store).await, (count, all, all));
}

#[tokio::test]
async fn servers_that_start_together_on_an_empty_database_all_start() {
    let database = TestDatabase::postgres().await;
    let public = "--public-url=http://127.0.0.1:1";
    let mut servers: Vec<ServerProcess> = (0..4)
        .map(|_| ServerProcess::begin(&database.url, &[public]))
        .collect();
    for server in &mut servers {
        server.answers().await;
    }
    // They agree on the keys that one of them made.
    let mut keys = Vec::new();
    for server in &servers {
        let address = format!("{}/api/auth/v1/.well-known/jwks.json", server.origin);
        keys.push(answer(http_client().get(address)).await.body);
    }
    assert!(keys[0]["keys"].is_array(), "{keys:?}");
    assert!(keys.iter().all(|others| *others == keys[0]), "{keys:?}");
}
