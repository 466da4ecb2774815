//! Listeners to the store are notified of visible changes after their commit.

use store::rate_limits::Count;

use super::*;

on_both!(a_commit_that_changes_profiles_rings_and_no_other_does);

async fn a_commit_that_changes_profiles_rings_and_no_other_does(database: TestDatabase) {
    let store = database.store().await;
    let mut bell = store.subscribe();
    let mut rang = || {
        let rang = bell.has_changed().unwrap();
        bell.mark_unchanged();
        rang
    };
    let person = user(&store, "alice").await;
    let other = user(&store, "other").await;
    assert!(rang());

    record(&store, &proof(&person, "t1", NOW, &[coin(1, 100)])).await;
    assert!(rang());
    let refused = record(&store, &proof(&other, "t2", NOW, &[coin(1, 100)])).await;
    assert_eq!(refused, Recorded::Conflict);
    assert!(!rang());

    store.choose_free_tier(&person.id, NOW).await.unwrap();
    assert!(rang());
    let count = Count {
        keyed_hash: "alice".to_owned(),
        most: 1,
        ends_at: NOW + 1,
    };
    store.count_request(&[count], NOW).await.unwrap();
    assert_eq!(store.expire_due(NOW).await.unwrap(), 0);
    assert!(!rang());

    assert_eq!(store.expire_due(NOW + VALIDITY).await.unwrap(), 1);
    assert!(rang());
    store.delete_profile(&person.id).await.unwrap();
    assert!(rang());
}
