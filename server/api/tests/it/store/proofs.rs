//! Proofs and the coins they claim: conflicts, renewals, replays, expiry.

use api::board::memory::BoardFilter;
use api::proof::VALIDITY;
use store::binding::Binding;
use store::claims::{NewClaim, Recorded};
use store::profiles::Profile;

use super::{NOW, coin, holdings, proof, record, rush, user};
use crate::support::database::{TestDatabase, on_both};
use crate::support::oracle;

on_both!(
    a_proof_counts,
    wallets_add_up,
    another_users_claim_is_a_conflict_and_changes_nothing,
    the_same_transaction_again_is_already_verified,
    a_fresh_signature_over_the_same_coins_renews,
    a_renewal_with_a_new_coin_is_a_success,
    a_transaction_never_proves_again,
    an_expired_proof_releases_its_coins,
    one_outpoint_has_one_winner_among_many,
    a_thousand_coins_fit_in_one_proof,
    clearing_mock_data_removes_mock_proofs_alone,
    history_is_newest_first,
);

async fn a_proof_counts(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let recorded = record(
        &store,
        &proof(&hal, "t1", NOW, &[coin(1, 100), coin(2, 50)]),
    )
    .await;
    assert_eq!(recorded, Recorded::Verified { total_sats: 150 });
    let hal = store.profile(&hal.id).await.unwrap().unwrap();
    assert_eq!(
        (hal.holdings_sats, hal.last_verified),
        (Some(150), Some(NOW))
    );
}

async fn wallets_add_up(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100)])).await;
    let second = record(&store, &proof(&hal, "t2", NOW, &[coin(2, 50)])).await;
    assert_eq!(second, Recorded::Verified { total_sats: 150 });
}

async fn another_users_claim_is_a_conflict_and_changes_nothing(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100)])).await;
    // The very same file, and a new one that names the coin among others.
    for (transaction, coins) in [
        ("t1", vec![coin(1, 100)]),
        ("t2", vec![coin(2, 9), coin(1, 100)]),
    ] {
        let refused = record(&store, &proof(&eve, transaction, NOW, &coins)).await;
        assert_eq!(refused, Recorded::Conflict);
    }
    assert_eq!(holdings(&store, &eve).await, None);
    assert_eq!(holdings(&store, &hal).await, Some(100));
    assert_eq!(store.proofs(&eve.id, 10, 0).await.unwrap(), []);
    // All or nothing: the coin that was free is still free, and so is the refused transaction.
    let free = record(&store, &proof(&hal, "t2", NOW, &[coin(2, 9)])).await;
    assert_eq!(free, Recorded::Verified { total_sats: 109 });
}

async fn the_same_transaction_again_is_already_verified(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let first = proof(&hal, "t1", NOW, &[coin(1, 100)]);
    record(&store, &first).await;
    let again = record(&store, &proof(&hal, "t1", NOW + 60, &[coin(1, 100)])).await;
    assert_eq!(
        again,
        Recorded::AlreadyVerified {
            proof_id: first.id,
            published: false,
            total_sats: 100,
            expires_at: NOW + VALIDITY,
            binding: Binding::Unbound,
        }
    );
    let hal = store.profile(&hal.id).await.unwrap().unwrap();
    assert_eq!(hal.last_verified, Some(NOW), "no changes");
}

async fn a_fresh_signature_over_the_same_coins_renews(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100)])).await;
    let later = NOW + 1_000;
    let renewed = record(&store, &proof(&hal, "t2", later, &[coin(1, 100)])).await;
    assert_eq!(renewed, Recorded::Reverified { total_sats: 100 });
    let history = store.proofs(&hal.id, 10, 0).await.unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!(
        (history[0].status.as_str(), history[0].ended_at),
        ("reverified", None)
    );
    assert_eq!(history[0].expires_at, later + VALIDITY);
    assert_eq!(history[1].ended_at, Some(later), "its coin has moved on");
}

async fn a_renewal_with_a_new_coin_is_a_success(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100), coin(2, 1)])).await;
    let grown = record(
        &store,
        &proof(&hal, "t2", NOW + 9, &[coin(1, 100), coin(3, 10)]),
    )
    .await;
    assert_eq!(grown, Recorded::Verified { total_sats: 111 });
    let history = store.proofs(&hal.id, 10, 0).await.unwrap();
    assert_eq!(history[1].ended_at, None, "it still has a coin of its own");
}

