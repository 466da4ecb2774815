//! What visitors ask for is made once for each change: the same question has the same answer, and a tag that tells when it has
//! another one.

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Method, Response};
use serde_json::Value;

use crate::people::{prove, sign_in};
use crate::support::app::TestApp;
use crate::support::database::{TestDatabase, on_both};
use crate::support::until;

on_both!(
    rows_are_sent_again_only_when_something_changed,
    questions_that_differ_have_answers_of_their_own,
);

const FIRST: &str = "/api/rest/v1/profiles?select=id,username,rank&limit=2";

async fn ask(app: &TestApp, path: &str, headers: &[(&'static str, &str)]) -> Response {
    let headers = headers.iter().map(|(name, value)| {
        let value = HeaderValue::from_str(value).expect("a header");
        (name.parse().expect("a header"), value)
    });
    let request = app.request(Method::GET, path);
    let request = request.headers(headers.collect::<HeaderMap>());
    request.send().await.expect("an answer")
}

fn tag(response: &Response) -> String {
    let tag = response.headers()["etag"].to_str();
    tag.expect("a tag").to_owned()
}

async fn rows_are_sent_again_only_when_something_changed(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 3).await;
    for coding in ["identity", "gzip", "br"] {
        let first = ask(&app, FIRST, &[("accept-encoding", coding)]).await;
        assert_eq!(first.status(), 200);
        assert_eq!(first.headers()["cache-control"], "no-cache");
        assert_eq!(first.headers()["x-content-type-options"], "nosniff");
        let tag = tag(&first);
        let again = [("accept-encoding", coding), ("if-none-match", tag.as_str())];
        let again = ask(&app, FIRST, &again).await;
        assert_eq!(again.status(), 304);
        assert_eq!(again.headers()["etag"], tag.as_str());
        assert_eq!(again.headers()["x-request-id"].len(), 36);
        assert!(again.bytes().await.expect("a body").is_empty());
    }
    for (id, same) in [("looked-for", true), ("not looked for", false)] {
        let answer = ask(&app, FIRST, &[("x-request-id", id)]).await;
        assert_eq!(answer.headers()["x-request-id"] == id, same);
    }
    let amounts = "/api/rest/v1/profiles?select=username,bitcoin_holdings&limit=2";
    let names = tag(&ask(&app, FIRST, &[]).await);
    let before = tag(&ask(&app, amounts, &[]).await);
    prove(&app.state, &person, 4).await;
    let after = ask(&app, amounts, &[("if-none-match", &before)]).await;
    assert_eq!(after.status(), 200);
    assert_ne!(tag(&after), before);
    // A change of something else is none.
    let same = ask(&app, FIRST, &[("if-none-match", &names)]).await;
    assert_eq!(same.status(), 304);
    assert_eq!(
        same.headers()["board-number"],
        after.headers()["board-number"]
    );
}

async fn questions_that_differ_have_answers_of_their_own(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    for (name, sats) in [("hal", 3), ("satoshi", 2), ("adam", 1)] {
        let person = sign_in(&app.state, "twitter", name, None).await;
        prove(&app.state, &person, sats).await;
    }
    let member = app.sign_in().await;
    app.caught_up().await;
    let one = "application/vnd.pgrst.object+json";
    // Twice: as they are made, and as they are kept.
    for _ in 0..2 {
        let range = async |headers: &[(&'static str, &str)]| {
            let answer = ask(&app, FIRST, headers).await;
            let range = answer.headers()["content-range"].to_str();
            (answer.status().as_u16(), range.expect("text").to_owned())
        };
        assert_eq!(range(&[]).await, (200, "0-1/*".to_owned()));
        assert_eq!(
            range(&[("prefer", "count=exact")]).await,
            (206, "0-1/4".to_owned())
        );
        assert_eq!(ask(&app, FIRST, &[("accept", one)]).await.status(), 406);
        let hal = "/api/rest/v1/profiles?select=username&username=eq.hal";
        let single: Value = ask(&app, hal, &[("accept", one)])
            .await
            .json()
            .await
            .expect("JSON");
        assert_eq!(single["username"], "hal");
        let list: Value = ask(&app, hal, &[]).await.json().await.expect("JSON");
        assert_eq!(list[0], single);
        // One's own row says more, to oneself alone.
        let own = format!("/api/rest/v1/profiles?select=id,tier&id=eq.{}", member.id);
        let seen = async |token: &str| {
            let bearer = format!("Bearer {token}");
            let answer = ask(&app, &own, &[("authorization", &bearer)]).await;
            (
                answer.status().as_u16(),
                answer.headers().contains_key("etag"),
            )
        };
        assert_eq!(seen("a.public.key").await.0, 401);
        assert_eq!(seen("sb_publishable").await, (200, false));
        assert_eq!(seen(&member.token).await, (200, false));
    }
}

/// The number of the newest change on the board.
fn number(app: &TestApp) -> Option<i64> {
    let newest = app.state.board.newest();
    newest.borrow().as_ref().map(|seen| seen.number)
}

/// Every replica gives the same bytes under the same tag, whether it followed the changes or read the board later.
#[tokio::test]
async fn replicas_that_have_seen_the_same_changes_answer_the_same() {
    let database = TestDatabase::postgres().await;
    let first = TestApp::start(database.again(), &[]).await;
    let second = TestApp::start(database.again(), &[]).await;
    for round in 1..4 {
        let person = sign_in(&first.state, "twitter", &format!("holder {round}"), None).await;
        prove(&first.state, &person, round).await;
        until("following", async || {
            (number(&second) == number(&first)).then_some(())
        })
        .await;
        let late = TestApp::start(database.again(), &[]).await;
        let mut answers = Vec::new();
        for app in [&first, &second, &late] {
            app.caught_up().await;
            let answer = ask(app, "/api/rest/v1/profiles", &[("accept-encoding", "br")]).await;
            answers.push((tag(&answer), answer.bytes().await.expect("bytes")));
        }
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0], answers[2]);
    }
}
