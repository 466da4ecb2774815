//! Proofs: large ones, many at once, mock ones, and their history.

use store::claims::ActiveProof;
use store::claims::Recorded::AlreadyVerified;

use super::*;

on_both!(
    the_same_transaction_again_is_already_verified,
    one_outpoint_has_one_winner_among_many,
    a_thousand_coins_fit_in_one_proof,
    clearing_mock_data_removes_mock_proofs_alone,
    history_is_newest_first,
    holdings_add_up_and_what_only_changes_hands_is_no_point,
);

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

async fn one_outpoint_has_one_winner_among_many(database: TestDatabase) {
    let store = database.store().await;
    let replicas = [&store, &database.store().await];
    let unbound = |user: &Profile, name: &str, coins: &[NewClaim]| proof(user, name, NOW, coins);
    assert_eq!(rush(replicas, unbound).await, (1, 99));
    let verified = BoardFilter {
        verified: Some(true),
        ..BoardFilter::default()
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