async fn a_transaction_never_proves_again(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100)])).await;
    record(&store, &proof(&hal, "t2", NOW, &[coin(1, 100)])).await;
    // Its proof has been renewed away.
    let own = record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100)])).await;
    assert_eq!(own, Recorded::Replayed);
    // Not after expiry, and not by somebody else.
    let late = NOW + VALIDITY;
    for who in [&hal, &eve] {
        let replay = record(&store, &proof(who, "t2", late, &[coin(1, 100)])).await;
        assert_eq!(replay, Recorded::Replayed);
    }
}

async fn an_expired_proof_releases_its_coins(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100)])).await;
    record(&store, &proof(&hal, "t2", NOW + 5, &[coin(2, 7)])).await;

    let end = NOW + VALIDITY;
    assert_eq!(store.expire_due(end - 1).await.unwrap(), 0);
    assert_eq!(holdings(&store, &hal).await, Some(107));
    assert_eq!(store.expire_due(end).await.unwrap(), 1);
    assert_eq!(holdings(&store, &hal).await, Some(7));
    // The second one is found by the submission that needs its coin.
    let taken = record(
        &store,
        &proof(&eve, "t3", end + 5, &[coin(2, 7), coin(1, 100)]),
    )
    .await;
    assert_eq!(taken, Recorded::Verified { total_sats: 107 });
    assert_eq!(holdings(&store, &hal).await, None);
    let last = store.proofs(&hal.id, 10, 0).await.unwrap();
    assert_eq!(last[1].ended_at, Some(end));
}

async fn one_outpoint_has_one_winner_among_many(database: TestDatabase) {
    let store = database.store().await;
    let replicas = [&store, &database.store().await];
    let unbound = |person: &Profile, transaction: &str, coins: &[NewClaim]| {
        proof(person, transaction, NOW, coins)
    };
    assert_eq!(rush(replicas, unbound).await, (1, 39));
    let verified = BoardFilter {
        verified: Some(true),
        ..BoardFilter::EVERYBODY
    };
    assert_eq!(oracle::board_count(&store, &verified).await, 1);
}

async fn a_thousand_coins_fit_in_one_proof(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    let coins: Vec<_> = (0..1_000).map(|number| coin(number, 5)).collect();
    let recorded = record(&store, &proof(&hal, "t1", NOW, &coins)).await;
    assert_eq!(recorded, Recorded::Verified { total_sats: 5_000 });
    let renewed = record(&store, &proof(&hal, "t2", NOW, &coins)).await;
    assert_eq!(renewed, Recorded::Reverified { total_sats: 5_000 });
    let last = record(&store, &proof(&eve, "t3", NOW, &[coin(999, 5)])).await;
    assert_eq!(last, Recorded::Conflict);
}

async fn clearing_mock_data_removes_mock_proofs_alone(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let mut mock = proof(&hal, "t1", NOW, &[coin(1, 125_000_000)]);
    mock.mock = true;
    mock.file_name = "wallet_verification.psbt".to_owned();
    record(&store, &mock).await;
    // A real proof that only has the name of a mock one.
    let mut real = proof(&hal, "t2", NOW, &[coin(2, 10)]);
    real.file_name = mock.file_name.clone();
    record(&store, &real).await;
    store
        .delete_mock_proofs(&hal.id, &mock.file_name, NOW + 1)
        .await
        .unwrap();
    assert_eq!(holdings(&store, &hal).await, Some(10));
    // As if it had never been: the mock file works again.
    let again = record(&store, &mock).await;
    assert_eq!(
        again,
        Recorded::Verified {
            total_sats: 125_000_010
        }
    );
}

async fn history_is_newest_first(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    for number in 0..3 {
        let proof = proof(
            &hal,
            &format!("t{number}"),
            NOW + i64::from(number),
            &[coin(number, 1)],
        );
        record(&store, &proof).await;
    }
    let page = store.proofs(&hal.id, 2, 1).await.unwrap();
    let times: Vec<_> = page.iter().map(|proof| proof.created_at).collect();
    assert_eq!(times, [NOW + 1, NOW]);
    assert_eq!(store.proof_count(&hal.id).await.unwrap(), 3);
}
