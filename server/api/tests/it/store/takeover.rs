//! The strength of a binding (decisions, D4; rules of table C that the database decides).

use futures_util::future::join_all;
use store::claims::Recorded::{Conflict, Verified};

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

async fn hal_and_eve(store: &Store) -> (Profile, Profile) {
    (user(store, "hal").await, user(store, "eve").await)
}

async fn a_bound_proof_takes_over_an_unbound_claim(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = hal_and_eve(&store).await;
    proves(&store, &hal, "t1", &[(1, 100)]).await;
    assert_eq!(
        proves_bound(&store, &eve, "t2", &[(1, 100)]).await,
        verified(100)
    );
    assert_eq!(holdings(&store, &hal).await, None);
    assert_eq!(holdings(&store, &eve).await, Some(100));
    let lost = &history(&store, &hal).await[0];
    let ended = (
        lost.ended_at,
        lost.ended_reason.as_deref(),
        lost.taken_over_sats,
    );
    assert_eq!(ended, (Some(NOW), Some("taken-over"), Some(100)));
    // It does not come back without a binding.
    assert_eq!(proves(&store, &hal, "t3", &[(1, 100)]).await, Conflict);
}

async fn a_takeover_of_a_part_leaves_the_rest(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = hal_and_eve(&store).await;
    proves(&store, &hal, "t1", &[(1, 100), (2, 50), (3, 7)]).await;
    proves_bound(&store, &eve, "t2", &[(9, 1), (2, 50)]).await;
    assert_eq!(holdings(&store, &hal).await, Some(107));
    assert_eq!(holdings(&store, &eve).await, Some(51));
    let of_hal = &history(&store, &hal).await[0];
    let left = (
        of_hal.ended_at,
        of_hal.ended_reason.as_deref(),
        of_hal.taken_over_sats,
    );
    assert_eq!(left, (None, None, Some(50)));
    assert_eq!(history(&store, &eve).await[0].taken_over_sats, None);
}

async fn equal_and_weaker_bindings_conflict(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = hal_and_eve(&store).await;
    proves_bound(&store, &hal, "t1", &[(1, 100)]).await;
    let by_message = NewProof {
        binding: Binding::Message,
        ..proof(&eve, "t2", NOW, &[coin(2, 5), coin(1, 100)])
    };
    assert_eq!(record(&store, &by_message).await, Conflict);
    assert_eq!(
        proves_bound(&store, &eve, "t3", &[(1, 100)]).await,
        Conflict
    );
    assert_eq!(proves(&store, &eve, "t4", &[(1, 100)]).await, Conflict);
    // All or nothing, also for unbound coins.
    proves(&store, &hal, "t5", &[(2, 5)]).await;
    assert_eq!(
        proves_bound(&store, &eve, "t6", &[(1, 100), (2, 5)]).await,
        Conflict
    );
    assert_eq!(holdings(&store, &hal).await, Some(105));
    assert_eq!(history(&store, &eve).await, []);
}

async fn own_coins_keep_the_stronger_binding(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = hal_and_eve(&store).await;
    proves_bound(&store, &hal, "t1", &[(1, 100)]).await;
    proves(&store, &hal, "t2", &[(1, 100), (2, 5)]).await;
    let renewed = &history(&store, &hal).await[1];
    assert_eq!(renewed.ended_reason.as_deref(), Some("renewed"));
    // The bound coin stays bound; the coin of the unbound file is not bound.
    assert_eq!(
        proves_bound(&store, &eve, "t3", &[(1, 100)]).await,
        Conflict
    );
    assert_eq!(
        proves_bound(&store, &eve, "t4", &[(2, 5)]).await,
        verified(5)
    );
    // A bound file strengthens the user's own claims.
    proves(&store, &hal, "t5", &[(3, 7)]).await;
    assert_eq!(
        proves_bound(&store, &hal, "t6", &[(3, 7)]).await,
        reverified(107)
    );
    assert_eq!(proves_bound(&store, &eve, "t7", &[(3, 7)]).await, Conflict);
}

/// Rule C7, with something to take over.
async fn an_unbound_claim_has_one_winner_among_many_bound_ones(database: TestDatabase) {
    let store = database.store().await;
    let replicas = [&store, &database.store().await];
    let holder = user(&store, "holder").await;
    proves(&store, &holder, "held", &[(7, 100), (8, 3)]).await;
    assert_eq!(rush(replicas, bound).await, (1, 39));
    assert_eq!(holdings(&store, &holder).await, Some(3));
}

async fn bound_and_unbound_at_once_end_bound(database: TestDatabase) {
    let store = database.store().await;
    for round in 0..10 {
        let (hal, eve) = hal_and_eve(&store).await;
        let (weak, strong) = (format!("w{round}"), format!("s{round}"));
        let coins = [coin(round, 100)];
        let weak = proof(&hal, &weak, NOW, &coins);
        let strong = bound(&eve, &strong, &coins);
        let (_, strong) = tokio::join!(store.record(&weak), store.record(&strong));
        // The bound one has it in the end, whichever came first.
        assert_eq!(strong.unwrap(), verified(100));
        assert_eq!(holdings(&store, &hal).await, None);
    }
}

async fn takeovers_in_both_directions_end(database: TestDatabase) {
    let store = database.store().await;
    for round in 0..10 {
        let (hal, eve) = hal_and_eve(&store).await;
        let (his, hers) = ((2 * round, 100), (2 * round + 1, 50));
        for (owner, coin) in [(&hal, his), (&eve, hers)] {
            proves(&store, owner, &format!("own {}", owner.id), &[coin]).await;
        }
        let (to_hal, to_eve) = (format!("h{round}"), format!("e{round}"));
        let (hers, his) = ([hers], [his]);
        let (first, second) = tokio::join!(
            proves_bound(&store, &hal, &to_hal, &hers),
            proves_bound(&store, &eve, &to_eve, &his)
        );
        assert!(matches!(
            (first, second),
            (Verified { .. }, Verified { .. })
        ));
        assert_eq!(holdings(&store, &hal).await, Some(50));
        assert_eq!(holdings(&store, &eve).await, Some(100));
    }
}

async fn totals_add_up_when_one_user_proves_at_once(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let prove = async |number: u32| {
        proves_bound(&store, &hal, &format!("t{number}"), &[(number, 10)]).await
    };
    for outcome in join_all((0..12).map(prove)).await {
        assert!(matches!(outcome, Verified { .. }), "{outcome:?}");
    }
    assert_eq!(holdings(&store, &hal).await, Some(120));
}

async fn an_active_proof_is_found_by_its_user_alone(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = hal_and_eve(&store).await;
    proves_bound(&store, &hal, "t1", &[(1, 100)]).await;
    for (user, name, at, found) in [
        (&hal, "t1", NOW + 1, Some((Binding::Transaction, 100))),
        (&eve, "t1", NOW + 1, None),
        (&hal, "t2", NOW + 1, None),
        (&hal, "t1", NOW + VALIDITY, None),
    ] {
        let active = store.active_proof(&user.id, name, at).await.unwrap();
        let active = active.map(|it| (it.binding, it.total_sats));
        assert_eq!(active, found, "{name} at {at}");
    }
}
