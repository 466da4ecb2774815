//! Nothing public reveals more of a total shown as a range than its tier (decisions, D17): two boards that differ only in
//! hidden data, and in the times of its changes, give the same responses at every public address, byte for byte.

use std::sync::LazyLock;

use board_log::tiers::{self, amount_words};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

mod addresses;
mod side;

use addresses::Asked;
use side::{PEOPLE, Side};

use crate::support::prelude::*;

on_both!(
    boards_that_differ_only_in_hidden_totals_look_the_same,
    every_stated_state_is_in_the_database,
    showing_a_range_applies_at_once_and_the_owner_sees_the_total,
);

/// Where tiers begin, in sats, and an amount above any real one.
pub(crate) static TIERS: LazyLock<Vec<i64>> = LazyLock::new(|| {
    let begins = tiers::TIERS.iter().rev().map(|tier| tier.sats);
    begins.chain([3 * tiers::TIERS[0].sats]).collect()
});

/// The number of visible actions, unless `RANGES` sets another.
const STEPS: u32 = 6;

fn steps() -> u32 {
    std::env::var("RANGES").map_or(STEPS, |steps| steps.parse().unwrap())
}

/// The index of a total's tier in [`TIERS`].
pub(crate) fn tier(sats: i64) -> usize {
    TIERS.iter().rposition(|from| sats >= *from).unwrap_or(0)
}

/// An action of a user that everyone may see.
#[derive(Clone, Copy, Debug)]
enum Seen {
    /// Proves more, up to a random amount in this tier.
    Reach(usize),
    /// Spends every coin.
    Lose,
    /// Chooses a range.
    Hide,
}

/// Two boards with the same public data.
struct Pair {
    sides: [Side; 2],
    random: StdRng,
    hidden: [bool; PEOPLE.len()],
}

impl Pair {
    async fn new(database: TestDatabase, seed: u64) -> Self {
        let another = database.alike().await;
        let first = Side::new(database, None).await;
        let second = Side::new(another, Some(&first)).await;
        Self {
            sides: [first, second],
            random: StdRng::seed_from_u64(seed),
            hidden: [false; PEOPLE.len()],
        }
    }

    async fn step(&mut self) -> (usize, Seen) {
        let who = self.random.random_range(0..PEOPLE.len());
        let now = self.sides[0].total(who).map_or(0, tier);
        let seen = match self.random.random_range(0..6) {
            0 if !self.hidden[who] => Seen::Hide,
            1 if self.sides[0].total(who).is_some() => Seen::Lose,
            _ => Seen::Reach(self.random.random_range(now..TIERS.len() - 1)),
        };
        self.see(who, seen).await;
        (who, seen)
    }

    async fn see(&mut self, who: usize, seen: Seen) {
        let shared = self.random.random();
        for side in &mut self.sides {
            // The owner sees the amount even where it is hidden.
            let seed = match self.hidden[who] {
                true => self.random.random(),
                false => shared,
            };
            let mut random = StdRng::seed_from_u64(seed);
            match seen {
                Seen::Reach(tier) => {
                    let held = side.total(who).unwrap_or(0);
                    let least = TIERS[tier].max(held + 1);
                    let total = random.random_range(least..TIERS[tier + 1].max(least + 1));
                    side.prove(who, &parts(total - held, &mut random)).await;
                }
                Seen::Lose => side.spend(who, |_| true).await,
                Seen::Hide => side.show_as(who, ShownAs::Range).await,
            }
        }
        self.hidden[who] |= matches!(seen, Seen::Hide);
    }

    /// Time passes, and hidden data changes at different times on the two boards.
    async fn hidden_changes(&mut self) {
        for turn in 0..2 {
            // No proof expires before the others.
            let longest = 80 * DAY / (2 * i64::from(steps()));
            let pause = self.random.random_range(1..longest.min(2 * DAY));
            for side in &self.sides {
                side.app.state.clock.advance(pause);
            }
            for who in 0..PEOPLE.len() {
                if self.hidden[who] && self.random.random_bool(0.7) {
                    let seed = self.random.random();
                    change_within_tier(&mut self.sides[turn], who, seed).await;
                }
            }
        }
    }

    /// Adds a block to both boards, at which the log records what is shown.
    async fn log(&mut self) {
        let height = self.sides.iter().map(Side::height).max().unwrap_or(0) + 1;
        for side in &mut self.sides {
            side.log_at(height).await;
        }
    }

    /// Compares all responses of both boards at every address.
    async fn compare(&mut self, what: &str) {
        self.log().await;
        let first = addresses::ask_everything(&self.sides[0]).await;
        let second = addresses::ask_everything(&self.sides[1]).await;
        for ((asked, first), (_, second)) in first.iter().zip(&second) {
            let mut lines = first.lines().zip(second.lines());
            let differ = lines.find(|(here, there)| here != there);
            let apart = format!("{what}: {asked:?} tells two totals of one tier apart");
            assert!(first == second, "{apart}: {differ:?}");
        }
    }
}

/// An amount as a few coins.
fn parts(mut sats: i64, random: &mut StdRng) -> Vec<i64> {
    let mut parts = Vec::new();
    while parts.len() < 2 && sats > 1 {
        let part = random.random_range(1..sats);
        parts.push(part);
        sats -= part;
    }
    parts.push(sats);
    parts
}

