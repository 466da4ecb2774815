//! How a session continues, in body mode.

use std::collections::HashSet;

use chain::clock::DAY;
use futures_util::future::join_all;

use super::site::{Signed, signed, site, site_on};
use crate::support::app::{TestApp, session_id};
use crate::support::database::{TestDatabase, on_both};

on_both!(
    a_token_whose_answer_arrived_ends_the_session,
    a_session_that_has_ended_is_not_kept,
    fifty_refreshes_at_once_all_stay_signed_in,
);

async fn next(site: &TestApp, token: &str) -> Signed {
    signed(&site.refresh(token, None, None).await)
}

async fn refused(site: &TestApp, token: &str) -> String {
    let answer = site.refresh(token, None, None).await;
    let (status, code) = answer.problem();
    assert_eq!(status, 400);
    code.to_owned()
}

#[tokio::test]
async fn a_refresh_rotates() {
    let site = site().await;
    let first = site.program().await;
    site.state.clock.advance(3600);
    let user = site.user(&first.access).await;
    assert_eq!(user.problem(), (401, "bad_jwt"), "the hour is over");
    let second = next(&site, &first.refresh).await;
    assert_ne!(second.refresh, first.refresh);
    assert_eq!(second.user_id, first.user_id);
    assert!(site.is_in(&second.access).await);
    next(&site, &second.refresh).await;
}

/// The actions of the holder of tokens. Generations count from 0, the sign-in's.
enum Step {
    /// Time passes, in seconds.
    Wait(i64),
    /// Presents the refresh token of the first generation; the response has that of the second.
    Refresh(usize, usize),
    /// Uses the newest access token: the last response has arrived.
    Use,
    /// The refresh token of this generation is refused, and from then on the whole session.
    Ends(usize),
}
use Step::{Ends, Refresh, Use, Wait};

/// A used token is honest only while its holder cannot have received the next one.
#[tokio::test]
async fn an_older_token_goes_on_or_ends_the_session() {
    let site = site().await;
    for (what, steps) in [
        (
            "a parent gets the same child for a moment",
            &[Refresh(0, 1), Use, Wait(10), Refresh(0, 1), Refresh(1, 2)][..],
        ),
        (
            "a lost response is sent again the next morning",
            &[
                Refresh(0, 1),
                Wait(DAY / 2),
                Refresh(0, 1),
                Use,
                Refresh(1, 2),
            ],
        ),
        (
            "a grandparent gets the newest for a moment",
            &[
                Refresh(0, 1),
                Wait(4),
                Refresh(1, 2),
                Use,
                Wait(6),
                Refresh(0, 2),
                Wait(3600),
                Refresh(2, 3),
            ],
        ),
        (
            "a grandparent's own moment is over, its child's is not",
            &[Refresh(0, 1), Wait(4), Refresh(1, 2), Wait(7), Ends(0)],
        ),
        (
            "three rotations old, even at once",
            &[Refresh(0, 1), Refresh(1, 2), Refresh(2, 3), Ends(0)],
        ),
    ] {
        let mut generations = vec![site.program().await];
        for step in steps {
            match step {
                Wait(seconds) => site.state.clock.advance(*seconds),
                Use => assert!(
                    site.is_in(&generations.last().unwrap().access).await,
                    "{what}"
                ),
                Refresh(old, new) => {
                    let got = next(&site, &generations[*old].refresh).await;
                    if let Some(known) = generations.get_mut(*new) {
                        assert_eq!(got.refresh, known.refresh, "{what}");
                        *known = got;
                    } else {
                        assert_eq!(*new, generations.len());
                        generations.push(got);
                    }
                }
                Ends(old) => {
                    let code = refused(&site, &generations[*old].refresh).await;
                    assert_eq!(code, "refresh_token_already_used", "{what}");
                    for each in &generations {
                        assert_eq!(refused(&site, &each.refresh).await, "session_not_found");
                    }
                }
            }
        }
    }
}

