//! The strength of a binding (decisions, D4; rules of table C that the database decides).

use store::binding::Binding::{Message, Transaction};
use store::claims::Recorded::Verified;

use super::*;

on_both!(
    a_bound_proof_takes_over_an_unbound_claim,
    a_takeover_of_a_part_leaves_the_rest,
    equal_and_weaker_bindings_conflict,
    own_coins_keep_the_stronger_binding,
    an_unbound_claim_has_one_winner_among_many_bound_ones,
    bound_and_unbound_at_once_end_bound,
    takeovers_in_both_directions_end,
    totals_add_up_when_one_user_proves_at_once,
    an_active_proof_is_found_by_its_user_alone,
);

async fn a_bound_proof_takes_over_an_unbound_claim(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let steps: [Step<'_>; 2] = [
        (&hal, Unbound, "t1", &[(1, 100)], verified(100)),
        (&eve, Transaction, "t2", &[(1, 100)], verified(100)),
    ];
    play(&store, &steps).await;
    hold(&store, [(&hal, None), (&eve, Some(100))]).await;
    let lost = &history(&store, &hal).await[0];
    let reason = lost.ended_reason.as_deref();
    let ended = (lost.ended_at, reason, lost.taken_over_sats);
    assert_eq!(ended, (Some(Time(NOW)), Some("taken-over"), Some(100)));
    // It does not come back without a binding.
    assert_eq!(proves(&store, &hal, "t3", &[(1, 100)]).await, Conflict);
}

async fn a_takeover_of_a_part_leaves_the_rest(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let mine = [(1, 100), (2, 50), (3, 7)];
    let steps: [Step<'_>; 2] = [
        (&hal, Unbound, "t1", &mine, verified(157)),
        (&eve, Transaction, "t2", &[(9, 1), (2, 50)], verified(51)),
    ];
    play(&store, &steps).await;
    hold(&store, [(&hal, Some(107)), (&eve, Some(51))]).await;
    let left = &history(&store, &hal).await[0];
    let ended = (left.ended_at, left.ended_reason.as_deref());
    assert_eq!((ended, left.taken_over_sats), ((None, None), Some(50)));
    assert_eq!(history(&store, &eve).await[0].taken_over_sats, None);
}

async fn equal_and_weaker_bindings_conflict(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let both = [(1, 100), (2, 5)];
    let steps: [Step<'_>; 6] = [
        (&hal, Transaction, "t1", &[(1, 100)], verified(100)),
        (&eve, Message, "t2", &both, Conflict),
        (&eve, Transaction, "t3", &[(1, 100)], Conflict),
        (&eve, Unbound, "t4", &[(1, 100)], Conflict),
        // All or nothing, also for unbound coins.
        (&hal, Unbound, "t5", &[(2, 5)], verified(105)),
        (&eve, Transaction, "t6", &both, Conflict),
    ];
    play(&store, &steps).await;
    hold(&store, [(&hal, Some(105))]).await;
    assert_eq!(history(&store, &eve).await, []);
}

async fn own_coins_keep_the_stronger_binding(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let both = [(1, 100), (2, 5)];
    let steps: [Step<'_>; 2] = [
        (&hal, Transaction, "t1", &[(1, 100)], verified(100)),
        (&hal, Unbound, "t2", &both, verified(105)),
    ];
    play(&store, &steps).await;
    let renewed = &history(&store, &hal).await[1];
    assert_eq!(renewed.ended_reason.as_deref(), Some("renewed"));
    let steps: [Step<'_>; 5] = [
        // The bound coin stays bound; the coin of the unbound file is not bound.
        (&eve, Transaction, "t3", &[(1, 100)], Conflict),
        (&eve, Transaction, "t4", &[(2, 5)], verified(5)),
        // A bound file strengthens the user's own claims.
        (&hal, Unbound, "t5", &[(3, 7)], verified(107)),
        (&hal, Transaction, "t6", &[(3, 7)], reverified(107)),
        (&eve, Transaction, "t7", &[(3, 7)], Conflict),
    ];
    play(&store, &steps).await;
}

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
