//! Concurrent claims on one coin (rule C7) that an unbound claim already has (decisions, D4).

use futures_util::{StreamExt, stream};
use store::binding::Binding::Transaction;
use store::claims::Recorded::Verified;

use super::*;

on_both!(
    of_a_hundred_claims_on_one_coin_one_wins,
    of_concurrent_claims_the_bound_one_wins,
    opposite_takeovers_do_not_deadlock,
    totals_add_up_when_one_user_proves_at_once,
    only_its_user_finds_an_active_proof,
);

/// On two replicas: unbound ones, and then bound ones, which take it over from the winner.
async fn of_a_hundred_claims_on_one_coin_one_wins(database: TestDatabase) {
    let (store, replica) = (database.store().await, database.store().await);
    let mut people = Vec::new();
    for number in 0..100 {
        people.push(user(&store, &format!("p{number}")).await);
    }
    for (binding, number) in [(Unbound, 1_000), (Transaction, 2_000)] {
        // Each adds a coin of their own, so that a half-recorded loser would show.
        let stores = [&store, &replica].into_iter().cycle();
        let attempts = (number..).zip(&people).zip(stores);
        let attempts = attempts.map(|((number, person), store)| async move {
            let coins = [(7, 100), (number, 1)];
            proves(store, person, binding, &format!("t{number}"), &coins).await
        });
        // As many at once as both have connections: more would only wait for one.
        let outcomes: Vec<_> = stream::iter(attempts).buffered(20).collect().await;
        let lost = outcomes.iter().filter(|it| **it == Conflict);
        assert_eq!(lost.count(), 99, "{outcomes:?}");
        let mut held = Vec::new();
        for person in &people {
            held.extend(holdings(&store, person).await);
        }
        // The first winner keeps their own coin, or proves it again together with the contested one.
        held.sort_unstable();
        let expected: [&[i64]; 3] = [&[101], &[1, 101], &[102]];
        assert!(expected.contains(&&*held), "{held:?}");
        assert_eq!(held == [101], binding == Unbound, "{held:?}");
    }
}

async fn of_concurrent_claims_the_bound_one_wins(database: TestDatabase) {
    for round in 0..10 {
        let (store, hal, eve) = hal_and_eve(&database).await;
        let (weak, strong) = (format!("w{round}"), format!("s{round}"));
        let coins = [(round, 100)];
        let (_, strong) = tokio::join!(
            proves(&store, &hal, Unbound, &weak, &coins),
            proves(&store, &eve, Transaction, &strong, &coins)
        );
        // The bound claim has the coin in the end, whichever came first.
        assert_eq!(strong, verified(100));
        assert_holdings(&store, [(&hal, None)]).await;
    }
}

async fn opposite_takeovers_do_not_deadlock(database: TestDatabase) {
    for round in 0..10 {
        let (store, hal, eve) = hal_and_eve(&database).await;
        let (his, hers) = ([(2 * round, 100)], [(2 * round + 1, 50)]);
        for (owner, coins) in [(&hal, &his), (&eve, &hers)] {
            proves(&store, owner, Unbound, &format!("own {}", owner.id), coins).await;
        }
        let (to_hal, to_eve) = (format!("h{round}"), format!("e{round}"));
        let both = tokio::join!(
            proves(&store, &hal, Transaction, &to_hal, &hers),
            proves(&store, &eve, Transaction, &to_eve, &his)
        );
        assert_matches!(both, (Verified { .. }, Verified { .. }));
        assert_holdings(&store, [(&hal, Some(50)), (&eve, Some(100))]).await;
    }
}

async fn totals_add_up_when_one_user_proves_at_once(database: TestDatabase) {
    let (store, hal, _) = hal_and_eve(&database).await;
    let prove = async |number: u64| {
        let name = format!("t{number}");
        proves(&store, &hal, Transaction, &name, &[(number, 10)]).await
    };
    for outcome in join_all((0..12).map(prove)).await {
        assert_matches!(outcome, Verified { .. });
    }
    assert_holdings(&store, [(&hal, Some(120))]).await;
}

async fn only_its_user_finds_an_active_proof(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    proves(&store, &hal, Transaction, "t1", &[(1, 100)]).await;
    for (user, name, at, found) in [
        (&hal, "t1", NOW + 1, Some((Transaction, 100))),
        (&eve, "t1", NOW + 1, None),
        (&hal, "t2", NOW + 1, None),
        (&hal, "t1", NOW + VALIDITY, None),
    ] {
        let active = store.active_proof(&user.id, name, at).await.unwrap();
        let active = active.map(|it| (it.binding, it.total_sats));
        assert_eq!(active, found, "{name} at {at}");
    }
}
