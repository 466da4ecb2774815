//! One of two replicas is frozen inside a write, as by a paused machine. PostgreSQL ends its transaction, the other replica goes on, and the
//! frozen one does no harm when it wakes up.

use futures_util::future::BoxFuture;
use store::chain_cursor::Move;

use crate::parts;
use crate::support::prelude::*;

const COIN: Amount = Amount::from_sat(1_000_000);

/// The time limit for the other replica: 15 seconds, and more on a busy machine.
const GOES_ON: Duration = Duration::from_secs(20);

/// A trigger that waits while the test holds this lock.
const WAIT_IN_WRITES: &str = "create function hold() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(7);
    return case tg_op when 'DELETE' then old else new end;
end $$";

/// The writes, and the tables in whose triggers the replica is frozen.
const WRITES: &str = "
    a submission | insert on claims
    an entry of the log | insert on log_issued
    a followed block | update of height on chain_cursor
    a sign-in | insert on profiles
    a deletion | delete on profiles
    a choice of what is shown | update of shown_as on profiles
";

#[tokio::test]
async fn a_replica_frozen_in_a_write_blocks_others_for_seconds_only() {
    let node = Node::start().await;
    let mut fixture = Fixture::open(&node).await;
    for [write, event] in table(WRITES).take(size(2, 9)) {
        println!("{write}");
        fixture.freeze_inside(write, event).await;
    }
}

struct Fixture<'n> {
    wallet: Wallet<'n>,
    store: Store,
    /// Holds the lock.
    connection: PgConnection,
    servers: Vec<ServerProcess>,
    _database: TestDatabase,
}

impl<'n> Fixture<'n> {
    async fn open(node: &'n Node) -> Self {
        let database = TestDatabase::postgres().await;
        let chain = format!("--chain=bitcoind:{}", node.url());
        let mut arguments = vec![chain, "--network=regtest".to_owned()];
        arguments.push("--proof-binding=optional".to_owned());
        let mut servers = Vec::new();
        for name in ["0", "1"] {
            let mut url: Url = database.url.parse().unwrap();
            url.query_pairs_mut().append_pair("application_name", name);
            let borrowed: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let server = ServerProcess::start(url.as_str(), &borrowed).await;
            arguments.push(format!("--public-url={}", server.origin));
            servers.push(server);
        }
        let store = database.store().await;
        execute(&store, WAIT_IN_WRITES).await;
        Self {
            wallet: node.wallet().await,
            store,
            connection: PgConnection::connect(&database.url).await.unwrap(),
            servers,
            _database: database,
        }
    }

