//! Servers that are killed at random moments, under load: what was answered is there, nothing is there twice, and what was
//! spent leaves the board within half a minute. `KILLS=1000 ./test rust kills` does it a thousand times on each database.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{Amount, OutPoint};
use futures_util::future::join_all;
use rand::Rng;
use reqwest::Client;
use serde_json::{Value, json};
use server::store::{Database, Store};

use crate::support::app::{Answer, answer, sign_in_at};
use crate::support::database::TestDatabase;
use crate::support::http_client;
use crate::support::node::{AddressType, Node, SomePsbt, Wallet};
use crate::support::process::ServerProcess;

const COIN: Amount = Amount::from_sat(1_000_000);

/// How many files are sent in each round, by somebody each.
const SENDERS: usize = 5;

/// The latest moment of a kill after the load has begun.
const LOAD: Duration = Duration::from_millis(400);

/// How long a spent coin may stay after a kill.
const SPENT_STAYS: Duration = Duration::from_secs(30);

/// How often a server is killed, unless `KILLS` says.
const KILLS: u32 = 10;

#[tokio::test]
async fn a_server_on_sqlite_that_is_killed_again_and_again_loses_and_doubles_nothing() {
    play(TestDatabase::sqlite().await, 1).await;
}

#[tokio::test]
async fn replicas_that_are_killed_again_and_again_lose_and_double_nothing() {
    play(TestDatabase::postgres().await, 2).await;
}

async fn play(database: TestDatabase, servers: usize) {
    // Blocks come when this says so.
    let node = Node::start().await;
    let stage = Stage::open(&node, database, servers).await;
    stage.play().await;
}

struct Stage<'n> {
    node: &'n Node,
    wallet: Wallet<'n>,
    database: TestDatabase,
    store: Store,
    arguments: Vec<String>,
    servers: Vec<ServerProcess>,
}

/// Somebody and their file.
struct Sender {
    id: String,
    token: String,
    file: SomePsbt,
    coin: OutPoint,
}

impl<'n> Stage<'n> {
    async fn open(node: &'n Node, database: TestDatabase, servers: usize) -> Self {
        let mut arguments = vec![
            format!("--chain=bitcoind:{}", node.url()),
            "--network=regtest".to_owned(),
            "--proof-binding=optional".to_owned(),
        ];
        let mut running = Vec::new();
        for _ in 0..servers {
            let server = ServerProcess::start(&database.url, &borrowed(&arguments)).await;
            if running.is_empty() {
                arguments.push(format!("--public-url={}", server.origin));
            }
            running.push(server);
        }
        let store = database.store().await;
        Self {
            node,
            wallet: node.wallet().await,
            database,
            store,
            arguments,
            servers: running,
        }
    }

    async fn play(mut self) {
        let kills = std::env::var("KILLS").map_or(KILLS, |kills| kills.parse().expect("a number"));
        let mut counting: Vec<OutPoint> = Vec::new();
        for round in 0..kills {
            let spent = counting.pop();
            let added = self.round(spent).await;
            counting.extend(added);
            self.books_are_right(&counting, round).await;
        }
    }

