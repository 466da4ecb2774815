//! Claims on one coin at once (rule C7), with something to take over (decisions, D4).

use store::binding::Binding::Transaction;
use store::claims::Recorded::Verified;

use super::*;

on_both!(
    an_unbound_claim_has_one_winner_among_many_bound_ones,
    bound_and_unbound_at_once_end_bound,
    takeovers_in_both_directions_end,
    totals_add_up_when_one_user_proves_at_once,
    an_active_proof_is_found_by_its_user_alone,
);

/// Rule C7, with something to take over.
async fn an_unbound_claim_has_one_winner_among_many_bound_ones(database: TestDatabase) {
    let store = database.store().await;
    let replicas = [&store, &database.store().await];
    let holder = user(&store, "holder").await;
    proves(&store, &holder, "held", &[(7, 100), (8, 3)]).await;
    assert_eq!(rush(replicas, bound).await, (1, 99));
    hold(&store, [(&holder, Some(3))]).await;
}

async fn bound_and_unbound_at_once_end_bound(database: TestDatabase) {
    for round in 0..10 {
        let (store, hal, eve) = hal_and_eve(&database).await;
        let (weak, strong) = (format!("w{round}"), format!("s{round}"));
        let coins = [coin(round, 100)];
        let weak = proof(&hal, &weak, NOW, &coins);
        let strong = bound(&eve, &strong, &coins);
        let (_, strong) = tokio::join!(store.record(&weak), store.record(&strong));
        // The bound one has it in the end, whichever came first.
        assert_eq!(strong.unwrap(), verified(100));
        hold(&store, [(&hal, None)]).await;
    }
}

async fn takeovers_in_both_directions_end(database: TestDatabase) {
    for round in 0..10 {
        let (store, hal, eve) = hal_and_eve(&database).await;
        let (his, hers) = ((2 * round, 100), (2 * round + 1, 50));
        for (owner, coin) in [(&hal, his), (&eve, hers)] {
            proves(&store, owner, &format!("own {}", owner.id), &[coin]).await;
        }
        let (to_hal, to_eve) = (format!("h{round}"), format!("e{round}"));
        let (hers, his) = ([hers], [his]);
        let (first, second) = tokio::join!(
            proves_by(&store, &hal, Transaction, &to_hal, &hers),
            proves_by(&store, &eve, Transaction, &to_eve, &his)
        );
        assert_matches!((first, second), (Verified { .. }, Verified { .. }));
        hold(&store, [(&hal, Some(50)), (&eve, Some(100))]).await;
    }
}

async fn totals_add_up_when_one_user_proves_at_once(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let prove = async |number: u64| {
        let name = format!("t{number}");
        proves_by(&store, &hal, Transaction, &name, &[(number, 10)]).await
    };
    for outcome in join_all((0..12).map(prove)).await {
        assert_matches!(outcome, Verified { .. });
    }
    hold(&store, [(&hal, Some(120))]).await;
}

async fn an_active_proof_is_found_by_its_user_alone(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    proves_by(&store, &hal, Transaction, "t1", &[(1, 100)]).await;
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