    async fn run(&mut self, sql: &str) {
        let sql = sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()));
        sql.execute(&mut self.connection).await.unwrap();
    }

    /// The replica with a session in this state.
    async fn replica(&mut self, state: &str) -> usize {
        until(state, async || {
            let session = format!(
                "select application_name from pg_stat_activity
                where datname = current_database() and application_name in ('0', '1') and {state} limit 1"
            );
            texts(self.store.database(), session).await.pop()
        })
        .await
        .parse()
        .unwrap()
    }

    async fn freeze_inside(&mut self, write: &str, event: &str) {
        let person = self.servers[0].sign_in().await;
        let spent = self.proven(0, &person).await;
        let coin = self.wallet.fund(AddressType::Bech32, COIN).await;
        let file = self.wallet.proof(&[coin], true).await;
        self.run(&format!(
            "create trigger hold before {event} for each row execute function hold()"
        ))
        .await;
        self.run("select pg_advisory_lock(7)").await;
        let (origin, token) = (self.servers[0].origin.clone(), person.token.clone());
        let id = person.id.clone();
        let work: BoxFuture<'static, ()> = match write {
            "a submission" => async move { drop(submit(&origin, &token, &file).await) }.boxed(),
            "a deletion" => async move { drop(delete(&origin, &token).await) }.boxed(),
            "a choice of what is shown" => async move {
                let row = format!("{origin}/api/rest/v1/profiles?id=eq.{id}");
                let row = http_client().patch(row).bearer_auth(&token);
                drop(row.json(&json!({"shown_as": "range"})).send().await);
            }
            .boxed(),
            "a sign-in" => async move {
                let challenge = challenge(&verifier());
                let url = format!(
                    "{origin}/api/auth/v1/authorize?provider=mock&code_challenge={challenge}&code_challenge_method=s256"
                );
                drop(direct_client().get(url).send().await);
            }
            .boxed(),
            _ => {
                self.wallet.spend_in_block(&[spent]).await;
                async {}.boxed()
            }
        };
        let working = tokio::spawn(work);
        let frozen = self.replica("wait_event = 'advisory'").await;
        self.servers[frozen].signal("STOP");
        let begun = Instant::now();
        self.run("select pg_advisory_unlock(7)").await;
        self.replica("state = 'idle in transaction'").await;

        // Sends every kind of request to the other replica, which may have to wait for locks of the frozen one.
        let other = 1 - frozen;
        let before = self.entries().await;
        let eve = self.servers[other].sign_in().await;
        let coin = self.wallet.fund(AddressType::Bech32, COIN).await;
        let proof = self.wallet.proof(&[coin], true).await.binary();
        let (here, site) = (&self.servers[other].origin, &self.servers[0].origin);
        let seen = parts::seen(here, site, (&eve.token, &proof)).await;
        parts::is_on_the_page("a replica is frozen inside a write", &seen);
        let kept = self.proven(other, &eve).await;
        if !write.contains("block") && !write.contains("log") {
            self.wallet.spend_in_block(&[spent]).await;
        }
        wait_until("the spent coin", async || !self.counts(spent).await).await;
        let deleted = delete(&self.servers[other].origin, &person.token).await;
        assert!(deleted.is_some_and(|it| it.status.is_success()), "{write}");
        let grown = async || self.entries().await > before;
        wait_until("an entry of the log", grown).await;
        let took = begun.elapsed();
        assert!(took < GOES_ON, "{write}: {took:?}");

        self.servers[frozen].signal("CONT");
        working.await.unwrap();
        self.servers[frozen].answers().await;
        assert!(self.counts(kept).await, "{write}");
        assert!(!self.counts(spent).await, "{write}");
        // Both go on with one log and one board.
        for server in &self.servers {
            assert!(server.is_in(&eve.token).await, "{write}");
            assert!(!server.is_in(&person.token).await, "{write}");
        }
        let sums = "select coalesce(sum(holdings_sats), 0) - (select coalesce(sum(value_sats), 0)
            from claims where ended_at is null) from profiles";
        let sums = format!("cast(({sums}) as bigint)");
        let is_right = async || number(self.store.database(), format!("select {sums}")).await == 0;
        wait_until("the sums", is_right).await;
        let table = event.rsplit(' ').next().unwrap();
        self.run(&format!("drop trigger hold on {table}")).await;
    }

    /// A new coin that this user proves at a replica.
    async fn proven(&self, server: usize, person: &Person<'_>) -> OutPoint {
        let coin = self.wallet.fund(AddressType::Bech32, COIN).await;
        let file = self.wallet.proof(&[coin], true).await;
        let origin = &self.servers[server].origin;
        until("a proof", async || {
            let answer = submit(origin, &person.token, &file).await?;
            (answer.body["status"] == "success").then_some(())
        })
        .await;
        coin
    }

    async fn counts(&self, coin: OutPoint) -> bool {
        let spent = [coin];
        let live = Move::Next(&spent);
        let live = self.store.claims_to_look_up("regtest", live).await;
        !live.unwrap().is_empty()
    }

    async fn entries(&self) -> i64 {
        number(self.store.database(), "select size from log_issued").await
    }
}

async fn submit(origin: &str, token: &str, file: &SomePsbt) -> Option<Answer> {
    let body = json!({"psbtBase64": STANDARD.encode(file.binary()), "utxos": [], "file_name": "wallet.psbt"});
    let request = http_client().post(format!("{origin}{SUBMIT}"));
    let request = request.bearer_auth(token).json(&body);
    Answer::try_read(request.send().await.ok()?).await
}

async fn delete(origin: &str, token: &str) -> Option<Answer> {
    let request = http_client().post(format!("{origin}/api/functions/v1/delete-account"));
    let request = request.bearer_auth(token).json(&json!({}));
    Answer::try_read(request.send().await.ok()?).await
}
