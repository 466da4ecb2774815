//! One list of behaviours for both databases. Every query of `server/src/store` is in here.

#![allow(
    clippy::unwrap_used,
    reason = "a behaviour says what it expects by panicking, as the tests do that clippy.toml spares"
)]

use server::config::Environment;
use server::proof::VALIDITY;
use server::proof::binding::Binding;
use server::store::board::BoardFilter;
use server::store::claims::{NewClaim, NewProof, Recorded};
use server::store::follower::Block;
use server::store::profiles::{Identity, Profile};
use server::store::sessions::{AuthCode, Session, SignOutScope};
use server::store::{Store, StoreError};
use uuid::Uuid;

use crate::support::database::{TestDatabase, on_both};

mod attempts;
mod messages;
mod takeover;

const NOW: i64 = 1_790_000_000;

on_both!(
    a_database_belongs_to_one_mode,
    secrets_are_made_once,
    signing_in_creates_and_then_updates_a_profile,
    a_name_belongs_to_whoever_signed_in_with_it_last,
    people_without_a_name_may_share_their_default_one,
    the_free_tier_is_chosen_only_while_there_is_none,
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
    a_deleted_account_leaves_nothing_but_the_replay_hashes,
    clearing_mock_data_removes_mock_proofs_alone,
    the_board_ranks_like_a_competition,
    the_board_is_searched_and_paged,
    history_is_newest_first,
    a_code_works_once,
    a_session_rotates_once,
    signing_out_ends_what_its_scope_says,
);

async fn user(store: &Store, name: &str) -> Profile {
    let identity = Identity {
        provider: "twitter",
        subject: Uuid::new_v4().to_string(),
        username: Some(name.to_owned()),
        email: None,
        avatar_url: None,
    };
    // Recording wants to know that the chain is followed.
    store.start_following("regtest", &followed()).await.unwrap();
    store.sign_in(&identity, NOW).await.unwrap()
}

/// The block that the chain is followed to.
fn followed() -> Block {
    Block {
        height: 100,
        hash: "ab".repeat(32),
    }
}

fn coin(number: u32, sats: i64) -> NewClaim {
    NewClaim {
        txid: format!("{number:064x}"),
        vout: 0,
        value_sats: sats,
        funding_block: "00".repeat(32),
    }
}

fn proof(user: &Profile, transaction: &str, now: i64, coins: &[NewClaim]) -> NewProof {
    NewProof {
        id: Uuid::now_v7().to_string(),
        user_id: user.id.clone(),
        tx_hash: transaction.to_owned(),
        file_name: "cold.psbt".to_owned(),
        binding: Binding::Unbound,
        nonce: None,
        mock: false,
        created_at: now,
        expires_at: now + VALIDITY,
        network: "regtest",
        tip: followed().hash,
        coins: coins.to_vec(),
    }
}

async fn holdings(store: &Store, user: &Profile) -> Option<i64> {
    store
        .profile(&user.id)
        .await
        .unwrap()
        .unwrap()
        .holdings_sats
}

async fn a_database_belongs_to_one_mode(database: TestDatabase) {
    let store = database.store().await;
    store.stamp(Environment::Development).await.unwrap();
    store.stamp(Environment::Development).await.unwrap();
    let refused = store.stamp(Environment::Production).await;
    assert!(
        matches!(&refused, Err(StoreError::OtherEnvironment { found, .. }) if found == "development"),
        "{refused:?}"
    );
}

async fn secrets_are_made_once(database: TestDatabase) {
    let store = database.store().await;
    let other_replica = database.store().await;
    let (first, second) =
        tokio::join!(store.secret("test", NOW), other_replica.secret("test", NOW));
    let first = first.unwrap();
    assert_eq!(first.len(), 32);
    assert_eq!(first, second.unwrap());
    assert_ne!(first, store.secret("other", NOW).await.unwrap());
}

async fn signing_in_creates_and_then_updates_a_profile(database: TestDatabase) {
    let store = database.store().await;
    let mut identity = Identity {
        provider: "github",
        subject: "42".to_owned(),
        username: Some("hal".to_owned()),
        email: Some("hal@example.org".to_owned()),
        avatar_url: None,
    };
    let first = store.sign_in(&identity, NOW).await.unwrap();
    assert_eq!(
        (first.username.as_str(), first.tier.as_deref()),
        ("hal", None)
    );
    identity.username = Some("hal_f".to_owned());
    let second = store.sign_in(&identity, NOW + 10).await.unwrap();
    assert_eq!(second.id, first.id);
    assert_eq!(
        (second.username.as_str(), second.updated_at),
        ("hal_f", NOW + 10)
    );
    assert_eq!(second.created_at, NOW);
    assert_eq!(store.profile("nobody").await.unwrap(), None);
    assert_eq!(store.profile_ids().await.unwrap(), [first.id]);
}

