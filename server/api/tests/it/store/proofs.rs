//! Proofs and the coins they claim: conflicts, renewals, replays, expiry.

use store::claims::ActiveProof;
use store::claims::Recorded::{AlreadyVerified, Replayed};

use super::*;

on_both!(
    a_proof_counts_and_wallets_add_up,
    another_users_claim_is_a_conflict_and_changes_nothing,
    the_same_transaction_again_is_already_verified,
    a_fresh_signature_over_the_same_coins_renews,
    a_transaction_never_proves_again,
    an_expired_proof_releases_its_coins,
    one_outpoint_has_one_winner_among_many,
    a_thousand_coins_fit_in_one_proof,
    clearing_mock_data_removes_mock_proofs_alone,
    history_is_newest_first,
    holdings_add_up_and_what_only_changes_hands_is_no_point,
);

async fn a_proof_counts_and_wallets_add_up(database: TestDatabase) {
    let (store, hal, _) = hal_and_eve(&database).await;
    let first = proves(&store, &hal, "t1", &[(1, 100), (2, 50)]).await;
    assert_eq!(first, verified(150));
    let profile = store.profile(&hal.id).await.unwrap().unwrap();
    assert_eq!(
        (profile.holdings_sats, profile.last_verified),
        (Some(150), Some(NOW))
    );
    assert_eq!(proves(&store, &hal, "t2", &[(3, 50)]).await, verified(200));
}

async fn another_users_claim_is_a_conflict_and_changes_nothing(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let steps: [Step<'_>; 3] = [
        (&hal, Unbound, "t1", &[(1, 100)], verified(100)),
        // The very same file, and a new one that contains the coin and others.
        (&eve, Unbound, "t1", &[(1, 100)], Conflict),
        (&eve, Unbound, "t2", &[(2, 9), (1, 100)], Conflict),
    ];
    play(&store, &steps).await;
    hold(&store, [(&eve, None), (&hal, Some(100))]).await;
    assert_eq!(history(&store, &eve).await, []);
    // All or nothing: the free coin is still free, and the refused transaction is not recorded.
    assert_eq!(proves(&store, &hal, "t2", &[(2, 9)]).await, verified(109));
}

async fn the_same_transaction_again_is_already_verified(database: TestDatabase) {
    let (store, hal, _) = hal_and_eve(&database).await;
    let first = proof(&hal, "t1", NOW, &[coin(1, 100)]);
    record(&store, &first).await;
    let again = record(&store, &proof(&hal, "t1", NOW + 60, &[coin(1, 100)])).await;
    let already = AlreadyVerified(ActiveProof {
        id: first.id,
        created_at: NOW,
        published: false,
        binding: Binding::Unbound,
        expires_at: NOW + VALIDITY,
        statement_height: None,
        statement_name: None,
        total_sats: 100,
    });
    assert_eq!(again, already);
    let hal = store.profile(&hal.id).await.unwrap().unwrap();
    assert_eq!(hal.last_verified, Some(NOW), "no changes");
}

async fn a_fresh_signature_over_the_same_coins_renews(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    proves(&store, &hal, "t1", &[(1, 100)]).await;
    let later = NOW + 1_000;
    let renewed = record(&store, &proof(&hal, "t2", later, &[coin(1, 100)])).await;
    assert_eq!(renewed, reverified(100));
    let [new, old] = &history(&store, &hal).await[..] else {
        panic!("two proofs");
    };
    assert_eq!((new.status.as_str(), new.ended_at), ("reverified", None));
    assert_eq!(new.expires_at.0, later + VALIDITY);
    assert_eq!(old.ended_at, Some(Time(later)), "its coin has moved on");
    // A renewal with a new coin is a success.
    proves(&store, &eve, "t3", &[(2, 1), (3, 1)]).await;
    let grown = proof(&eve, "t4", NOW + 9, &[coin(3, 1), coin(4, 10)]);
    assert_eq!(record(&store, &grown).await, verified(12));
    let before = &history(&store, &eve).await[1];
    assert_eq!(before.ended_at, None, "it still has a coin of its own");
}

async fn a_transaction_never_proves_again(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let steps: [Step<'_>; 3] = [
        (&hal, Unbound, "t1", &[(1, 100)], verified(100)),
        (&hal, Unbound, "t2", &[(1, 100)], reverified(100)),
        // Its proof was replaced by a renewal.
        (&hal, Unbound, "t1", &[(1, 100)], Replayed),
    ];
    play(&store, &steps).await;
    // Not after expiry, and not for another user.
    for who in [&hal, &eve] {
        let late = proof(who, "t2", NOW + VALIDITY, &[coin(1, 100)]);
        assert_eq!(record(&store, &late).await, Replayed);
    }
}

