//! A proof ends at its moment, on whichever replica, whether or not anybody looks.

use std::time::Duration;

use futures_util::StreamExt;
use server::AppState;
use server::clock::Clock;
use server::jobs::{self, Next};

use crate::support::app::{NOW, TestApp};
use crate::support::database::{TestDatabase, on_both};

const DAY: i64 = 24 * 60 * 60;

on_both!(a_proof_ends_at_its_moment);

async fn a_proof_ends_at_its_moment(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let person = app.sign_in().await;
    let file = person.sample("self-transfer.psbt").await;
    let answer = person.submit(&file).await;
    assert_eq!(answer.body["status"], "success", "{answer:?}");
    let (store, clock) = (&app.state.store, &app.state.clock);
    let profile = async || store.profile(&person.id).await.expect("a database");

    let wait = jobs::expire::step(&app.state).await.expect("a database");
    assert_eq!(wait, Next::After(Duration::from_secs(60)));
    clock.advance(90 * DAY - 7);
    let wait = jobs::expire::step(&app.state).await.expect("a database");
    assert_eq!(wait, Next::After(Duration::from_secs(7)));
    assert!(
        profile()
            .await
            .is_some_and(|profile| profile.holdings_sats.is_some())
    );

    // Another replica is there at the moment; nobody reads.
    let other = AppState::start(app.state.config.clone(), Clock::manual(NOW + 90 * DAY))
        .await
        .expect("another replica");
    let seen = other.live.sequence();
    let mut changes = other.live.changes(seen, None).expect("a seat");
    jobs::expire::step(&other).await.expect("a database");
    assert!(
        profile()
            .await
            .is_some_and(|profile| profile.holdings_sats.is_none())
    );
    let proofs = store.proofs(&person.id, 1, 0).await.expect("a database");
    assert_eq!(proofs[0].ended_at, Some(NOW + 90 * DAY));
    assert_eq!(proofs[0].ended_reason.as_deref(), Some("expired"));
    assert!(changes.next().await.is_some(), "open pages are told");
}
