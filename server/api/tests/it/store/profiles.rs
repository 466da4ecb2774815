//! People: signing in, names, plans, deletion.

use store::claims::Recorded;
use store::profiles::Identity;
use uuid::Uuid;

use super::sessions::{begin, session};
use super::{NOW, coin, proof, record, user};
use crate::jobs::execute;
use crate::support::database::{TestDatabase, on_both};

/// Pages are split and joined as rows come and go, and SQLite keeps what it has written in a log.
#[tokio::test]
async fn among_many_a_deleted_account_leaves_nothing_in_sqlites_files() {
    let database = TestDatabase::sqlite().await;
    let store = database.store().await;
    execute(
        &store,
        "insert into profiles (id, provider, subject, username, username_folded, named, email, created_at, updated_at)
         with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 3000)
         select 'id-' || (n * 7919 % 3001) || '-end', 'github', 'subject-' || n, 'name-' || n, 'name-' || n, true,
           'mail-' || n || '@mail.example', 1, 1 from numbers",
    )
    .await;
    let gone = [17, 1_500, 2_999];
    for number in gone {
        let id = format!("id-{}-end", number * 7919 % 3001);
        assert!(store.delete_profile(&id).await.unwrap());
    }
    for file in database.files() {
        let bytes = std::fs::read(&file).unwrap();
        for number in gone {
            let word = format!("mail-{number}@");
            let found = bytes.windows(word.len()).any(|it| it == word.as_bytes());
            assert!(!found, "{word} in {file:?}");
        }
    }
}

on_both!(
    signing_in_creates_and_then_updates_a_profile,
    a_name_belongs_to_whoever_signed_in_with_it_last,
    people_without_a_name_may_share_their_default_one,
    the_free_tier_is_chosen_only_while_there_is_none,
    a_deleted_account_leaves_nothing_but_the_replay_hashes,
);

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

async fn a_deleted_account_leaves_nothing_but_the_replay_hashes(database: TestDatabase) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    record(&store, &proof(&hal, "t1", NOW, &[coin(1, 100)])).await;
    begin(&store, session(&hal, "s1")).await;
    assert!(store.delete_profile(&hal.id).await.unwrap());
    assert!(!store.delete_profile(&hal.id).await.unwrap());
    assert_eq!(store.session("s1").await.unwrap(), None);
    assert_eq!(store.proof_count(&hal.id).await.unwrap(), 0);
    // The coin is free again, the transaction is not.
    let replay = record(&store, &proof(&eve, "t1", NOW, &[coin(1, 100)])).await;
    assert_eq!(replay, Recorded::Replayed);
    let fresh = record(&store, &proof(&eve, "t2", NOW, &[coin(1, 100)])).await;
    assert_eq!(fresh, Recorded::Verified { total_sats: 100 });
}
