//! The ranking, and searching it.

use api::board::memory::BoardFilter;

use super::{NOW, coin, proof, record, user};
use crate::support::database::{TestDatabase, on_both};
use crate::support::oracle;

on_both!(
    the_board_ranks_like_a_competition,
    the_board_is_searched_and_paged,
);

async fn the_board_ranks_like_a_competition(database: TestDatabase) {
    let store = database.store().await;
    let mut number = 0;
    for (name, sats) in [
        ("small", 10),
        ("tie_late", 50),
        ("big", 90),
        ("tie_early", 50),
    ] {
        number += 1;
        let person = user(&store, name).await;
        // Later numbers prove earlier, so that `tie_early` comes before `tie_late`.
        let proof = proof(
            &person,
            name,
            NOW - number,
            &[coin(u32::try_from(number).unwrap(), sats)],
        );
        record(&store, &proof).await;
    }
    user(&store, "nothing").await;
    let rows = oracle::board(&store, &BoardFilter::EVERYBODY, 100, 0).await;
    let seen: Vec<_> = rows
        .iter()
        .map(|row| (row.username.as_str(), row.rank))
        .collect();
    assert_eq!(
        seen,
        [
            ("big", Some(1)),
            ("tie_early", Some(2)),
            ("tie_late", Some(2)),
            ("small", Some(4)),
            ("nothing", None)
        ]
    );
    for row in &rows {
        assert_eq!(
            oracle::rank(&store, &row.id).await,
            row.rank,
            "{}",
            row.username
        );
    }
}

async fn the_board_is_searched_and_paged(database: TestDatabase) {
    let store = database.store().await;
    let mut ids = Vec::new();
    for (number, name) in ["Alice", "ALIX", "bob_100%", "bobby", "Ölrich"]
        .into_iter()
        .enumerate()
    {
        let person = user(&store, name).await;
        if number < 3 {
            let number = u32::try_from(number).unwrap();
            let coins = [coin(number, 100 - i64::from(number))];
            record(&store, &proof(&person, name, NOW, &coins)).await;
        }
        ids.push(person.id);
    }
    let names = async |filter: &BoardFilter, limit, offset| -> Vec<String> {
        let rows = oracle::board(&store, filter, limit, offset).await;
        rows.into_iter().map(|row| row.username).collect()
    };
    let like = |pattern: &str| BoardFilter {
        username_like: Some(pattern.to_owned()),
        ..BoardFilter::EVERYBODY
    };
    assert_eq!(names(&like("%LI%"), 10, 0).await, ["Alice", "ALIX"]);
    assert_eq!(names(&like("%öL%"), 10, 0).await, ["Ölrich"]);
    assert_eq!(names(&like("%100\\%%"), 10, 0).await, ["bob_100%"]);
    assert_eq!(oracle::board_count(&store, &like("%bob%")).await, 2);
    let verified = |verified| BoardFilter {
        verified: Some(verified),
        ..BoardFilter::EVERYBODY
    };
    assert_eq!(names(&verified(true), 2, 1).await, ["ALIX", "bob_100%"]);
    assert_eq!(oracle::board_count(&store, &verified(false)).await, 2);
    // The rank is that of the whole board, whatever the filter.
    let rows = oracle::board(&store, &like("bob\\_100\\%"), 10, 0).await;
    assert_eq!(rows[0].rank, Some(3));
    let one = BoardFilter {
        id: Some(ids[0].clone()),
        ..BoardFilter::EVERYBODY
    };
    assert_eq!(names(&one, 10, 0).await, ["Alice"]);
}