/// A token was stolen: one of the two presents it after the other's response was used.
async fn a_token_whose_answer_arrived_ends_the_session(database: TestDatabase) {
    let site = site_on(database).await;
    let first = site.program().await;
    let second = next(&site, &first.refresh).await;
    assert!(site.is_in(&second.access).await);
    site.state.clock.advance(11);
    let code = refused(&site, &first.refresh).await;
    assert_eq!(code, "refresh_token_already_used");
    // The whole session is over, for both.
    for each in [&first, &second] {
        assert_eq!(refused(&site, &each.refresh).await, "session_not_found");
        let answer = site.user(&each.access).await;
        assert_eq!(answer.problem(), (401, "session_not_found"));
    }
}

async fn a_session_that_has_ended_is_not_kept(database: TestDatabase) {
    let site = site_on(database).await;
    let kept = async |access: &str| {
        let session = site.state.store.session(&session_id(access)).await;
        session.unwrap().is_some()
    };
    let left = site.program().await;
    assert!(kept(&left.access).await);
    assert_eq!(site.sign_out(&left.access, "").await, 204);
    assert!(!kept(&left.access).await, "signed out");

    let stolen = site.program().await;
    let next_one = next(&site, &stolen.refresh).await;
    next(&site, &next_one.refresh).await;
    site.state.clock.advance(11);
    refused(&site, &stolen.refresh).await;
    assert!(!kept(&stolen.access).await, "used twice");

    let old = site.program().await;
    site.state.clock.advance(90 * DAY);
    site.state.sign_in.tidy().await.unwrap();
    assert!(!kept(&old.access).await, "over");
}

/// A slow machine answers some of them 503. No client loses its session by that.
async fn fifty_refreshes_at_once_all_stay_signed_in(database: TestDatabase) {
    let site = site_on(database).await;
    let replica = site.another().await;
    let mut token = site.program().await.refresh;
    for round in 1..=3 {
        let refresh = |index| {
            let asked = if index % 2 == 0 { &site } else { &replica };
            asked.refresh_patiently(&token, None, None)
        };
        let sessions = join_all((0..50).map(refresh)).await;
        let tokens: HashSet<_> = sessions.iter().map(|session| &session.refresh).collect();
        assert_eq!(tokens.len(), 1, "round {round}: one child");
        for session in &sessions[..3] {
            assert!(site.is_in(&session.access).await);
        }
        token = sessions[0].refresh.clone();
        // A later refresh is not concurrent.
        site.state.clock.advance(60);
    }
}

#[tokio::test]
async fn a_token_that_was_never_made_changes_nothing() {
    let site = site().await;
    let user = site.program().await;
    let (id, _) = user.refresh.split_once('.').unwrap();
    let (rest, mac) = user.refresh.rsplit_once('.').expect("a MAC");
    let other = site.program().await.refresh;
    let (_, other_mac) = other.rsplit_once('.').expect("a MAC");
    for forged in [
        format!("{id}.1.{mac}"),
        format!("{rest}.{other_mac}"),
        rest.to_owned(),
        format!("{rest}."),
        id.to_owned(),
        user.refresh.to_uppercase(),
        user.access.clone(),
    ] {
        let code = refused(&site, &forged).await;
        assert_eq!(code, "refresh_token_not_found", "{forged}");
    }
    next(&site, &user.refresh).await;
}

#[tokio::test]
async fn a_session_ends_after_ninety_days() {
    let site = site().await;
    let first = site.program().await;
    site.state.clock.advance(90 * DAY - 60);
    let last = next(&site, &first.refresh).await;
    site.state.clock.advance(59);
    assert!(site.is_in(&last.access).await);
    site.state.clock.advance(1);
    let user = site.user(&last.access).await;
    assert_eq!(
        user.problem(),
        (401, "bad_jwt"),
        "no access token outlives its session"
    );
    assert_eq!(refused(&site, &last.refresh).await, "session_not_found");
}
