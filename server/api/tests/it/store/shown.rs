//! The public form of a total (decisions, D17).

use store::claims::RecordError;

use super::*;

on_both!(of_a_range_and_a_publication_the_database_takes_one);

/// The database checks it again: a range and a publication may come at the same moment.
async fn of_a_range_and_a_publication_the_database_takes_one(database: TestDatabase) {
    let store = database.store().await;
    let person = user(&store, "alice").await;
    let first = NewProof {
        binding: Binding::Message,
        publication: Some(publication()),
        ..proof(&person, "first", NOW, &[coin(1, 5)])
    };
    store
        .show_as(&person.id, ShownAs::Range, NOW)
        .await
        .unwrap();
    let refused = store.record(&first).await;
    assert_matches!(refused, Err(RecordError::Range));
    assert_eq!(store.proof_count(&person.id).await.unwrap(), 0);
    let unpublished = NewProof {
        publication: None,
        ..first.clone()
    };
    record(&store, &unpublished).await;
    let what = publication();
    let later = store.publish(&person.id, &first.id, &what, NOW);
    assert!(later.await.is_err());
    assert_eq!(store.published_proof(&first.id).await.unwrap(), None);

    store
        .show_as(&person.id, ShownAs::Exact, NOW)
        .await
        .unwrap();
    let published = store.publish(&person.id, &first.id, &what, NOW);
    assert!(published.await.unwrap());
    let refused = store.show_as(&person.id, ShownAs::Range, NOW).await;
    assert!(!refused.unwrap());
    assert!(store.withdraw(&person.id, &first.id, NOW).await.unwrap());
    let shown = store.show_as(&person.id, ShownAs::Range, NOW).await;
    assert!(shown.unwrap());
    let profile = store.profile(&person.id).await.unwrap().unwrap();
    assert_eq!(
        (profile.shown_as, profile.shown_since),
        (ShownAs::Range, Some(NOW))
    );
}
