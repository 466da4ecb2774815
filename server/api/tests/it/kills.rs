//! Kills servers at random moments under load. Afterwards every acknowledged write exists once, spent coins have left
//! the board within half a minute, and the log has only grown. `./test all rust
//! kills` does it a thousand times on each database.

use std::convert::Infallible;

use board_log::check;
use board_log::checkpoint::Checkpoint;
use rand::Rng;
use store::chain_cursor::Move;

use crate::support::prelude::*;

const COIN: Amount = Amount::from_sat(1_000_000);

/// How many files are sent in each round, each by another user.
const SENDERS: usize = 5;

/// The latest moment of a kill after the load has begun.
const LOAD: Duration = Duration::from_millis(400);

/// How long a spent coin may still count after a kill.
const SPENT_STAYS: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_server_on_sqlite_that_is_killed_again_and_again_loses_and_doubles_nothing() {
    play(TestDatabase::sqlite().await, 1).await;
}

#[tokio::test]
async fn replicas_that_are_killed_again_and_again_lose_and_double_nothing() {
    play(TestDatabase::postgres().await, 2).await;
}

async fn play(database: TestDatabase, servers: usize) {
    // The test decides when blocks are mined.
    let node = Node::start().await;
    let mut fixture = Fixture::open(&node, database, servers).await;
    let kills = size(4, 1_000);
    let mut counting: Vec<OutPoint> = Vec::new();
    // The log gets its first entry before any user is on the board.
    let mut logged = 1;
    for round in 1..=kills {
        let spent = counting.pop();
        counting.extend(fixture.round(spent).await);
        fixture.books_are_right(&counting, round).await;
        if round.is_multiple_of(10) || round == kills {
            logged = fixture.log_goes_on(logged).await;
            println!("{round} kills, {logged} entries");
        }
    }
}

struct Fixture<'n> {
    wallet: Wallet<'n>,
    database: TestDatabase,
    store: Store,
    arguments: Vec<String>,
    servers: Vec<ServerProcess>,
    /// The newest checkpoint that the test has seen.
    seen: Option<Checkpoint>,
    _log_folder: TempDir,
}

/// A user and the file they submit.
struct Sender {
    person: Person<'static>,
    file: SomePsbt,
    coin: OutPoint,
}

