//! The board in memory gives the same answers as the database, for random questions after random changes.

use api::board::Board;
use api::board::memory::{Found, Row};
use api::board::refresh::NumberedBoard;
use api::jobs::JobStates;
use api::pictures;
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
    let states = Arc::new(JobStates::new(clock.clone()));
    Board::start(store.clone(), clock, &states)
}

async fn caught_up(store: &Store, board: &Board) -> Arc<NumberedBoard> {
    store.notify();
    board.catch_up().await.unwrap()
}

fn text(random: &mut StdRng, most: usize) -> String {
    let pieces = 0..random.random_range(0..=most);
    pieces.map(|_| *PIECES.choose(random).unwrap()).collect()
}

/// A user signs in, proves, loses everything or leaves.
async fn change(store: &Store, random: &mut StdRng, people: &mut Vec<String>) {
    if people.is_empty() || random.random_ratio(1, 3) {
        let providers = ["twitter", "google", "github", "mock"];
        let provider = providers.choose(random).unwrap();
        let subject = random.random_range(0..40).to_string();
        let identity = Identity {
            avatar_url: random.random_bool(0.5).then(|| text(random, 2)),
            ..called(provider, &subject, &text(random, 3))
        };
        let person = store.sign_in(&identity, NOW + random.random_range(0..5));
        let id = person.await.unwrap().id;
        if !people.contains(&id) {
            people.push(id);
        }
        return;
    }
    let index = random.random_range(0..people.len());
    let id = people[index].clone();
    // Close to tier boundaries, so that tiers change, and few, so that users tie.
    let tiers = [1_i64, 10_000_000, 100_000_000, 10_000_000_000];
    let sats = tiers.choose(random).unwrap() + random.random_range(0..3);
    let time = NOW + random.random_range(0..4);
    let set = match random.random_range(0..12) {
        0 => {
            people.remove(index);
            assert!(store.delete_profile(&id, NOW).await.unwrap());
            return;
        }
        shown @ (1 | 2) => {
            let shown = [ShownAs::Exact, ShownAs::Range][shown - 1];
            assert!(store.show_as(&id, shown, NOW).await.unwrap());
            return;
        }
        3 => "last_verified = null".to_owned(),
        4..=6 => format!("last_verified = {time}"),
        7 => "holdings_sats = null".to_owned(),
        _ => format!("holdings_sats = {sats}"),
    };
    let change = format!("update profiles set {set} where id = '{id}'");
    execute(store, change).await;
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
    let filter = BoardFilter {
        id,
        username_like,
        verified: random.random_bool(0.4).then(|| random.random_bool(0.5)),
        ..BoardFilter::default()
    };
    let (limit, offset) = (random.random_range(0..8), random.random_range(0..12));
    (filter, limit, offset)
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

/// All rows that a filter lets through. Patterns are the database's, which knows them best.
async fn from_the_database(store: &Store, filter: &BoardFilter) -> Vec<Row> {
    let mut rows = oracle::board(store).await;
    if let Some(like) = &filter.username_like {
        let like = format!("username_folded like '{}' escape '\\'", like.to_lowercase());
        let named = format!("select id from profiles where {like}");
        let named = texts(store.database(), named).await;
        rows.retain(|row| named.contains(&row.id));
    }
    rows.retain(|row| {
        let verified = row.holdings_sats.is_some();
        filter.id.as_ref().is_none_or(|id| *id == row.id)
            && filter.verified.is_none_or(|it| it == verified)
    });
    rows.iter().map(shown).collect()
}

fn everything(seen: &NumberedBoard) -> Found {
    seen.rows.find(&BoardFilter::default(), usize::MAX, 0)
}

/// Equals share a rank, the earlier proof first, and the rank after them is left out.
async fn the_board_ranks_like_a_competition(database: TestDatabase) {
    let store = database.store().await;
    let board = board(&store);
    let people = ["late 50", "small 10", "big 90", "early 50", "nothing"];
    for (number, text) in (0_u32..).zip(people) {
        let (name, sats) = text.split_once(' ').unwrap_or((text, ""));
        let user = user(&store, name).await;
        if let Ok(sats) = sats.parse() {
            let coins = [coin(number.into(), sats)];
            let proof = proof(&user, name, NOW - i64::from(number), &coins);
            record(&store, &proof).await;
        }
    }
    let found = everything(&*caught_up(&store, &board).await);
    let rows = found.rows.iter();
    let ranks = rows.map(|row| format!("{} {}", row.rank.unwrap_or(0), row.username));
    let ranks: Vec<_> = ranks.collect();
    assert_eq!(
        ranks,
        ["1 big", "2 early", "2 late", "4 small", "0 nothing"]
    );
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
        let expected = from_the_database(&store, &BoardFilter::default()).await;
        assert_eq!(everything(&seen).rows, expected, "round {round}");
        for row in &expected {
            let id = row.id.to_string();
            assert_eq!(seen.rows.profile(&id).map(|row| row.rank), Some(row.rank));
            let handle = format!("{}:{}", row.provider, row.username);
            let found = board.person("regtest", &handle).await.unwrap().unwrap();
            let known = store.profiles_named(&row.provider, &row.username).await;
            // Of several with that name, the one who proves the most.
            let most = known.unwrap().iter().map(shown_total).max();
            assert_eq!(Some(found.sats), most, "{found:?}");
        }
        for _ in 0..30 {
            let (filter, limit, offset) = question(&mut random, &people);
            let found = seen.rows.find(&filter, limit, offset);
            let all = from_the_database(&store, &filter).await;
            let (total, rows) = (all.len(), all.into_iter().skip(offset).take(limit));
            let rows = rows.collect();
            let asked = format!("round {round}: {filter:?}, {limit} from {offset}");
            assert_eq!(found, Found { rows, total }, "{asked}");
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
        let read = late.current().await.unwrap();
        assert_eq!(read.number, seen.number);
        assert_eq!(everything(&read), everything(&seen));
        assert_eq!(everything(&followed), everything(&seen));
    }
}

async fn a_replica_that_missed_too_much_reads_everything_anew(database: TestDatabase) {
    let store = database.store().await;
    let board = board(&store);
    let person = user(&store, "alice").await;
    let before = caught_up(&store, &board).await;
    assert_eq!(everything(&before).total, 1);
    // As if the log had been truncated, or a backup had been restored.
    for behind in [
        "update live_sequence set sequence = sequence + 20, forgotten = sequence + 20",
        "update live_sequence set sequence = 3, forgotten = 0",
    ] {
        store.delete_profile(&person.id, NOW).await.unwrap();
        user(&store, behind).await;
        for statement in ["delete from unsent_changes", behind] {
            execute(&store, statement).await;
        }
        let seen = everything(&*caught_up(&store, &board).await);
        let expected = from_the_database(&store, &BoardFilter::default()).await;
        assert_eq!(seen.rows, expected, "{behind}");
    }
}