/// A change to one user that no other user may notice.
async fn change_within_tier(side: &mut Side, who: usize, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let Some(total) = side.total(who) else {
        return side.sign_in(who).await;
    };
    let (begins, ends) = (TIERS[tier(total)], TIERS[tier(total) + 1]);
    match random.random_range(0..5) {
        0 => side.renew(who).await,
        1 => side.reverify(who).await,
        2 => side.sign_in(who).await,
        3 => {
            let mut spare = total - begins;
            let fits = |sats: i64| {
                let spent = sats <= spare;
                spare -= if spent { sats } else { 0 };
                spent
            };
            side.spend(who, fits).await;
        }
        _ if total + 1 < ends => {
            let more = random.random_range(1..ends - total);
            side.prove(who, &parts(more, &mut random)).await;
        }
        _ => {}
    }
}

async fn boards_that_differ_only_in_hidden_totals_look_the_same(database: TestDatabase) {
    let mut pair = Pair::new(database, 18).await;
    // The first three begin with a range, the others at random.
    for who in 0..3 {
        pair.see(who, Seen::Hide).await;
        pair.see(who, Seen::Reach(who * 2)).await;
    }
    pair.compare("at first").await;
    for _ in 0..steps() {
        pair.hidden_changes().await;
        pair.compare("after hidden changes").await;
        let (who, seen) = pair.step().await;
        pair.compare(&format!("after {seen:?} of {}", PEOPLE[who]))
            .await;
    }
    let [first, second] = &pair.sides;
    let differs = |who: &usize| first.total(*who) != second.total(*who);
    let differ: Vec<usize> = (0..PEOPLE.len()).filter(differs).collect();
    assert!(differ.len() > 1, "nothing is hidden");
    // All proofs expire together.
    for side in &mut pair.sides {
        side.app.state.clock.advance(200 * DAY);
    }
    pair.compare("when everything is over").await;
    for side in &mut pair.sides {
        for who in &differ {
            side.forget(*who);
            side.prove(*who, &[150_000_000]).await;
        }
    }
    pair.compare("after a restart").await;
    // The comparison notices a real difference, in the log as well.
    pair.sides[1].prove(differ[0], &[1_000_000_000]).await;
    pair.log().await;
    let [first, second] = &pair.sides;
    for target in [
        "/api/rest/v1/profiles?select=username,bitcoin_holdings",
        "/log/checkpoint",
    ] {
        let asked = Asked::visitor(target);
        assert_ne!(asked.ask(first, "").await, asked.ask(second, "").await);
    }
}

/// The generated column of the schema and the list of tiers say the same around every boundary.
async fn every_stated_state_is_in_the_database(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let holder = sign_in(&app.state, "twitter", "satoshi", None).await;
    app.show_as(&holder.id, ShownAs::Range).await;
    let around = TIERS.iter().map(|begins| [begins - 1, *begins, begins + 1]);
    for sats in around.flatten().skip(1) {
        prove(&app.state, &holder, sats).await;
        let seen = app.state.board.current().await.expect("a board");
        let row = seen.rows.profile(&holder.id).unwrap();
        let shown = row.holdings_sats.expect("something proven");
        // The last one begins no tier.
        let expected = TIERS[tier(sats).min(TIERS.len() - 2)];
        assert_eq!((shown, row.shown_as), (expected, ShownAs::Range), "{sats}");
        assert_eq!((row.last_verified, row.rank), (None, Some(1)));
        let [here, there] = [sats, shown].map(|it| amount_words(Some(it), true));
        assert_eq!(here, there);
    }
}

async fn showing_a_range_applies_at_once_and_the_owner_sees_the_total(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let more = sign_in(&app.state, "twitter", "more", None).await;
    prove(&app.state, &more, 100_000_001).await;
    let owner = app.sign_in().await;
    let holder = app.state.store.profile(&owner.id).await.unwrap();
    prove(&app.state, &holder.unwrap(), 250_000_000).await;

    let path = owner.row();
    let picked = |row: &Value| ["bitcoin_holdings", "rank", "shown_as"].map(|it| row[it].clone());
    let row = async || app.get(&path).await.body[0].take();
    let choose = async |how: &str| owner.change(json!({ "shown_as": how })).await.status;
    let exact = row().await;
    assert_eq!(picked(&exact), [json!(2.5), json!(1), json!("exact")]);
    assert_eq!(choose("everything").await, StatusCode::BAD_REQUEST);
    assert_eq!(row().await, exact);

    app.state.clock.advance(7);
    assert_eq!(choose("range").await, StatusCode::NO_CONTENT);
    // The board includes the change as soon as the response arrives.
    let shown = answer(app.request(Method::GET, &path)).await.body[0].take();
    assert_eq!(picked(&shown), [json!(1.0), json!(2), json!("range")]);
    assert_eq!(shown["last_verified"], Value::Null);
    let own = owner.profile().await;
    assert_eq!(picked(&own), [json!(2.5), json!(2), json!("range")]);
    assert_eq!(own["last_verified"], exact["last_verified"]);
    let copy = owner.get("/api/functions/v1/export-account").await.body;
    assert_eq!(copy["account"]["shown_as"], "range");
    assert_eq!(copy["account"]["holdings_sats"], 250_000_000);

    // Other users cannot choose for this one.
    let other = app.sign_in().await;
    let change = json!({"shown_as": "exact"});
    let refused = answer(other.request(Method::PATCH, &path).json(&change)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(row().await["shown_as"], "range");

    let upsert = json!({"id": owner.id, "username": "x", "shown_as": "exact"});
    let upserted = owner.post("/api/rest/v1/profiles?on_conflict=id", upsert);
    assert_eq!(upserted.await.status, StatusCode::CREATED);
    let again = row().await;
    assert_eq!(picked(&again), picked(&exact));
    assert_eq!(again["last_verified"], exact["last_verified"]);
}
