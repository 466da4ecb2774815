//! One of two boards, and the actions on it.

use api::board_log::folder::Folder;
use api::board_log::{BoardLog, Settings};
use store::chain_cursor::Move;

use crate::store::aside::block;
use crate::support::prelude::*;

/// Names; everywhere here, users are indexes into this list.
pub(super) const PEOPLE: [&str; 6] = ["satoshi", "hal", "adam", "nick", "wei", "len"];

/// Another user, who looks at them.
pub(super) const VIEWER: &str = "viewer";

/// The public address of both boards, which pages and the log contain.
const SITE: &str = "http://127.0.0.1:9";

/// A network that no follower follows, so its claims stay as the test sets them.
const NETWORK: &str = "of the test";

pub(super) struct Side {
    pub(super) app: TestApp,
    board_log: BoardLog,
    tip: Block,
    /// The coins of each user: number and sats.
    coins: Vec<Vec<(u64, i64)>>,
    made: u64,
}

/// A user's id, the same on every board.
pub(super) fn id(who: usize) -> String {
    format!("0190{who:04}-0000-7000-8000-{who:012}")
}

impl Side {
    /// A board with all users on it, with the keys of the other board and the beginning of its log.
    pub(super) async fn new(database: TestDatabase, other: Option<&Self>) -> Self {
        let store = database.store().await;
        if let Some(other) = other {
            begin_like(&other.app.state.store, &store).await;
        }
        for (who, name) in PEOPLE.into_iter().chain([VIEWER]).enumerate() {
            let id = id(who);
            let profile = format!(
                "insert into profiles (id, provider, subject, username, username_folded, named, created_at, updated_at)
                 values ('{id}', 'twitter', '{name}', '{name}', '{name}', true, {NOW}, {NOW})"
            );
            execute(&store, profile).await;
        }
        let tip = block(1);
        let started = store.start_following(NETWORK, &tip).await;
        started.unwrap();
        store.close().await;
        let app = TestApp::start(database, &[&format!("--public-url={SITE}")]).await;
        let settings = Settings {
            site: SITE.to_owned(),
            folder: Folder::default(),
            network: NETWORK,
            stands_still: false,
            witnesses: Vec::new(),
            client: direct_client(),
            pages: BTreeMap::new(),
            salt: || [7; 32],
        };
        let board_log = BoardLog::load(app.state.store.clone(), app.state.clock.clone(), settings);
        Self {
            board_log: board_log.await.unwrap(),
            app,
            tip,
            coins: vec![Vec::new(); PEOPLE.len()],
            made: 0,
        }
    }

    /// What a user holds, in sats; `None` for nothing.
    pub(super) fn total(&self, who: usize) -> Option<i64> {
        let coins = self.coins[who].iter();
        Some(coins.map(|(_, sats)| sats).sum()).filter(|sats| *sats > 0)
    }

    /// Proves further coins.
    pub(super) async fn prove(&mut self, who: usize, amounts: &[i64]) {
        let new = (self.made + 1..).zip(amounts.iter().copied());
        let new: Vec<_> = new.collect();
        self.made += u64::try_from(new.len()).unwrap();
        self.record(who, &new).await;
        self.coins[who].extend(new);
    }

    /// Proves the same coins again.
    pub(super) async fn renew(&mut self, who: usize) {
        let coins = self.coins[who].clone();
        self.record(who, &coins).await;
    }

    async fn record(&mut self, who: usize, coins: &[(u64, i64)]) {
        self.made += 1;
        let now = self.app.state.clock.now();
        let coins = coins.iter().map(|(coin, sats)| claim(*coin, *sats));
        let coins: Vec<NewClaim> = coins.collect();
        let transaction = format!("transaction {}", self.made);
        let proof = NewProof {
            binding: Binding::Message,
            network: NETWORK,
            ..proof_at(&self.tip.hash, &id(who), &transaction, now, &coins)
        };
        let recorded = self.app.state.store.record(&proof).await;
        recorded.expect("it is recorded");
        self.caught_up().await;
    }

