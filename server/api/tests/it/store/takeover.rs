//! What a binding is worth (decisions, D4; rules of table C that the database decides).

use store::binding::Binding;
use store::claims::Recorded;

use super::*;

on_both!(
    a_bound_proof_takes_over_an_unbound_claim,
    a_takeover_of_a_part_leaves_the_rest,
    equal_and_weaker_bindings_conflict,
    own_coins_keep_the_stronger_binding,
    a_bound_file_strengthens_own_claims,
    an_unbound_claim_has_one_winner_among_many_bound_ones,
    bound_and_unbound_at_once_end_bound,
    takeovers_in_both_directions_end,
    totals_add_up_when_one_user_proves_at_once,
    an_active_proof_is_found_by_its_user_alone,
);

fn bound(user: &Profile, transaction: &str, coins: &[NewClaim]) -> NewProof {
    NewProof {
        binding: Binding::Transaction,
        ..proof(user, transaction, NOW, coins)
    }
}

async fn a_bound_proof_takes_over_an_unbound_claim(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100)])).await;
    let taken = record(&store, &bound(&eve, "t2", &[coin(1, 100)])).await;
    assert_eq!(taken, Recorded::Verified { total_sats: 100 });
    assert_eq!(holdings(&store, &hal).await, None);
    assert_eq!(holdings(&store, &eve).await, Some(100));
    let lost = &store.proofs(&hal.id, 10, 0).await.unwrap()[0];
    assert_eq!(lost.ended_at, Some(NOW));
    assert_eq!(lost.ended_reason.as_deref(), Some("taken-over"));
    assert_eq!(lost.taken_over_sats, Some(100));
    // It does not come back without a binding.
    let back = record(&store, &proof(&hal, "t3", NOW, &[coin(1, 100)])).await;
    assert_eq!(back, Recorded::Conflict);
}

async fn a_takeover_of_a_part_leaves_the_rest(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    let coins = [coin(1, 100), coin(2, 50), coin(3, 7)];
    record(&store, &proof(&hal, "t1", NOW, &coins)).await;
    record(&store, &bound(&eve, "t2", &[coin(9, 1), coin(2, 50)])).await;
    assert_eq!(holdings(&store, &hal).await, Some(107));
    assert_eq!(holdings(&store, &eve).await, Some(51));
    let proof_of_hal = &store.proofs(&hal.id, 10, 0).await.unwrap()[0];
    assert_eq!(
        (proof_of_hal.ended_at, proof_of_hal.ended_reason.as_deref()),
        (None, None)
    );
    assert_eq!(proof_of_hal.taken_over_sats, Some(50));
    let proof_of_eve = &store.proofs(&eve.id, 10, 0).await.unwrap()[0];
    assert_eq!(proof_of_eve.taken_over_sats, None);
}

async fn equal_and_weaker_bindings_conflict(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    record(&store, &bound(&hal, "t1", &[coin(1, 100)])).await;
    let mut by_message = bound(&eve, "t2", &[coin(2, 5), coin(1, 100)]);
    by_message.binding = Binding::Message;
    let by_transaction = bound(&eve, "t3", &[coin(1, 100)]);
    let unbound = proof(&eve, "t4", NOW, &[coin(1, 100)]);
    for file in [by_message, by_transaction, unbound] {
        assert_eq!(record(&store, &file).await, Recorded::Conflict);
    }
    // All or nothing, also of what was unbound.
    record(&store, &proof(&hal, "t5", NOW, &[coin(2, 5)])).await;
    let mixed = bound(&eve, "t6", &[coin(1, 100), coin(2, 5)]);
    assert_eq!(record(&store, &mixed).await, Recorded::Conflict);
    assert_eq!(holdings(&store, &hal).await, Some(105));
    assert_eq!(store.proofs(&eve.id, 10, 0).await.unwrap(), []);
}

async fn own_coins_keep_the_stronger_binding(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    record(&store, &bound(&hal, "t1", &[coin(1, 100)])).await;
    let renewed = proof(&hal, "t2", NOW, &[coin(1, 100), coin(2, 5)]);
    record(&store, &renewed).await;
    let history = store.proofs(&hal.id, 10, 0).await.unwrap();
    assert_eq!(history[1].ended_reason.as_deref(), Some("renewed"));
    // The coin that was bound stays so; the one that came with the unbound file is not.
    let refused = record(&store, &bound(&eve, "t3", &[coin(1, 100)])).await;
    assert_eq!(refused, Recorded::Conflict);
    let taken = record(&store, &bound(&eve, "t4", &[coin(2, 5)])).await;
    assert_eq!(taken, Recorded::Verified { total_sats: 5 });
}

