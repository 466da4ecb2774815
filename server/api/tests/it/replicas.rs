//! Several servers on one PostgreSQL act as one service: real processes, and one of them dies.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{Amount, OutPoint};
use futures_util::future::join_all;
use serde_json::{Value, json};
use store::Store;
use tokio::sync::{Mutex, Semaphore};

use crate::support::database::{TestDatabase, number};
use crate::support::node::{AddressType, Node, SomePsbt, Wallet};
use crate::support::process::ServerProcess;
use crate::support::{event, http_client, text};

const COIN: Amount = Amount::from_sat(30_000_000);

/// How many users claim the same coin at once.
const RIVALS: u64 = 100;

/// How many users send files while a replica dies.
const SENDERS: usize = 24;

/// Arguments for a server on the coins of `node`. Binding has its own tests.
fn arguments(node: &Node) -> Vec<String> {
    vec![
        format!("--chain=bitcoind:{}", node.url()),
        "--network=regtest".to_owned(),
        "--proof-binding=optional".to_owned(),
    ]
}

/// Two servers on one database and one chain; both use the public address of the first.
async fn replicas(database: &TestDatabase, arguments: &[String]) -> [ServerProcess; 2] {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let first = ServerProcess::start(&database.url, &arguments).await;
    let public = format!("--public-url={}", first.origin);
    let arguments = [arguments.as_slice(), &[public.as_str()]].concat();
    let second = ServerProcess::start(&database.url, &arguments).await;
    [first, second]
}

/// A signed-in user, on any replica.
#[derive(Clone, Debug)]
struct Member {
    id: String,
    token: String,
}

impl Member {
    async fn sign_in(server: &ServerProcess) -> Self {
        let session = server.sign_in().await;
        Self {
            id: text(&session["user"]["id"]),
            token: text(&session["access_token"]),
        }
    }

    /// Sends a file. `None` when the server dies before it responds.
    async fn submit(&self, origin: &str, file: &SomePsbt) -> Option<Value> {
        let file = STANDARD.encode(file.binary());
        let body = json!({"psbtBase64": file, "utxos": [], "file_name": "wallet.psbt"});
        let submit = http_client().post(format!("{origin}/api/functions/v1/submit-proof"));
        let submit = submit.bearer_auth(&self.token).json(&body);
        submit.send().await.ok()?.json().await.ok()
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

/// Fails unless exactly one of these responses is a success and all others are conflicts.
fn one_winner(answers: &[Value]) {
    let mut words: Vec<&str> = answers.iter().map(word).collect();
    words.sort_unstable();
    let mut expected = vec!["conflict"; answers.len() - 1];
    expected.push("success");
    assert_eq!(words, expected, "{answers:?}");
}

fn word(answer: &Value) -> &str {
    answer["status"].as_str().expect("a status")
}

/// All totals, from the database itself: live claims, their sum, and the sum over profiles.
async fn books(store: &Store) -> [i64; 3] {
    let mut books = [0; 3];
    for (book, query) in books.iter_mut().zip([
        "select count(*) from claims where ended_at is null",
        "select cast(coalesce(sum(value_sats), 0) as bigint) from claims where ended_at is null",
        "select cast(coalesce(sum(holdings_sats), 0) as bigint) from profiles",
    ]) {
        *book = number(store.database(), query).await;
    }
    books
}

#[tokio::test]
async fn who_signs_in_at_one_replica_is_signed_in_at_all() {
    let database = TestDatabase::postgres().await;
    let [first, second] = replicas(&database, &[]).await;
    let member = Member::sign_in(&first).await;
    let changes = format!("{}/api/rest/v1/profiles/changes", second.origin);
    let mut page = http_client().get(changes).send().await.unwrap();
    page.chunk().await.unwrap().expect("the opening");

    let user = second.get_as(&member.token, "/api/auth/v1/user").await;
    assert_eq!(user.body["id"], json!(member.id));
    // A change on one replica reaches the pages that are open on the other.
    Member::sign_in(&first).await;
    let event = event(&mut page).await;
    assert!(event.starts_with("event: change\n"), "{event:?}");

    // And a sign-out on one is a sign-out on the other, at once.
    let out = second
        .post_as(&member.token, "/api/auth/v1/logout", json!({}))
        .await;
    assert_eq!(out.status, 204, "{out:?}");
    assert!(!first.is_in(&member.token).await);
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
        rivals.push(Member::sign_in(&replicas[0]).await);
    }
    let _still = node.still().await;
    let answers = join_all(rivals.iter().zip(&files).enumerate().map(
        // Every second user sends to the other replica than the one they signed in on.
        |(index, (rival, file))| rival.submit(&replicas[(index + 1) % 2].origin, file),
    ))
    .await;
    let answers: Vec<Value> = answers.into_iter().flatten().collect();
    assert_eq!(answers.len(), files.len());
    one_winner(&answers);
    let sats = i64::try_from(COIN.to_sat()).expect("sats");
    assert_eq!(books(&database.store().await).await, [1, sats, sats]);
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
        members.push(Member::sign_in(&survivor).await);
    }
    let _still = node.still().await;

    // Half of them go to the replica that dies after its first acknowledgment, a few at a time: some are then in
    // progress there, and some come too late.
    let origin = doomed.origin.clone();
    let (doomed, few) = (Mutex::new(doomed), Semaphore::new(4));
    let answers = join_all(members.iter().zip(&files).enumerate().map(
        |(index, (member, file))| {
            let (origin, doomed, few) = (&origin, &doomed, &few);
            let survivor = &survivor.origin;
            async move {
                if index % 2 == 1 {
                    return member.submit(survivor, file).await;
                }
                let _turn = few.acquire().await.expect("a turn");
                let answer = member.submit(origin, file).await;
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
            assert_eq!(word(answer), "success", "{answer:?}");
            acknowledged.insert(member.id.clone());
            // Acknowledged files are recorded, once each.
            let proofs = format!("/api/rest/v1/psbts?user_id=eq.{}", member.id);
            let proofs = survivor.get_as(&member.token, &proofs).await;
            assert_eq!(proofs.body.as_array().map(Vec::len), Some(1), "{proofs:?}");
        }
    }
    let [claims, claimed, held] = books(&store).await;
    assert!(usize::try_from(claims).expect("a count") >= acknowledged.len());
    assert_eq!(claimed, held, "totals are the sum of live claims");

    // A client without a response sends the file again; it counts once, whether or not the first attempt was recorded.
    for ((member, file), before) in members.iter().zip(&files).zip(&answers) {
        if before.is_none() {
            let again = member.submit(&survivor.origin, file).await.unwrap();
            let counts = ["success", "already-verified"].contains(&word(&again));
            assert!(counts, "{again:?}");
        }
    }
    let all = i64::try_from(COIN.to_sat() * SENDERS as u64).expect("sats");
    let count = i64::try_from(SENDERS).expect("a count");
    assert_eq!(books(&store).await, [count, all, all]);
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
    // Both use the keys that one of them made.
    let mut keys = Vec::new();
    for server in &servers {
        keys.push(server.get("/api/auth/v1/.well-known/jwks.json").await.body);
    }
    assert!(keys[0]["keys"].is_array(), "{keys:?}");
    assert!(keys.iter().all(|others| *others == keys[0]), "{keys:?}");
}