impl<'n> Fixture<'n> {
    async fn open(node: &'n Node, database: TestDatabase, servers: usize) -> Self {
        let log_folder = tempfile::tempdir().unwrap();
        let mut arguments = vec![
            // A kill never makes the database look like an old copy.
            format!("--published-log={}", log_folder.path().display()),
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
        Self {
            wallet: node.wallet().await,
            store: database.store().await,
            database,
            arguments,
            servers: running,
            seen: None,
            _log_folder: log_folder,
        }
    }

    /// Waits until the log has more than this many entries, and returns how many. The replica that writes the log may be killed several
    /// times before its lease passes to another one.
    async fn log_goes_on(&mut self, entries: u64) -> u64 {
        until("the next entry of the log", async || {
            self.log_has_only_grown(Vec::new()).await;
            let size = self.seen.as_ref()?.size;
            (size > entries).then_some(size)
        })
        .await
    }

    /// Sends files, spends a coin, and kills a server meanwhile. Returns the coins that count afterwards.
    async fn round(&mut self, spent: Option<OutPoint>) -> Vec<OutPoint> {
        let senders = self.senders().await;
        // The follower learns of the block while it is being killed, or afterwards.
        if let Some(coin) = spent {
            self.wallet.spend_in_block(&[coin]).await;
        }
        let doomed = rand::rng().random_range(0..self.servers.len());
        let moment = LOAD.mul_f64(rand::rng().random_range(0.0..1.0));
        let origins: Vec<String> = self.servers.iter().map(|it| it.origin.clone()).collect();
        let pairs = senders.iter().zip(origins.iter().cycle());
        let load = join_all(pairs.map(|(sender, origin)| submit(origin, sender)));
        let server = &mut self.servers[doomed];
        let kill = async {
            tokio::time::sleep(moment).await;
            server.kill();
            Instant::now()
        };
        let seen = Mutex::new(Vec::new());
        let (answers, killed) = tokio::select! {
            done = async { tokio::join!(load, kill) } => done,
            never = watch_log(&origins, &seen) => match never {},
        };
        let seen = seen.into_inner().unwrap();
        let address = self.servers[doomed].address;
        let arguments = borrowed(&self.arguments);
        self.servers[doomed] =
            ServerProcess::start_again(address, &self.database.url, &arguments).await;

        self.log_has_only_grown(seen).await;
        for (sender, sent) in senders.iter().zip(answers) {
            let before = self.proofs_of(&sender.person.id).await;
            let expected = ["success", "already-verified"];
            let (answer, expected) = match sent {
                // Every acknowledged write exists, once.
                Some(answer) => (answer, expected[usize::from(before != 1)]),
                None => {
                    let again = submit(&self.servers[0].origin, sender).await.unwrap();
                    (again, expected[usize::from(before == 1)])
                }
            };
            assert_eq!(answer.body["status"], expected, "{answer:?}");
            assert_eq!(self.proofs_of(&sender.person.id).await, 1);
            // Every session still works on every replica.
            for server in &self.servers {
                assert!(server.is_in(&sender.person.token).await);
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

    /// The log still contains everything that was seen before.
    async fn log_has_only_grown(&mut self, seen: Vec<String>) {
        let origin = &self.servers[0].origin;
        let key = crate::board_log::key(origin).await;
        let newest = crate::board_log::text(origin, "checkpoint").await;
        for note in seen.into_iter().chain([newest]) {
            let now = check::checkpoint(&note, std::slice::from_ref(&key)).unwrap();
            // Replicas may list rows in another order.
            let mut both = [self.seen.take().unwrap_or(now.clone()), now];
            both.sort_by_key(|it| it.size);
            let [before, now] = both;
            assert!(
                crate::board_log::extends(origin, &before, &now).await,
                "it has only grown"
            );
            self.seen = Some(now);
        }
    }

    /// Signed-in users, each with a signed file.
    async fn senders(&self) -> Vec<Sender> {
        let coins = [(AddressType::Bech32, COIN); SENDERS];
        let coins = self.wallet.fund_all(&coins).await;
        let sender = async |coin| Sender {
            person: self.servers[0].sign_in().await,
            file: self.wallet.proof(&[coin], true).await,
            coin,
        };
        join_all(coins.into_iter().map(sender)).await
    }

    /// Whether a coin counts for a user.
    async fn counts(&self, coin: OutPoint) -> bool {
        let spent = [coin];
        let live = Move::Next(&spent);
        let live = self.store.claims_to_look_up("regtest", live).await;
        !live.unwrap().is_empty()
    }

    async fn proofs_of(&self, user: &str) -> i64 {
        self.store.proof_count(user).await.unwrap()
    }

    /// Exactly these coins count, and the profiles show their sum.
    async fn books_are_right(&self, counting: &[OutPoint], round: u32) {
        const BOOKS: [&str; 3] = [
            "select count(*) from claims where ended_at is null",
            "select cast(coalesce(sum(value_sats), 0) as bigint) from claims where ended_at is null",
            "select cast(coalesce(sum(holdings_sats), 0) as bigint) from profiles",
        ];
        let coins = i64::try_from(counting.len()).unwrap();
        let sats = coins * COIN.to_sat().cast_signed();
        for (book, expected) in BOOKS.into_iter().zip([coins, sats, sats]) {
            let sum = number(self.store.database(), book).await;
            assert_eq!(sum, expected, "after kill {round}: {book}");
        }
    }
}

fn borrowed(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// Collects the checkpoints that servers issue.
async fn watch_log(origins: &[String], seen: &Mutex<Vec<String>>) -> Infallible {
    loop {
        for origin in origins {
            let request = http_client().get(format!("{origin}/log/checkpoint"));
            let response = request.send().await.and_then(|it| it.error_for_status());
            if let Ok(response) = response
                && let Ok(note) = response.text().await
            {
                seen.lock().unwrap().push(note);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Sends a file. `None` when the server dies before it responds.
async fn submit(origin: &str, sender: &Sender) -> Option<Answer> {
    let file = STANDARD.encode(sender.file.binary());
    let body = json!({"psbtBase64": file, "utxos": [], "file_name": "wallet.psbt"});
    let request = http_client().post(format!("{origin}{SUBMIT}"));
    let request = request.bearer_auth(&sender.person.token).json(&body);
    Answer::try_read(request.send().await.ok()?).await
}