async fn a_name_belongs_to_whoever_signed_in_with_it_last(database: TestDatabase) {
    let store = database.store().await;
    let older = user(&store, "Satoshi").await;
    let newer = user(&store, "satoshi").await;
    let older = store.profile(&older.id).await.unwrap().unwrap();
    assert_eq!(older.username, format!("user_{}", &older.id[..5]));
    assert_eq!(newer.username, "satoshi");
}

async fn people_without_a_name_may_share_their_default_one(database: TestDatabase) {
    let store = database.store().await;
    for _ in 0..3 {
        let identity = Identity {
            provider: "mock",
            subject: Uuid::new_v4().to_string(),
            username: None,
            email: None,
            avatar_url: None,
        };
        let first = store.sign_in(&identity, NOW).await.unwrap();
        assert_eq!(first.username, format!("user_{}", &first.id[..5]));
        // Signing in again keeps the name of the id that the person has.
        let again = store.sign_in(&identity, NOW).await.unwrap();
        assert_eq!((again.id, again.username), (first.id, first.username));
    }
}

async fn the_free_tier_is_chosen_only_while_there_is_none(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    store.choose_free_tier(&hal.id, NOW + 1).await.unwrap();
    store.choose_free_tier(&hal.id, NOW + 2).await.unwrap();
    let hal = store.profile(&hal.id).await.unwrap().unwrap();
    assert_eq!(
        (hal.tier.as_deref(), hal.updated_at),
        (Some("free"), NOW + 1)
    );
}

async fn a_proof_counts(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let recorded = store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100), coin(2, 50)]))
        .await
        .unwrap();
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
    store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    let second = store
        .record(&proof(&hal, "t2", NOW, &[coin(2, 50)]))
        .await
        .unwrap();
    assert_eq!(second, Recorded::Verified { total_sats: 150 });
}

async fn another_users_claim_is_a_conflict_and_changes_nothing(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    // The very same file, and a new one that names the coin among others.
    for (transaction, coins) in [
        ("t1", vec![coin(1, 100)]),
        ("t2", vec![coin(2, 9), coin(1, 100)]),
    ] {
        let refused = store
            .record(&proof(&eve, transaction, NOW, &coins))
            .await
            .unwrap();
        assert_eq!(refused, Recorded::Conflict);
    }
    assert_eq!(holdings(&store, &eve).await, None);
    assert_eq!(holdings(&store, &hal).await, Some(100));
    assert_eq!(store.proofs(&eve.id, 10, 0).await.unwrap(), []);
    // All or nothing: the coin that was free is still free, and so is the refused transaction.
    let free = store
        .record(&proof(&hal, "t2", NOW, &[coin(2, 9)]))
        .await
        .unwrap();
    assert_eq!(free, Recorded::Verified { total_sats: 109 });
}

async fn the_same_transaction_again_is_already_verified(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    let again = store
        .record(&proof(&hal, "t1", NOW + 60, &[coin(1, 100)]))
        .await
        .unwrap();
    assert_eq!(
        again,
        Recorded::AlreadyVerified {
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
    store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    let later = NOW + 1_000;
    let renewed = store
        .record(&proof(&hal, "t2", later, &[coin(1, 100)]))
        .await
        .unwrap();
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
    store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100), coin(2, 1)]))
        .await
        .unwrap();
    let grown = store
        .record(&proof(&hal, "t2", NOW + 9, &[coin(1, 100), coin(3, 10)]))
        .await
        .unwrap();
    assert_eq!(grown, Recorded::Verified { total_sats: 111 });
    let history = store.proofs(&hal.id, 10, 0).await.unwrap();
    assert_eq!(history[1].ended_at, None, "it still has a coin of its own");
}

