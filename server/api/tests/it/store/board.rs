//! The ranking, and searching it, in fixed cases. `memory.rs` compares the board in memory with the database.

use api::board::memory::BoardFilter;

use super::*;
use crate::support::oracle;

on_both!(
    the_board_ranks_like_a_competition,
    the_board_is_searched_and_paged,
);

async fn the_board_ranks_like_a_competition(database: TestDatabase) {
    let store = database.store().await;
    // Later numbers prove earlier, so that `tie_early` comes before `tie_late`.
    for (number, name, sats) in [
        (1, "small", 10),
        (2, "tie_late", 50),
        (3, "big", 90),
        (4, "tie_early", 50),
    ] {
        let user = user(&store, name).await;
        let time = NOW - i64::from(number);
        record(&store, &proof(&user, name, time, &[coin(number, sats)])).await;
    }
    user(&store, "nothing").await;
    let rows = oracle::board(&store, &BoardFilter::EVERYBODY, 100, 0).await;
    let seen: Vec<_> = rows
        .iter()
        .map(|row| (row.username.as_str(), row.rank))
        .collect();
    let expected = [
        ("big", Some(1)),
        ("tie_early", Some(2)),
        ("tie_late", Some(2)),
        ("small", Some(4)),
        ("nothing", None),
    ];
    assert_eq!(seen, expected);
    for row in &rows {
        assert_eq!(oracle::rank(&store, &row.id).await, row.rank, "{row:?}");
    }
}

async fn the_board_is_searched_and_paged(database: TestDatabase) {
    let store = database.store().await;
    let mut ids = Vec::new();
    for (number, name) in (0..).zip(["Alice", "ALIX", "bob_100%", "bobby", "Ölrich"]) {
        let user = user(&store, name).await;
        if number < 3 {
            proves(&store, &user, name, &[(number, 100 - i64::from(number))]).await;
        }
        ids.push(user.id);
    }
    let all = BoardFilter::EVERYBODY;
    let like = |pattern: &str| BoardFilter {
        username_like: Some(pattern.to_owned()),
        ..all.clone()
    };
    let verified = |verified| BoardFilter {
        verified: Some(verified),
        ..all.clone()
    };
    let one = BoardFilter {
        id: Some(ids[0].clone()),
        ..all.clone()
    };
    for (filter, limit, offset, expected) in [
        (like("%LI%"), 10, 0, &["Alice", "ALIX"][..]),
        (like("%öL%"), 10, 0, &["Ölrich"]),
        (like("%100\\%%"), 10, 0, &["bob_100%"]),
        (verified(true), 2, 1, &["ALIX", "bob_100%"]),
        (one, 10, 0, &["Alice"]),
    ] {
        let rows = oracle::board(&store, &filter, limit, offset).await;
        let names: Vec<_> = rows.iter().map(|row| row.username.as_str()).collect();
        assert_eq!(names, expected, "{filter:?}");
    }
    assert_eq!(oracle::board_count(&store, &like("%bob%")).await, 2);
    assert_eq!(oracle::board_count(&store, &verified(false)).await, 2);
    // The rank is that of the whole board, whatever the filter.
    let rows = oracle::board(&store, &like("bob\\_100\\%"), 10, 0).await;
    assert_eq!(rows[0].rank, Some(3));
}
