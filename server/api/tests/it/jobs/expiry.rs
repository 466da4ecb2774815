//! A proof expires on time, on any replica, whether or not anyone looks at it.

use development::samples;
use store::values::Time;

use super::*;

#[tokio::test]
async fn a_proof_ends_at_its_moment() {
    let rooms = Rooms::open(TestDatabase::sqlite().await, "development", None).await;
    let person = rooms.sign_in().await;
    let chain = rooms.embedded.as_ref().expect("the embedded chain");
    let samples = samples(chain, &person.id, None);
    let file = samples
        .iter()
        .find(|sample| sample.file_name == "self-transfer.psbt");
    let file = &file.expect("a sample").psbt;
    crate::follow::counts(&person.submit(file).await);
    let (store, clock) = (&rooms.store, &rooms.clock);
    let profile = async || store.profile(&person.id).await.unwrap();

    let wait = rooms.proving.expire().await.unwrap();
    assert_eq!(wait, Next::After(Duration::from_secs(60)));
    clock.advance(90 * DAY - 7);
    let wait = rooms.proving.expire().await.unwrap();
    assert_eq!(wait, Next::After(Duration::from_secs(7)));
    assert!(
        profile()
            .await
            .is_some_and(|profile| profile.holdings_sats.is_some())
    );

    // Another replica is running at that moment; no client reads.
    let other = rooms.another(NOW + 90 * DAY).await;
    let seen = other.live.sequence();
    let mut changes = other.live.changes(seen, None).unwrap();
    other.proving.expire().await.unwrap();
    assert!(
        profile()
            .await
            .is_some_and(|profile| profile.holdings_sats.is_none())
    );
    let proofs = store.proofs(&person.id, 1, 0).await.unwrap();
    assert_eq!(proofs[0].ended_at, Some(Time(NOW + 90 * DAY)));
    assert_eq!(proofs[0].ended_reason.as_deref(), Some("expired"));
    assert!(changes.next().await.is_some(), "open pages are notified");
}