    /// Files are sent, a coin is spent, and a server is killed meanwhile. Answers the coins that count because of it.
    async fn round(&mut self, spent: Option<OutPoint>) -> Vec<OutPoint> {
        let client = http_client();
        let senders = self.senders().await;
        // Whoever watches the chain hears of it while it is killed, or afterwards.
        if let Some(coin) = spent {
            self.spend(coin).await;
        }
        let doomed = rand::rng().random_range(0..self.servers.len());
        let moment = LOAD.mul_f64(rand::rng().random_range(0.0..1.0));
        let origins: Vec<String> = self.servers.iter().map(|it| it.origin.clone()).collect();
        let load = join_all(
            senders
                .iter()
                .zip(origins.iter().cycle())
                .map(|(sender, origin)| async { submit(&client, origin, sender).await }),
        );
        let server = &mut self.servers[doomed];
        let kill = async {
            tokio::time::sleep(moment).await;
            server.kill();
            Instant::now()
        };
        let (answers, killed) = tokio::join!(load, kill);
        let address = self.servers[doomed].address;
        let arguments = borrowed(&self.arguments);
        self.servers[doomed] =
            ServerProcess::start_again(address, &self.database.url, &arguments).await;

        for (sender, sent) in senders.iter().zip(answers) {
            let before = self.proofs_of(&sender.id).await;
            match sent {
                Some(sent) => {
                    assert_eq!(sent.body["status"], "success", "{sent:?}");
                    assert_eq!(before, 1, "what was answered is there, once");
                }
                None => {
                    let again = submit(&client, &self.servers[0].origin, sender).await;
                    let again = again.expect("an answer");
                    let expected = if before == 1 {
                        "already-verified"
                    } else {
                        "success"
                    };
                    assert_eq!(again.body["status"], expected, "{again:?}");
                    assert_eq!(self.proofs_of(&sender.id).await, 1);
                }
            }
            // Whoever has signed in still is, everywhere.
            for server in &self.servers {
                let user = client.get(format!("{}/api/auth/v1/user", server.origin));
                let user = answer(user.bearer_auth(&sender.token)).await;
                assert_eq!(user.status, 200, "{user:?}");
            }
        }
        if let Some(coin) = spent {
            while self.counts(coin).await {
                assert!(killed.elapsed() < SPENT_STAYS, "a spent coin still counts");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        senders.into_iter().map(|sender| sender.coin).collect()
    }

    /// People who are signed in, with a signed file each.
    async fn senders(&self) -> Vec<Sender> {
        let coins = [(AddressType::Bech32, COIN); SENDERS];
        let mut senders = Vec::new();
        for coin in self.wallet.fund_all(&coins).await {
            let session = sign_in_at(&self.servers[0].origin).await;
            let text = |value: &Value| value.as_str().expect("text").to_owned();
            senders.push(Sender {
                id: text(&session["user"]["id"]),
                token: text(&session["access_token"]),
                file: self.wallet.proof(&[coin], true).await,
                coin,
            });
        }
        senders
    }

    async fn spend(&self, coin: OutPoint) {
        let spender = self.wallet.spend(&[coin]).await;
        self.node.confirm(&[spender.compute_txid()]).await;
    }

    /// Whether a coin counts for somebody.
    async fn counts(&self, coin: OutPoint) -> bool {
        let live = self.store.live_claims_on("regtest", &[coin]).await;
        !live.expect("a database").is_empty()
    }

    async fn proofs_of(&self, user: &str) -> i64 {
        self.store.proof_count(user).await.expect("a database")
    }

    /// Exactly these coins count, and what profiles say is their sum.
    async fn books_are_right(&self, counting: &[OutPoint], round: u32) {
        const BOOKS: &str = "select (select count(*) from claims where ended_at is null),
            (select cast(coalesce(sum(value_sats), 0) as bigint) from claims where ended_at is null),
            (select cast(coalesce(sum(holdings_sats), 0) as bigint) from profiles)";
        let books: (i64, i64, i64) = match self.store.database() {
            Database::Sqlite(pool) => sqlx::query_as(BOOKS).fetch_one(pool).await,
            Database::Postgres(pool) => sqlx::query_as(BOOKS).fetch_one(pool).await,
        }
        .expect("a database");
        let coins = i64::try_from(counting.len()).expect("few");
        let sats = coins * i64::try_from(COIN.to_sat()).expect("sats");
        assert_eq!(books, (coins, sats, sats), "after kill {round}");
    }
}

fn borrowed(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// Sends a file. None when the server is gone before it has answered.
async fn submit(client: &Client, origin: &str, sender: &Sender) -> Option<Answer> {
    let body = json!({
        "psbtBase64": STANDARD.encode(sender.file.binary()), "utxos": [], "file_name": "wallet.psbt",
    });
    let request = client
        .post(format!("{origin}/api/functions/v1/submit-proof"))
        .bearer_auth(&sender.token)
        .json(&body);
    let response = request.send().await.ok()?;
    Some(Answer {
        status: response.status(),
        body: response.json().await.ok()?,
    })
}
