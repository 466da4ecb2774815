//! Public responses are computed once for each change: the same request gets the same response, and a tag that changes with
//! it.

use crate::support::prelude::*;

const FIRST: &str = "/api/rest/v1/profiles?select=id,username,rank&limit=2";

#[tokio::test]
async fn rows_are_sent_again_only_when_something_changed() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 3).await;
    for (id, same) in [("looked-for", true), ("not looked for", false)] {
        let answer = app.get_with(FIRST, &[("x-request-id", id)]).await;
        assert_eq!(answer.header("x-request-id") == id, same);
    }
    let amounts = "/api/rest/v1/profiles?select=username,bitcoin_holdings&limit=2";
    let (names, before) = (app.get(FIRST).await, app.get(amounts).await);
    prove(&app.state, &person, 4).await;
    let known = before.header("etag");
    let after = app.get_with(amounts, &[("if-none-match", known)]).await;
    assert_eq!(after.status, 200);
    assert_ne!(after.header("etag"), known);
    // A change to something else does not change it.
    let known = [("if-none-match", names.header("etag"))];
    let same = app.get_with(FIRST, &known).await;
    assert_eq!(same.status, 304);
    assert_eq!(same.header("cache-control"), "no-cache");
    assert!(same.bytes.is_empty());
    assert_eq!(same.header("board-number"), after.header("board-number"));
}

/// The number of the newest change on the board.
fn number(app: &TestApp) -> Option<i64> {
    let newest = app.state.board.subscribe();
    newest.borrow().as_ref().map(|seen| seen.number)
}

/// Every replica gives the same bytes with the same tag, whether it followed the changes or read the board later.
#[tokio::test]
async fn replicas_that_have_seen_the_same_changes_answer_the_same() {
    let database = TestDatabase::postgres().await;
    let first = TestApp::start(database.again(), &[]).await;
    let second = TestApp::start(database.again(), &[]).await;
    for round in 1..4 {
        let person = sign_in(&first.state, "twitter", &format!("holder {round}"), None).await;
        prove(&first.state, &person, round).await;
        let same = async || (number(&second) == number(&first)).then_some(());
        until("following", same).await;
        let late = TestApp::start(database.again(), &[]).await;
        let ask = async |app: &TestApp| {
            let path = "/api/rest/v1/profiles";
            let answer = app.get_with(path, &[("accept-encoding", "br")]).await;
            (answer.header("etag").to_owned(), answer.bytes)
        };
        let expected = ask(&first).await;
        assert_eq!(ask(&second).await, expected);
        assert_eq!(ask(&late).await, expected);
    }
}