async fn an_expired_proof_releases_its_coins(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    proves(&store, &hal, "t1", &[(1, 100)]).await;
    record(&store, &proof(&hal, "t2", NOW + 5, &[coin(2, 7)])).await;

    let end = NOW + VALIDITY;
    assert_eq!(store.expire_due(end - 1).await.unwrap(), 0);
    assert_eq!(holdings(&store, &hal).await, Some(107));
    assert_eq!(store.expire_due(end).await.unwrap(), 1);
    assert_eq!(holdings(&store, &hal).await, Some(7));
    // The submission that needs its coin ends the second one.
    let taking = proof(&eve, "t3", end + 5, &[coin(2, 7), coin(1, 100)]);
    assert_eq!(record(&store, &taking).await, verified(107));
    assert_eq!(holdings(&store, &hal).await, None);
    assert_eq!(history(&store, &hal).await[1].ended_at, Some(Time(end)));
}

async fn one_outpoint_has_one_winner_among_many(database: TestDatabase) {
    let store = database.store().await;
    let replicas = [&store, &database.store().await];
    let unbound = |user: &Profile, name: &str, coins: &[NewClaim]| proof(user, name, NOW, coins);
    assert_eq!(rush(replicas, unbound).await, (1, 99));
    let verified = BoardFilter {
        verified: Some(true),
        ..BoardFilter::EVERYBODY
    };
    assert_eq!(oracle::board_count(&store, &verified).await, 1);
}

async fn a_thousand_coins_fit_in_one_proof(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let coins: Vec<_> = (0..1_000).map(|number| (number, 5)).collect();
    assert_eq!(proves(&store, &hal, "t1", &coins).await, verified(5_000));
    assert_eq!(proves(&store, &hal, "t2", &coins).await, reverified(5_000));
    assert_eq!(proves(&store, &eve, "t3", &[(999, 5)]).await, Conflict);
}

async fn clearing_mock_data_removes_mock_proofs_alone(database: TestDatabase) {
    let (store, hal, _) = hal_and_eve(&database).await;
    let mock = NewProof {
        mock: true,
        file_name: "wallet_verification.psbt".to_owned(),
        ..proof(&hal, "t1", NOW, &[coin(1, 125_000_000)])
    };
    record(&store, &mock).await;
    // A real proof whose file has the name of a mock one.
    let real = NewProof {
        file_name: mock.file_name.clone(),
        ..proof(&hal, "t2", NOW, &[coin(2, 10)])
    };
    record(&store, &real).await;
    let deleted = store.delete_mock_proofs(&hal.id, &mock.file_name, NOW + 1);
    deleted.await.unwrap();
    assert_eq!(holdings(&store, &hal).await, Some(10));
    // No trace is left: the mock file works again.
    assert_eq!(record(&store, &mock).await, verified(125_000_010));
}

async fn history_is_newest_first(database: TestDatabase) {
    let (store, hal, _) = hal_and_eve(&database).await;
    for number in 0..3 {
        let (name, time) = (format!("t{number}"), NOW + number);
        record(
            &store,
            &proof(&hal, &name, time, &[coin(number.cast_unsigned(), 1)]),
        )
        .await;
    }
    let page = store.proofs(&hal.id, 2, 1).await.unwrap();
    let times: Vec<_> = page.iter().map(|proof| proof.created_at.0).collect();
    assert_eq!(times, [NOW + 1, NOW]);
    assert_eq!(store.proof_count(&hal.id).await.unwrap(), 3);
}

async fn holdings_add_up_and_what_only_changes_hands_is_no_point(database: TestDatabase) {
    let (store, hal, _) = hal_and_eve(&database).await;
    for (transaction, after, coin) in [
        ("t1", 0, coin(1, 5)),
        ("t2", 1, coin(2, 7)),
        // Renews the first one.
        ("t3", 2, coin(1, 5)),
    ] {
        record(&store, &proof(&hal, transaction, NOW + after, &[coin])).await;
    }
    for after in [1, 2] {
        let ended = store.expire_due(NOW + after + VALIDITY).await.unwrap();
        assert_eq!(ended, 1);
    }
    let points = [
        (NOW, 5),
        (NOW + 1, 12),
        (NOW + 1 + VALIDITY, 5),
        (NOW + 2 + VALIDITY, 0),
    ];
    for limit in [10, 4, 3, 1] {
        let history = store.holdings_history(&hal.id, limit).await.unwrap();
        let history: Vec<_> = history.iter().map(|it| (it.at.0, it.sats)).collect();
        let newest = points.len().saturating_sub(usize::try_from(limit).unwrap());
        assert_eq!(history, points[newest..], "{limit}");
    }
}
