//! The board in memory gives the same answers as the database, for random questions after random changes.

use api::board::Board;
use api::board::keeper::BoardSnapshot;
use api::board::memory::{Found, Row};
use api::jobs::JobStates;
use api::pictures;
use api::price::Price;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::*;
use crate::support::oracle::BoardRow;

on_both!(
    the_board_ranks_like_a_competition,
    random_boards_answer_random_questions_like_the_database,
    replicas_that_have_seen_the_same_changes_have_the_same_board,
    a_replica_that_missed_too_much_reads_everything_anew,
);

/// The alphabet of names and patterns.
const PIECES: [&str; 12] = [
    "a", "B", "ab", "Sato", "_", "%", "\\", "1", "Ö", "ẞ", "東", "user_",
];

fn board(store: &Store) -> Board {
    let clock = Clock::manual(NOW);
    let price = Price::new(Vec::new(), None, http_client(), clock.clone());
    let states = Arc::new(JobStates::new(clock.clone()));
    Board::start((store.clone(), clock, Arc::new(price)), &states)
}

async fn caught_up(store: &Store, board: &Board) -> Arc<BoardSnapshot> {
    store.notify();
    board.catch_up().await.unwrap()
}

fn text(random: &mut StdRng, most: usize) -> String {
    let pieces = random.random_range(0..=most);
    (0..pieces)
        .filter_map(|_| PIECES.choose(random).copied())
        .collect()
}

async fn set(store: &Store, id: &str, column: &str, value: Option<i64>) {
    let value = value.map_or_else(|| "null".to_owned(), |value| value.to_string());
    let change = format!("update profiles set {column} = {value} where id = '{id}'");
    run(store.database(), change).await.unwrap();
}

/// A user signs in, proves, loses everything or leaves.
async fn change(store: &Store, random: &mut StdRng, people: &mut Vec<String>) {
    if people.is_empty() || random.random_ratio(1, 3) {
        let providers = ["twitter", "google", "github", "mock"];
        let identity = Identity {
            avatar_url: random.random_bool(0.5).then(|| text(random, 2)),
            ..called(
                providers.choose(random).unwrap(),
                &random.random_range(0..40).to_string(),
                &text(random, 3),
            )
        };
        let person = store.sign_in(&identity, NOW + random.random_range(0..5));
        let id = person.await.unwrap().id;
        if !people.contains(&id) {
            people.push(id);
        }
        return;
    }
    let index = random.random_range(0..people.len());
    let id = &people[index];
    // Close to tier boundaries, so that tiers change, and few, so that users tie.
    let tiers = [1, 10_000_000, 100_000_000, 10_000_000_000];
    let sats = random
        .random_bool(0.8)
        .then(|| tiers.choose(random).unwrap() + random.random_range(0..3));
    let time = random
        .random_bool(0.8)
        .then(|| NOW + random.random_range(0..4));
    match random.random_range(0..10) {
        0 => {
            store.delete_profile(id).await.unwrap();
            people.remove(index);
        }
        1..=3 => set(store, id, "last_verified", time).await,
        4 | 5 => {
            let shown = [ShownAs::Exact, ShownAs::Range];
            let shown = *shown.choose(random).unwrap();
            store.show_as(id, shown, NOW).await.unwrap();
        }
        _ => {
            set(store, id, "holdings_sats", sats).await;
        }
    }
}

fn question(random: &mut StdRng, people: &[String]) -> (BoardFilter, usize, usize) {
    let id = match random.random_range(0..8) {
        0 => people.choose(random).cloned(),
        1 => Some(text(random, 2)),
        _ => None,
    };
    let username_like = random.random_bool(0.7).then(|| {
        let text = text(random, 3);
        // PostgreSQL rejects a pattern that ends within an escape.
        let slashes = text.len() - text.trim_end_matches('\\').len();
        let text = if slashes % 2 == 1 { text + "%" } else { text };
        match random.random_range(0..3) {
            0 => text,
            1 => format!("%{text}%"),
            _ => format!("{text}%"),
        }
    });
    let verified = random.random_bool(0.4).then(|| random.random_bool(0.5));
    let filter = BoardFilter {
        id,
        username_like,
        verified,
        ..BoardFilter::default()
    };
    (
        filter,
        random.random_range(0..8),
        random.random_range(0..12),
    )
}

fn shown(row: &BoardRow) -> Row {
    Row {
        id: row.id.parse().unwrap(),
        provider: row.provider.as_str().into(),
        username: row.username.clone(),
        picture: pictures::version(row.avatar_url.as_deref()),
        shown_as: row.shown_as,
        holdings_sats: row.holdings_sats,
        published_sats: row.published_sats,
        rank: row.rank,
        last_verified: row.last_verified,
        updated_at: row.updated_at,
    }
}

/// The public amount of a total, as the board orders it.
fn shown_total(profile: &Profile) -> Option<i64> {
    match (profile.holdings_sats?, profile.shown_as) {
        (sats, ShownAs::Exact) => Some(sats),
        (sats, ShownAs::Range) => Some(crate::ranges::TIERS[crate::ranges::tier(sats)]),
    }
}