async fn a_bound_file_strengthens_own_claims(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100)])).await;
    let renewed = record(&store, &bound(&hal, "t2", &[coin(1, 100)])).await;
    assert_eq!(renewed, Recorded::Reverified { total_sats: 100 });
    let refused = record(&store, &bound(&eve, "t3", &[coin(1, 100)])).await;
    assert_eq!(refused, Recorded::Conflict);
}

/// Rule C7, with something to take over.
async fn an_unbound_claim_has_one_winner_among_many_bound_ones(database: TestDatabase) {
    let store = database.store().await;
    let replicas = [&store, &database.store().await];
    let holder = user(&store, "holder").await;
    let held = proof(&holder, "held", NOW, &[coin(7, 100), coin(8, 3)]);
    record(&store, &held).await;
    assert_eq!(rush(replicas, bound).await, (1, 39));
    assert_eq!(holdings(&store, &holder).await, Some(3));
}

async fn bound_and_unbound_at_once_end_bound(database: TestDatabase) {
    let store = database.store().await;
    for round in 0..10 {
        let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
        let coins = [coin(round, 100)];
        let weak = proof(&hal, &format!("w{round}"), NOW, &coins);
        let strong = bound(&eve, &format!("s{round}"), &coins);
        let (_, strong) = tokio::join!(store.record(&weak), store.record(&strong));
        // Whoever came first, the bound one has it in the end.
        assert_eq!(strong.unwrap(), Recorded::Verified { total_sats: 100 });
        assert_eq!(holdings(&store, &hal).await, None);
    }
}

async fn takeovers_in_both_directions_end(database: TestDatabase) {
    let store = database.store().await;
    for round in 0..10 {
        let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
        let (his, hers) = (coin(2 * round, 100), coin(2 * round + 1, 50));
        for (owner, coin) in [(&hal, &his), (&eve, &hers)] {
            let own = proof(
                owner,
                &format!("own {}", owner.id),
                NOW,
                std::slice::from_ref(coin),
            );
            record(&store, &own).await;
        }
        let to_hal = bound(&hal, &format!("h{round}"), &[hers]);
        let to_eve = bound(&eve, &format!("e{round}"), &[his]);
        let (first, second) = tokio::join!(store.record(&to_hal), store.record(&to_eve));
        assert!(matches!(first.unwrap(), Recorded::Verified { .. }));
        assert!(matches!(second.unwrap(), Recorded::Verified { .. }));
        assert_eq!(holdings(&store, &hal).await, Some(50));
        assert_eq!(holdings(&store, &eve).await, Some(100));
    }
}

async fn totals_add_up_when_one_user_proves_at_once(database: TestDatabase) {
    const FILES: u32 = 12;
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let proofs: Vec<_> = (0..FILES)
        .map(|number| bound(&hal, &format!("t{number}"), &[coin(number, 10)]))
        .collect();
    let attempts = proofs.iter().map(|proof| store.record(proof));
    for outcome in futures_util::future::join_all(attempts).await {
        assert!(
            matches!(outcome, Ok(Recorded::Verified { .. })),
            "{outcome:?}"
        );
    }
    assert_eq!(holdings(&store, &hal).await, Some(120));
}

async fn an_active_proof_is_found_by_its_user_alone(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    record(&store, &bound(&hal, "t1", &[coin(1, 100)])).await;
    let found = store
        .active_proof(&hal.id, "t1", NOW + 1)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (found.binding, found.total_sats),
        (Binding::Transaction, 100)
    );
    assert_eq!(
        store.active_proof(&eve.id, "t1", NOW + 1).await.unwrap(),
        None
    );
    assert_eq!(
        store.active_proof(&hal.id, "t2", NOW + 1).await.unwrap(),
        None
    );
    let end = store
        .active_proof(&hal.id, "t1", NOW + VALIDITY)
        .await
        .unwrap();
    assert_eq!(end, None);
}
