//! How a session goes on, in body mode.

use std::collections::HashSet;

use super::site::Site;
use super::site::answer::{Signed, refusal, signed};
use crate::support::app::session_id;
use crate::support::database::{TestDatabase, on_both};

on_both!(
    a_refresh_rotates,
    a_token_whose_answer_arrived_ends_the_session,
    a_session_that_has_ended_is_not_kept,
    fifty_refreshes_at_once_all_stay_signed_in,
);

const DAY: i64 = 24 * 60 * 60;

async fn next(site: &Site, token: &str) -> Signed {
    signed(site.refresh(token, None, None).await).await
}

async fn refused(site: &Site, token: &str) -> String {
    let (status, code) = refusal(site.refresh(token, None, None).await).await;
    assert_eq!(status, 400);
    code
}

async fn a_refresh_rotates(database: TestDatabase) {
    let site = Site::start(database).await;
    let first = site.program().await;
    site.clock.advance(3600);
    assert_eq!(
        refusal(site.user(&first.access).await).await,
        (401, "bad_jwt".to_owned()),
        "the hour is over"
    );
    let second = next(&site, &first.refresh).await;
    assert_ne!(second.refresh, first.refresh);
    assert_eq!(second.user_id, first.user_id);
    assert_eq!(site.user(&second.access).await.status(), 200);
    next(&site, &second.refresh).await;
}

#[tokio::test]
async fn a_parent_gets_the_same_child_for_a_moment() {
    let site = Site::sqlite().await;
    let first = site.program().await;
    let second = next(&site, &first.refresh).await;
    assert_eq!(site.user(&second.access).await.status(), 200);
    site.clock.advance(10);
    assert_eq!(next(&site, &first.refresh).await.refresh, second.refresh);
    next(&site, &second.refresh).await;
}

#[tokio::test]
async fn a_lost_answer_is_given_again() {
    let site = Site::sqlite().await;
    let first = site.program().await;
    let lost = next(&site, &first.refresh).await;
    // The laptop sleeps until the next morning.
    site.clock.advance(DAY / 2);
    let again = next(&site, &first.refresh).await;
    assert_eq!(again.refresh, lost.refresh);
    assert_eq!(site.user(&again.access).await.status(), 200);
    next(&site, &again.refresh).await;
}

/// Somebody has stolen a token: one of the two comes with it after the other's answer was used.
async fn a_token_whose_answer_arrived_ends_the_session(database: TestDatabase) {
    let site = Site::start(database).await;
    let first = site.program().await;
    let second = next(&site, &first.refresh).await;
    assert_eq!(site.user(&second.access).await.status(), 200);
    site.clock.advance(11);
    assert_eq!(
        refused(&site, &first.refresh).await,
        "refresh_token_already_used"
    );
    // Nothing of the family works any more, wherever it is.
    for token in [&first.refresh, &second.refresh] {
        assert_eq!(refused(&site, token).await, "session_not_found");
    }
    for access in [&first.access, &second.access] {
        let answer = refusal(site.user(access).await).await;
        assert_eq!(answer, (401, "session_not_found".to_owned()));
    }
}

async fn a_session_that_has_ended_is_not_kept(database: TestDatabase) {
    let site = Site::start(database).await;
    let kept = async |access: &str| {
        let session = site.state.store.session(&session_id(access)).await;
        session.expect("a database").is_some()
    };
    let left = site.program().await;
    assert!(kept(&left.access).await);
    let leaving = site.post("/auth/v1/logout").bearer_auth(&left.access);
    assert_eq!(leaving.send().await.expect("an answer").status(), 204);
    assert!(!kept(&left.access).await, "signed out");

    let stolen = site.program().await;
    let next_one = next(&site, &stolen.refresh).await;
    next(&site, &next_one.refresh).await;
    site.clock.advance(11);
    refused(&site, &stolen.refresh).await;
    assert!(!kept(&stolen.access).await, "used twice");

    let old = site.program().await;
    site.clock.advance(90 * DAY);
    site.state.sign_in.tidy().await.expect("a database");
    assert!(!kept(&old.access).await, "over");
}

