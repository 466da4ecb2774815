//! How a session continues, in body mode.

use super::*;

on_both!(
    an_older_token_goes_on_or_ends_the_session,
    a_session_that_has_ended_is_not_kept,
    fifty_refreshes_at_once_all_stay_signed_in,
);

async fn next(site: &TestApp, session: &Signed) -> Signed {
    signed(&site.renew(session).await)
}

async fn refused(site: &TestApp, session: &Signed) -> String {
    let answer = site.renew(session).await;
    let (status, code) = answer.problem();
    assert_eq!(status, 400);
    code.to_owned()
}

/// A used token is honest only while its holder cannot have received the next one. The steps of the holder of tokens, whose
/// generations count from 0, the sign-in's: `+10` seconds pass; `0>1` presents the token of one generation, and the response has that
/// of the other; `use` uses the newest access token, so that the last response has arrived; the token `0>x` is refused, and from then
/// on the whole session.
const STEPS: &str = "
    a parent gets the same child for a moment | 0>1 use +10 0>1 1>2
    a lost response is sent again the next morning | 0>1 +43200 0>1 use 1>2
    a grandparent gets the newest for a moment | 0>1 +4 1>2 use +6 0>2 +3600 2>3
    stolen: the other's response was used | 0>1 use +11 0>x
    stolen, long after a response was lost | 0>1 +3000 0>1 use +11 0>x
    a grandparent's own moment is over, its child's is not | 0>1 +4 1>2 +7 0>x
    three rotations old, even at once | 0>1 1>2 2>3 0>x";

/// In both modes: a page presents the id with the cookie.
async fn an_older_token_goes_on_or_ends_the_session(database: TestDatabase) {
    let site = site_on(database).await;
    for [what, steps] in table(STEPS) {
        present(&site, site.program().await, what, steps).await;
        present(&site, site.page().await, what, steps).await;
    }
}

async fn present(site: &TestApp, first: Signed, what: &str, steps: &str) {
    let mut generations = vec![first];
    for step in steps.split(' ') {
        let Some((old, new)) = step.split_once('>') else {
            match step.parse() {
                Ok(seconds) => site.state.clock.advance(seconds),
                Err(_) => assert!(site.is_in(&generations.last().unwrap().access).await),
            }
            continue;
        };
        let old = &generations[old.parse::<usize>().unwrap()];
        if let Ok(new) = new.parse::<usize>() {
            let got = next(site, old).await;
            if let Some(known) = generations.get(new) {
                assert_eq!(
                    (&got.refresh, &got.cookie),
                    (&known.refresh, &known.cookie),
                    "{what}"
                );
            }
            generations.truncate(new);
            generations.push(got);
            continue;
        }
        assert_eq!(
            refused(site, old).await,
            "refresh_token_already_used",
            "{what}"
        );
        for each in &generations {
            assert_eq!(refused(site, each).await, "session_not_found");
            let user = site.user(&each.access).await;
            assert_eq!(user.problem(), (401, "session_not_found"));
        }
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
    let next_one = next(&site, &stolen).await;
    next(&site, &next_one).await;
    site.state.clock.advance(11);
    refused(&site, &stolen).await;
    assert!(!kept(&stolen.access).await, "used twice");

    let old = site.program().await;
    site.state.clock.advance(90 * DAY);
    site.state.sign_in.tidy().await.unwrap();
    assert!(!kept(&old.access).await, "over");
}

/// A slow machine answers some of them 503. No client loses its session by that, neither a program nor the tabs of a page.
async fn fifty_refreshes_at_once_all_stay_signed_in(database: TestDatabase) {
    let site = site_on(database).await;
    let replica = site.another().await;
    for mut session in [site.program().await, site.page().await] {
        for round in 1..=3 {
            let refresh = |index: usize| [&site, &replica][index % 2].renew_patiently(&session);
            let sessions = join_all((0..50).map(refresh)).await;
            let tokens = sessions.iter().map(|it| (&it.refresh, &it.cookie));
            assert_eq!(
                HashSet::<_>::from_iter(tokens).len(),
                1,
                "round {round}: one child"
            );
            for session in &sessions[..3] {
                assert!(site.is_in(&session.access).await);
            }
            session = sessions[0].clone();
            // A later refresh is not concurrent.
            site.state.clock.advance(60);
        }
    }
}

#[tokio::test]
async fn a_token_that_was_never_made_changes_nothing() {
    let site = site().await;
    let user = site.program().await;
    let (rest, _) = user.refresh.rsplit_once('.').expect("a MAC");
    let other = site.program().await.refresh;
    let (_, other_mac) = other.rsplit_once('.').expect("a MAC");
    for forged in [&format!("{rest}.{other_mac}"), rest, &user.access] {
        let answer = site.refresh(forged, None, None).await;
        assert_eq!(
            answer.problem(),
            (400, "refresh_token_not_found"),
            "{forged}"
        );
    }
    next(&site, &user).await;
}

#[tokio::test]
async fn a_session_ends_after_ninety_days() {
    let site = site().await;
    let first = site.program().await;
    site.state.clock.advance(90 * DAY - 60);
    let last = next(&site, &first).await;
    site.state.clock.advance(59);
    assert!(site.is_in(&last.access).await);
    site.state.clock.advance(1);
    // No access token outlives its session.
    let user = site.user(&last.access).await;
    assert_eq!(user.problem(), (401, "bad_jwt"));
    assert_eq!(refused(&site, &last).await, "session_not_found");
}
