//! Proofs: large ones, many at once, mock ones, and their history.

use store::claims::Recorded::AlreadyVerified;
use store::claims::{ActiveProof, RecordError};

use super::*;

on_both!(
    the_same_transaction_again_is_already_verified,
    a_thousand_coins_fit_in_one_proof,
    clearing_mock_data_removes_only_mock_proofs,
    history_is_newest_first_and_holdings_add_up,
    the_database_refuses_a_range_with_a_publication,
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
        binding: Unbound,
        expires_at: NOW + VALIDITY,
        statement_height: None,
        statement_name: None,
        total_sats: 100,
    });
    assert_eq!(again, already);
    let hal = store.profile(&hal.id).await.unwrap().unwrap();
    assert_eq!(hal.last_verified, Some(NOW), "no changes");
}

async fn a_thousand_coins_fit_in_one_proof(database: TestDatabase) {
    let (store, hal, eve) = hal_and_eve(&database).await;
    let coins: Vec<_> = (0..1_000).map(|number| (number, 5)).collect();
    let renewed = Recorded::Reverified { total_sats: 5_000 };
    for (name, outcome) in [("t1", verified(5_000)), ("t2", renewed)] {
        assert_eq!(proves(&store, &hal, Unbound, name, &coins).await, outcome);
    }
    let late = proves(&store, &eve, Unbound, "t3", &coins[999..]).await;
    assert_eq!(late, Conflict);
}

async fn clearing_mock_data_removes_only_mock_proofs(database: TestDatabase) {
    let (store, hal, _) = hal_and_eve(&database).await;
    // A real proof whose file has the name of a mock one.
    let [mock, real] = [(true, "t1", 1), (false, "t2", 2)].map(|(mock, name, number)| NewProof {
        mock,
        file_name: "wallet_verification.psbt".to_owned(),
        ..proof(&hal, name, NOW, &[coin(number, 10)])
    });
    for proof in [&mock, &real] {
        record(&store, proof).await;
    }
    let deleted = store.delete_mock_proofs(&hal.id, &mock.file_name, NOW + 1);
    deleted.await.unwrap();
    assert_holdings(&store, [(&hal, Some(10))]).await;
    // Nothing is left of it: the mock file works again.
    assert_eq!(record(&store, &mock).await, verified(20));
}

/// A coin that only moves to a newer proof adds no point to the history.
async fn history_is_newest_first_and_holdings_add_up(database: TestDatabase) {
    let (store, hal, _) = hal_and_eve(&database).await;
    // The third renews the first.
    for (name, after, coin) in [
        ("t1", 0, coin(1, 5)),
        ("t2", 1, coin(2, 7)),
        ("t3", 2, coin(1, 5)),
    ] {
        record(&store, &proof(&hal, name, NOW + after, &[coin])).await;
    }
    let page = store.proofs(&hal.id, 2, 1).await.unwrap();
    let times: Vec<_> = page.iter().map(|proof| proof.created_at.0).collect();
    assert_eq!(times, [NOW + 1, NOW]);
    assert_eq!(store.proof_count(&hal.id).await.unwrap(), 3);

    for after in [1, 2] {
        let ended = store.expire_due(NOW + after + VALIDITY).await.unwrap();
        assert_eq!(ended, 1);
    }
    let ends = NOW + VALIDITY;
    let points = [(NOW, 5), (NOW + 1, 12), (ends + 1, 5), (ends + 2, 0)];
    for (limit, first) in [(10, 0), (4, 0), (3, 1), (1, 3)] {
        let history = store.holdings_history(&hal.id, limit).await.unwrap();
        let history: Vec<_> = history.iter().map(|it| (it.at.0, it.sats)).collect();
        assert_eq!(history, points[first..], "{limit}");
    }
}

/// The database checks it again (decisions, D17): a range and a publication may come at the same moment.
async fn the_database_refuses_a_range_with_a_publication(database: TestDatabase) {
    let (store, hal, _) = hal_and_eve(&database).await;
    let show_as = async |how| store.show_as(&hal.id, how, NOW).await.unwrap();
    let first = NewProof {
        binding: Binding::Message,
        publication: Some(publication()),
        ..proof(&hal, "first", NOW, &[coin(1, 5)])
    };
    assert!(show_as(ShownAs::Range).await);
    let refused = store.record(&first).await;
    assert_matches!(refused, Err(RecordError::Range));
    assert_eq!(store.proof_count(&hal.id).await.unwrap(), 0);
    let unpublished = NewProof {
        publication: None,
        ..first.clone()
    };
    record(&store, &unpublished).await;
    let what = publication();
    let publish = async || store.publish(&hal.id, &first.id, &what, NOW).await;
    assert!(publish().await.is_err());
    assert_eq!(store.published_proof(&first.id).await.unwrap(), None);

    assert!(show_as(ShownAs::Exact).await);
    assert!(publish().await.unwrap());
    assert!(!show_as(ShownAs::Range).await);
    assert!(store.withdraw(&hal.id, &first.id, NOW).await.unwrap());
    assert!(show_as(ShownAs::Range).await);
    let shown = store.profile(&hal.id).await.unwrap().unwrap();
    let shown = (shown.shown_as, shown.shown_since);
    assert_eq!(shown, (ShownAs::Range, Some(NOW)));
}
