//! How a session continues.

use super::*;

on_both!(
    an_older_refresh_token_continues_or_ends_the_session,
    fifty_refreshes_at_once_all_stay_signed_in,
);

async fn refused(site: &TestApp, session: &Signed, code: &str) {
    let answer = site.renew(session).await;
    assert_eq!(answer.problem(), (400, code));
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
async fn an_older_refresh_token_continues_or_ends_the_session(database: TestDatabase) {
    let site = TestApp::start(database, &[]).await;
    for [what, steps] in table(STEPS) {
        println!("{what}");
        present(&site, site.program().await, steps).await;
        present(&site, site.page().await, steps).await;
    }
}

async fn present(site: &TestApp, first: Signed, steps: &str) {
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
            let got = signed(&site.renew(old).await);
            if let Some(known) = generations.get(new) {
                assert_eq!(got.refresh, known.refresh);
                assert_eq!(got.cookie, known.cookie);
            }
            generations.truncate(new);
            generations.push(got);
            continue;
        }
        refused(site, old, "refresh_token_already_used").await;
        for each in &generations {
            refused(site, each, "session_not_found").await;
            let user = site.user(&each.access).await;
            assert_eq!(user.problem(), (401, "session_not_found"));
            assert_eq!(site.on_record(&each.access).await, None);
        }
    }
}

/// A slow machine answers some of them 503. No client loses its session by that, neither a program nor the tabs of a page.
async fn fifty_refreshes_at_once_all_stay_signed_in(database: TestDatabase) {
    let site = TestApp::start(database, &[]).await;
    let replica = site.another().await;
    // As the client library does it: it tries again when the server is busy.
    let renewed = async |server: &TestApp, session: &Signed| {
        until("a refresh", async || {
            let answer = server.renew(session).await;
            if answer.status != 503 {
                return Some(signed(&answer));
            }
            assert_ne!(answer.header("retry-after"), "", "{answer:?}");
            assert_eq!(answer.header("set-cookie"), "");
            None
        })
        .await
    };
    for mut session in [site.program().await, site.page().await] {
        for round in 1..=3 {
            let servers = [&site, &replica].into_iter().cycle().take(50);
            let sessions = join_all(servers.map(|server| renewed(server, &session))).await;
            let tokens = sessions.iter().map(|it| (&it.refresh, &it.cookie));
            let children = HashSet::<_>::from_iter(tokens).len();
            assert_eq!(children, 1, "round {round}: one child");
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
async fn a_session_ends_after_ninety_days() {
    let site = TestApp::development().await;
    let first = site.program().await;
    site.state.clock.advance(90 * DAY - 60);
    let last = signed(&site.renew(&first).await);
    site.state.clock.advance(59);
    assert!(site.is_in(&last.access).await);
    site.state.clock.advance(1);
    // No access token outlives its session.
    let user = site.user(&last.access).await;
    assert_eq!(user.problem(), (401, "bad_jwt"));
    refused(&site, &last, "session_not_found").await;
}
