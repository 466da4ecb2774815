//! One of two boards, and the actions on it.

use std::collections::BTreeMap;

use api::history::published::Published;
use api::history::{History, Settings};
use api::jobs::Next;
use bitcoin::OutPoint;
use board_log::tree::{Hash, TileId};
use store::Database;
use store::Store;
use store::binding::Binding;
use store::claims::change::ClaimChanges;
use store::claims::{NewClaim, NewProof};
use store::follower::{Applied, Block, Move};
use store::profiles::Identity;
use store::shown_as::ShownAs;
use uuid::Uuid;

use crate::jobs::execute;
use crate::support::app::NOW;
use crate::support::prelude::*;

/// Names; everywhere here, users are indexes into this list.
pub(super) const PEOPLE: [&str; 6] = ["satoshi", "hal", "adam", "nick", "wei", "len"];

/// Another user, who looks at them.
pub(super) const VIEWER: &str = "viewer";

/// The public address of both boards, which pages and the log contain.
const SITE: &str = "http://127.0.0.1:9";

/// A network that no follower follows, so its claims stay as the test sets them.
const NETWORK: &str = "of the test";

const VALIDITY: i64 = 90 * 24 * 60 * 60;

pub(super) struct Side {
    pub(super) app: TestApp,
    history: History,
    tip: Block,
    coins: Vec<Vec<(OutPoint, i64)>>,
    made: u64,
}

/// A user's id, the same on every board.
pub(super) fn id(who: usize) -> String {
    format!("0190{who:04}-0000-7000-8000-{who:012}")
}

fn block(height: i64) -> Block {
    Block {
        height,
        hash: format!("{height:064x}"),
    }
}

impl Side {
    /// A board with all users on it, with the keys of the other board and the beginning of its log.
    pub(super) async fn new(database: TestDatabase, other: Option<&Self>) -> Self {
        let store = database.store().await;
        if let Some(other) = other {
            for (id, purpose, material) in keys(other).await {
                let key = format!("'{id}', '{purpose}', '{material}', {NOW}");
                execute(&store, format!("insert into server_keys values ({key})")).await;
            }
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
        started.expect("a database");
        if let Some(other) = other {
            begin_the_log_of(&other.app.state.store, &store).await;
        }
        store.close().await;
        let app = TestApp::start(database, &[&format!("--public-url={SITE}")]).await;
        let settings = Settings {
            site: SITE.to_owned(),
            published: Published::new(None),
            network: NETWORK,
            stands_still: false,
            witnesses: Vec::new(),
            client: crate::support::direct_client(),
            pages: BTreeMap::new(),
            salt: || [7; 32],
        };
        let history = History::load(app.state.store.clone(), app.state.clock.clone(), settings);
        Self {
            history: history.await.expect("a log"),
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
        let mut new = Vec::new();
        for sats in amounts {
            self.made += 1;
            let outpoint = format!("{:064x}:0", self.made);
            new.push((outpoint.parse().expect("an outpoint"), *sats));
        }
        self.record(who, &new).await;
        self.coins[who].extend(new);
    }

    /// Proves the same coins again.
    pub(super) async fn renew(&mut self, who: usize) {
        let coins = self.coins[who].clone();
        self.record(who, &coins).await;
    }

    async fn record(&mut self, who: usize, coins: &[(OutPoint, i64)]) {
        self.made += 1;
        let now = self.app.state.clock.now();
        let claim = |(outpoint, sats): &(OutPoint, i64)| NewClaim {
            txid: outpoint.txid.to_string(),
            vout: outpoint.vout.into(),
            value_sats: *sats,
            funding_block: block(0).hash,
            funding_height: Some(0),
        };
        let proof = NewProof {
            id: Uuid::now_v7().to_string(),
            user_id: id(who),
            tx_hash: format!("transaction {}", self.made),
            file_name: "cold.psbt".to_owned(),
            binding: Binding::Message,
            statement: None,
            mock: false,
            created_at: now,
            expires_at: now + VALIDITY,
            network: NETWORK,
            tip: self.tip.hash.clone(),
            coins: coins.iter().map(claim).collect(),
            publication: None,
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
        let outpoints: Vec<OutPoint> = gone.into_iter().map(|(outpoint, _)| outpoint).collect();
        self.follow(&outpoints).await;
        self.caught_up().await;
    }

    async fn follow(&mut self, outpoints: &[OutPoint]) {
        let store = &self.app.state.store;
        let (to, next) = (block(self.tip.height + 1), Move::Next(outpoints));
        let claims = store.claims_to_look_up(NETWORK, next).await;
        let claims = claims.expect("a database").into_iter();
        let changes = ClaimChanges {
            spent: claims.map(|claim| claim.id).collect(),
            ..ClaimChanges::default()
        };
        let now = self.app.state.clock.now();
        let moved = store.move_cursor(NETWORK, (&self.tip, &to), next, &changes, now);
        let moved = moved.await.expect("a database");
        assert_eq!(moved, Applied::Done(outpoints.len() as u64));
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
        settled.expect("a database");
        self.caught_up().await;
        while self.history.step().await.expect("it is logged") == Next::AtOnce {}
    }

    pub(super) async fn show_as(&self, who: usize, shown_as: ShownAs) {
        let (id, now) = (id(who), self.app.state.clock.now());
        let shown = self.app.state.store.show_as(&id, shown_as, now).await;
        shown.expect("a database");
        self.caught_up().await;
    }

    /// Signs a user in again, with the same name and picture.
    pub(super) async fn sign_in(&self, who: usize) {
        let identity = Identity {
            subject: PEOPLE[who].to_owned(),
            ..identity("twitter", PEOPLE[who])
        };
        let now = self.app.state.clock.now();
        let signed_in = self.app.state.store.sign_in(&identity, now).await;
        signed_in.expect("a database");
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

/// Copies the beginning of a log, and the key that signs it, into a database that has none.
async fn begin_the_log_of(other: &Store, store: &Store) {
    let mut theirs = other.hold_log().await.expect("a log");
    let mut ours = store.hold_log().await.expect("a database");
    let state = theirs.state.clone().expect("a log that has begun");
    assert_eq!(state.size, 1);
    assert!(ours.put_state(&state).await.expect("a database"));
    let key = theirs.key("log").await.expect("a database");
    let put = ours.put_key("log", &key.expect("a key"), NOW).await;
    put.expect("a database");
    // The root over one entry is its hash.
    let tile = TileId { level: 0, index: 0 };
    let mut root = Hash::default();
    hex::decode_to_slice(&state.root, &mut root).expect("a hash");
    let put = ours.put_tiles(1, vec![(tile, &[root])]).await;
    put.expect("a database");
    let entries = other.log_entries(1, 0, 1).await.expect("entries");
    let put = ours.put_entry(1, 0, &entries[0]).await;
    put.expect("a database");
    let published = ours.publish(&state, &state.checkpoint).await;
    published.expect("a database");
    ours.commit().await.expect("a database");
}

/// The keys of a server, for signing and hashing.
async fn keys(side: &Side) -> Vec<(String, String, String)> {
    let keys = "select id, purpose, material from server_keys";
    match side.app.state.store.database() {
        Database::Sqlite(pool) => sqlx::query_as(keys).fetch_all(pool).await,
        Database::Postgres(pool) => sqlx::query_as(keys).fetch_all(pool).await,
    }
    .expect("a database")
}