    /// Mines a block that spends some of a user's coins.
    pub(super) async fn spend(&mut self, who: usize, mut spent: impl FnMut(i64) -> bool) {
        let coins = std::mem::take(&mut self.coins[who]);
        let (gone, kept): (Vec<_>, Vec<_>) = coins.into_iter().partition(|(_, sats)| spent(*sats));
        self.coins[who] = kept;
        let outpoint = |(coin, _)| format!("{coin:064x}:0").parse().unwrap();
        let outpoints: Vec<OutPoint> = gone.into_iter().map(outpoint).collect();
        self.follow(&outpoints).await;
        self.caught_up().await;
    }

    async fn follow(&mut self, outpoints: &[OutPoint]) {
        let store = &self.app.state.store;
        let (to, next) = (block(self.tip.height + 1), Move::Next(outpoints));
        let claims = store.claims_to_look_up(NETWORK, next).await.unwrap();
        let changes = ClaimChanges {
            spent: claims.into_iter().map(|claim| claim.id).collect(),
            ..ClaimChanges::default()
        };
        let now = self.app.state.clock.now();
        let moved = store.move_cursor(NETWORK, (&self.tip, &to), next, &changes, now);
        let moved = moved.await.unwrap();
        assert_eq!(moved, Some(outpoints.len() as u64));
        self.tip = to;
    }

    pub(super) fn height(&self) -> i64 {
        self.tip.height
    }

    /// Adds blocks up to this height, in which nothing is spent; then the log records what the board shows.
    pub(super) async fn log_at(&mut self, height: i64) {
        while self.tip.height < height {
            self.follow(&[]).await;
        }
        // Expired proofs end in their own change on both boards, and not together with the next one.
        let settled = self.app.state.board.settle().await;
        settled.unwrap();
        self.caught_up().await;
        while self.board_log.step().await.unwrap() == Next::AtOnce {}
    }

    pub(super) async fn show_as(&self, who: usize, shown_as: ShownAs) {
        self.app.show_as(&id(who), shown_as).await;
        self.caught_up().await;
    }

    /// Signs a user in again, with the same name and picture.
    pub(super) async fn sign_in(&self, who: usize) {
        sign_in(&self.app.state, "twitter", PEOPLE[who], None).await;
        self.caught_up().await;
    }

    /// Writes what the daily re-verification writes, and first the payment.
    pub(super) async fn reverify(&self, who: usize) {
        let (id, now) = (id(who), self.app.state.clock.now());
        let reverified = format!(
            "update profiles set tier = 'premium', updated_at = {now}, last_auto_reverify = {now}, last_verified = {now}
             where id = '{id}'"
        );
        execute(&self.app.state.store, reverified).await;
        self.app.state.store.notify();
        self.caught_up().await;
    }

    /// Forgets a user's coins, once all their proofs have ended.
    pub(super) fn forget(&mut self, who: usize) {
        self.coins[who].clear();
    }

    pub(super) async fn caught_up(&self) {
        self.app.state.board.catch_up().await.expect("a board");
    }
}

/// Tables with the keys of a server, for signing and hashing, and with the beginning of a log.
const BEGUN: &str = "server_keys log_state log_entries log_issued";

/// Copies them into a database that has none.
async fn begin_like(other: &Store, store: &Store) {
    let mut begun = columns(other.database()).await;
    begun.retain(|column| BEGUN.split(' ').any(|table| column.table == table));
    let rows = contents(other.database(), &begun).await;
    assert_eq!(rows["log_entries"].len(), 1, "it has only begun");
    for (table, rows) in rows {
        let names = begun.iter().filter(|column| column.table == table);
        let names: Vec<&str> = names.map(|column| &*column.name).collect();
        let names = names.join(", ");
        for row in rows {
            let values = row.replace('\'', "''").replace('|', "', '");
            let values = format!("'{values}'").replace("'(null)'", "null");
            let row = format!("insert into {table} ({names}) values ({values})");
            execute(store, row).await;
        }
    }
}