/// It was on its way for some seconds, and others went on meanwhile.
#[tokio::test]
async fn a_grandparent_gets_the_newest_for_a_moment() {
    let site = Site::sqlite().await;
    let first = site.program().await;
    let second = next(&site, &first.refresh).await;
    site.clock.advance(4);
    let third = next(&site, &second.refresh).await;
    assert_eq!(site.user(&third.access).await.status(), 200);
    site.clock.advance(6);
    let late = next(&site, &first.refresh).await;
    assert_eq!(late.refresh, third.refresh);
    assert_eq!(site.user(&late.access).await.status(), 200);
    site.clock.advance(3600);
    next(&site, &late.refresh).await;
}

#[tokio::test]
async fn a_grandparent_ends_the_session_after_its_own_moment() {
    let site = Site::sqlite().await;
    let first = site.program().await;
    let second = next(&site, &first.refresh).await;
    site.clock.advance(4);
    let third = next(&site, &second.refresh).await;
    // The parent's moment is not over.
    site.clock.advance(7);
    assert_eq!(
        refused(&site, &first.refresh).await,
        "refresh_token_already_used"
    );
    assert_eq!(refused(&site, &third.refresh).await, "session_not_found");
}

#[tokio::test]
async fn a_token_three_rotations_old_ends_the_session_even_at_once() {
    let site = Site::sqlite().await;
    let first = site.program().await;
    let mut newest = first.refresh.clone();
    for _ in 0..3 {
        newest = next(&site, &newest).await.refresh;
    }
    assert_eq!(
        refused(&site, &first.refresh).await,
        "refresh_token_already_used"
    );
    assert_eq!(refused(&site, &newest).await, "session_not_found");
}

/// A machine with little time answers some of them 503. Nobody loses the session by that, nor the place in its order.
async fn fifty_refreshes_at_once_all_stay_signed_in(database: TestDatabase) {
    let site = Site::start(database).await;
    let replica = site.another().await;
    let mut token = site.program().await.refresh;
    for round in 1..=3 {
        let attempts = (0..50).map(|index| {
            let asked = if index % 2 == 0 { &site } else { &replica };
            async { signed(asked.refresh_patiently(&token, None, None).await).await }
        });
        let answers = futures_util::future::join_all(attempts).await;
        let tokens: HashSet<_> = answers.iter().map(|answer| &answer.refresh).collect();
        assert_eq!(tokens.len(), 1, "round {round}: one child");
        for answer in &answers[..3] {
            assert_eq!(site.user(&answer.access).await.status(), 200);
        }
        token = answers[0].refresh.clone();
        // A later refresh is not one of the same moment.
        site.clock.advance(60);
    }
}

#[tokio::test]
async fn a_token_that_was_never_made_changes_nothing() {
    let site = Site::sqlite().await;
    let somebody = site.program().await;
    let (family, _) = somebody.refresh.split_once('.').expect("a family");
    let (rest, mac) = somebody.refresh.rsplit_once('.').expect("a MAC");
    let other = site.program().await.refresh;
    let (_, other_mac) = other.rsplit_once('.').expect("a MAC");
    for forged in [
        format!("{family}.1.{mac}"),
        format!("{rest}.{other_mac}"),
        rest.to_owned(),
        format!("{rest}."),
        family.to_owned(),
        somebody.refresh.to_uppercase(),
        somebody.access.clone(),
    ] {
        assert_eq!(
            refused(&site, &forged).await,
            "refresh_token_not_found",
            "{forged}"
        );
    }
    next(&site, &somebody.refresh).await;
}

#[tokio::test]
async fn a_session_ends_after_ninety_days() {
    let site = Site::sqlite().await;
    let first = site.program().await;
    site.clock.advance(90 * DAY - 60);
    let last = next(&site, &first.refresh).await;
    site.clock.advance(59);
    assert_eq!(site.user(&last.access).await.status(), 200);
    site.clock.advance(1);
    assert_eq!(
        refusal(site.user(&last.access).await).await,
        (401, "bad_jwt".to_owned()),
        "no access token outlives its session"
    );
    assert_eq!(refused(&site, &last.refresh).await, "session_not_found");
}