async fn from_the_database(
    store: &Store,
    filter: &BoardFilter,
    limit: usize,
    offset: usize,
) -> Found {
    let count = |count| i64::try_from(count).unwrap();
    let rows = oracle::board(store, filter, count(limit), count(offset)).await;
    let total = oracle::board_count(store, filter).await;
    Found {
        rows: rows.iter().map(shown).collect(),
        total: usize::try_from(total).unwrap(),
    }
}

fn everything(seen: &BoardSnapshot) -> Found {
    seen.board.find(&BoardFilter::default(), usize::MAX, 0)
}

async fn the_board_ranks_like_a_competition(database: TestDatabase) {
    let store = database.store().await;
    let board = board(&store);
    // Later numbers prove earlier, so that `tie_early` comes before `tie_late`.
    for (number, name, sats) in [
        (1, "small", 10),
        (2, "tie_late", 50),
        (3, "big", 90),
        (4, "tie_early", 50),
    ] {
        let user = user(&store, name).await;
        let time = NOW - i64::try_from(number).unwrap();
        record(&store, &proof(&user, name, time, &[coin(number, sats)])).await;
    }
    user(&store, "nothing").await;
    let seen = caught_up(&store, &board).await;
    let found = everything(&seen);
    let rows = found.rows.iter();
    let ranks: Vec<_> = rows.map(|row| (row.username.as_str(), row.rank)).collect();
    let expected = [
        ("big", Some(1)),
        ("tie_early", Some(2)),
        ("tie_late", Some(2)),
        ("small", Some(4)),
        ("nothing", None),
    ];
    assert_eq!(ranks, expected);
}

async fn random_boards_answer_random_questions_like_the_database(database: TestDatabase) {
    let store = database.store().await;
    let board = board(&store);
    let mut random = StdRng::seed_from_u64(17);
    let mut people = Vec::new();
    for round in 0..25 {
        for _ in 0..random.random_range(0..8) {
            change(&store, &mut random, &mut people).await;
        }
        let seen = caught_up(&store, &board).await;
        let whole = BoardFilter::default();
        let expected = from_the_database(&store, &whole, 1_000, 0).await;
        assert_eq!(everything(&seen), expected, "round {round}");
        for row in &expected.rows {
            let id = row.id.to_string();
            assert_eq!(seen.board.profile(&id).map(|row| row.rank), Some(row.rank));
            let handle = format!("{}:{}", row.provider, row.username);
            let found = board.person(&handle).await.unwrap().unwrap();
            let known = store.profiles_named(&row.provider, &row.username).await;
            // Of several with that name, the one who proves the most.
            let most = known.unwrap().iter().map(shown_total).max();
            assert_eq!(Some(found.row.sats), most, "{found:?}");
        }
        for _ in 0..30 {
            let (filter, limit, offset) = question(&mut random, &people);
            assert_eq!(
                seen.board.find(&filter, limit, offset),
                from_the_database(&store, &filter, limit, offset).await,
                "round {round}: {filter:?}, {limit} from {offset}"
            );
        }
    }
}

async fn replicas_that_have_seen_the_same_changes_have_the_same_board(database: TestDatabase) {
    let (store, other) = (database.store().await, database.store().await);
    let (mine, follower) = (board(&store), board(&other));
    let mut random = StdRng::seed_from_u64(4);
    let mut people = Vec::new();
    for _ in 0..10 {
        for _ in 0..5 {
            change(&store, &mut random, &mut people).await;
        }
        let seen = caught_up(&store, &mine).await;
        let followed = until("following", async || {
            let followed = caught_up(&other, &follower).await;
            (followed.number == seen.number).then_some(followed)
        })
        .await;
        let late = board(&database.store().await);
        let read = late.snapshot().await.unwrap();
        assert_eq!(
            (read.number, everything(&read)),
            (seen.number, everything(&seen))
        );
        assert_eq!(everything(&followed), everything(&seen));
    }
}

async fn a_replica_that_missed_too_much_reads_everything_anew(database: TestDatabase) {
    let store = database.store().await;
    let board = board(&store);
    let person = user(&store, "alice").await;
    let before = caught_up(&store, &board).await;
    assert_eq!(everything(&before).total, 1);
    // As if the log had been truncated, written by an earlier release, or a backup had been restored.
    for behind in [
        "update live_sequence set sequence = sequence + 20, logged = logged + 20, forgotten = sequence + 20",
        "update live_sequence set sequence = sequence + 1",
        "update live_sequence set sequence = 3, logged = 3, forgotten = 0",
    ] {
        store.delete_profile(&person.id).await.unwrap();
        user(&store, behind).await;
        for statement in ["delete from unsent_changes", behind] {
            run(store.database(), statement).await.unwrap();
        }
        let seen = caught_up(&store, &board).await;
        assert_eq!(
            everything(&seen),
            from_the_database(&store, &BoardFilter::default(), 10, 0).await,
            "{behind}"
        );
    }
}