async fn a_transaction_never_proves_again(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    store
        .record(&proof(&hal, "t2", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    // Its proof has been renewed away.
    let own = store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    assert_eq!(own, Recorded::Replayed);
    // Not after expiry, and not by somebody else.
    let late = NOW + VALIDITY;
    for who in [&hal, &eve] {
        let replay = store
            .record(&proof(who, "t2", late, &[coin(1, 100)]))
            .await
            .unwrap();
        assert_eq!(replay, Recorded::Replayed);
    }
}

async fn an_expired_proof_releases_its_coins(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    store
        .record(&proof(&hal, "t2", NOW + 5, &[coin(2, 7)]))
        .await
        .unwrap();

    let end = NOW + VALIDITY;
    assert_eq!(store.expire_due(end - 1).await.unwrap(), 0);
    assert_eq!(holdings(&store, &hal).await, Some(107));
    assert_eq!(store.expire_due(end).await.unwrap(), 1);
    assert_eq!(holdings(&store, &hal).await, Some(7));
    // The second one is found by the submission that needs its coin.
    let taken = store
        .record(&proof(&eve, "t3", end + 5, &[coin(2, 7), coin(1, 100)]))
        .await
        .unwrap();
    assert_eq!(taken, Recorded::Verified { total_sats: 107 });
    assert_eq!(holdings(&store, &hal).await, None);
    let last = store.proofs(&hal.id, 10, 0).await.unwrap();
    assert_eq!(last[1].ended_at, Some(end));
}

async fn one_outpoint_has_one_winner_among_many(database: TestDatabase) {
    const PEOPLE: usize = 40;
    let store = database.store().await;
    let other_replica = database.store().await;
    let mut people = Vec::new();
    for number in 0..PEOPLE {
        people.push(user(&store, &format!("p{number}")).await);
    }
    let attempts = people.iter().enumerate().map(|(number, person)| {
        let store = if number % 2 == 0 {
            &store
        } else {
            &other_replica
        };
        // Each adds a coin of their own, so that a half-recorded loser would show.
        let coins = [
            coin(7, 100),
            coin(1_000 + u32::try_from(number).unwrap(), 1),
        ];
        let proof = proof(person, &format!("t{number}"), NOW, &coins);
        async move { store.record(&proof).await.unwrap() }
    });
    let outcomes = futures_util::future::join_all(attempts).await;
    let winners = outcomes
        .iter()
        .filter(|outcome| **outcome == Recorded::Verified { total_sats: 101 })
        .count();
    let losers = outcomes
        .iter()
        .filter(|outcome| **outcome == Recorded::Conflict)
        .count();
    assert_eq!((winners, losers), (1, PEOPLE - 1), "{outcomes:?}");
    let verified = BoardFilter {
        verified: Some(true),
        ..BoardFilter::default()
    };
    assert_eq!(store.board_count(&verified).await.unwrap(), 1);
}

async fn a_thousand_coins_fit_in_one_proof(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    let coins: Vec<_> = (0..1_000).map(|number| coin(number, 5)).collect();
    let recorded = store.record(&proof(&hal, "t1", NOW, &coins)).await.unwrap();
    assert_eq!(recorded, Recorded::Verified { total_sats: 5_000 });
    let renewed = store.record(&proof(&hal, "t2", NOW, &coins)).await.unwrap();
    assert_eq!(renewed, Recorded::Reverified { total_sats: 5_000 });
    let last = store
        .record(&proof(&eve, "t3", NOW, &[coin(999, 5)]))
        .await
        .unwrap();
    assert_eq!(last, Recorded::Conflict);
}

async fn a_deleted_account_leaves_nothing_but_the_replay_hashes(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    store
        .record(&proof(&hal, "t1", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    store.add_session(&session(&hal, "s1")).await.unwrap();
    assert!(store.delete_profile(&hal.id).await.unwrap());
    assert!(!store.delete_profile(&hal.id).await.unwrap());
    assert_eq!(store.session("s1").await.unwrap(), None);
    assert_eq!(store.proof_count(&hal.id).await.unwrap(), 0);
    // The coin is free again, the transaction is not.
    let replay = store
        .record(&proof(&eve, "t1", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    assert_eq!(replay, Recorded::Replayed);
    let fresh = store
        .record(&proof(&eve, "t2", NOW, &[coin(1, 100)]))
        .await
        .unwrap();
    assert_eq!(fresh, Recorded::Verified { total_sats: 100 });
}

async fn clearing_mock_data_removes_mock_proofs_alone(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let mut mock = proof(&hal, "t1", NOW, &[coin(1, 125_000_000)]);
    mock.mock = true;
    mock.file_name = "wallet_verification.psbt".to_owned();
    store.record(&mock).await.unwrap();
    // A real proof that only has the name of a mock one.
    let mut real = proof(&hal, "t2", NOW, &[coin(2, 10)]);
    real.file_name = mock.file_name.clone();
    store.record(&real).await.unwrap();
    store
        .delete_mock_proofs(&hal.id, &mock.file_name, NOW + 1)
        .await
        .unwrap();
    assert_eq!(holdings(&store, &hal).await, Some(10));
    // As if it had never been: the mock file works again.
    let again = store.record(&mock).await.unwrap();
    assert_eq!(
        again,
        Recorded::Verified {
            total_sats: 125_000_010
        }
    );
}

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
        store.record(&proof).await.unwrap();
    }
    user(&store, "nothing").await;
    let rows = store.board(&BoardFilter::default(), 100, 0).await.unwrap();
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
            store.rank(&row.id).await.unwrap(),
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
            store
                .record(&proof(&person, name, NOW, &coins))
                .await
                .unwrap();
        }
        ids.push(person.id);
    }
    let names = async |filter: &BoardFilter, limit, offset| -> Vec<String> {
        let rows = store.board(filter, limit, offset).await.unwrap();
        rows.into_iter().map(|row| row.username).collect()
    };
    let like = |pattern: &str| BoardFilter {
        username_like: Some(pattern.to_owned()),
        ..BoardFilter::default()
    };
    assert_eq!(names(&like("%LI%"), 10, 0).await, ["Alice", "ALIX"]);
    assert_eq!(names(&like("%öL%"), 10, 0).await, ["Ölrich"]);
    assert_eq!(names(&like("%100\\%%"), 10, 0).await, ["bob_100%"]);
    assert_eq!(store.board_count(&like("%bob%")).await.unwrap(), 2);
    let verified = |verified| BoardFilter {
        verified: Some(verified),
        ..BoardFilter::default()
    };
    assert_eq!(names(&verified(true), 2, 1).await, ["ALIX", "bob_100%"]);
    assert_eq!(store.board_count(&verified(false)).await.unwrap(), 2);
    // The rank is that of the whole board, whatever the filter.
    let rows = store.board(&like("bob\\_100\\%"), 10, 0).await.unwrap();
    assert_eq!(rows[0].rank, Some(3));
    let one = BoardFilter {
        id: Some(ids[0].clone()),
        ..BoardFilter::default()
    };
    assert_eq!(names(&one, 10, 0).await, ["Alice"]);
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
        store.record(&proof).await.unwrap();
    }
    let page = store.proofs(&hal.id, 2, 1).await.unwrap();
    let times: Vec<_> = page.iter().map(|proof| proof.created_at).collect();
    assert_eq!(times, [NOW + 1, NOW]);
    assert_eq!(store.proof_count(&hal.id).await.unwrap(), 3);
}

async fn a_code_works_once(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let code = AuthCode {
        code_hash: "aa".repeat(32),
        user_id: hal.id,
        code_challenge: "challenge".to_owned(),
        cookie: true,
        expires_at: NOW + 60,
    };
    store.add_auth_code(&code, NOW).await.unwrap();
    assert_eq!(
        store.take_auth_code(&code.code_hash).await.unwrap(),
        Some(code.clone())
    );
    assert_eq!(store.take_auth_code(&code.code_hash).await.unwrap(), None);
    // Codes whose time is over go when the next one comes.
    store.add_auth_code(&code, NOW).await.unwrap();
    let next = AuthCode {
        code_hash: "bb".repeat(32),
        expires_at: NOW + 120,
        ..code.clone()
    };
    store.add_auth_code(&next, NOW + 60).await.unwrap();
    assert_eq!(store.take_auth_code(&code.code_hash).await.unwrap(), None);
}

fn session(user: &Profile, id: &str) -> Session {
    Session {
        id: id.to_owned(),
        user_id: user.id.clone(),
        cookie: false,
        counter: 0,
        rotated_at: NOW,
        created_at: NOW,
        expires_at: NOW + 1_000,
        revoked_at: None,
    }
}

async fn a_session_rotates_once(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    store.add_session(&session(&hal, "s1")).await.unwrap();
    let attempts = (0..20).map(|_| store.rotate_session("s1", 0, NOW + 1));
    let outcomes = futures_util::future::join_all(attempts).await;
    let rotated = outcomes
        .into_iter()
        .filter(|outcome| *outcome.as_ref().unwrap())
        .count();
    assert_eq!(rotated, 1);
    let kept = store.session("s1").await.unwrap().unwrap();
    assert_eq!((kept.counter, kept.rotated_at), (1, NOW + 1));
    store.revoke_session("s1", NOW + 2).await.unwrap();
    assert!(!store.rotate_session("s1", 1, NOW + 3).await.unwrap());
}

async fn signing_out_ends_what_its_scope_says(database: TestDatabase) {
    let store = database.store().await;
    for (scope, expected) in [
        (SignOutScope::Local, [false, true]),
        (SignOutScope::Others, [true, false]),
        (SignOutScope::Global, [false, false]),
    ] {
        let hal = user(&store, "hal").await;
        let ids = [Uuid::new_v4().to_string(), Uuid::new_v4().to_string()];
        for id in &ids {
            store.add_session(&session(&hal, id)).await.unwrap();
        }
        store
            .sign_out(&session(&hal, &ids[0]), scope, NOW + 5)
            .await
            .unwrap();
        for (id, live) in ids.iter().zip(expected) {
            let kept = store.session(id).await.unwrap().unwrap();
            assert_eq!(kept.live(NOW + 6), live, "{scope:?}");
        }
    }
}
