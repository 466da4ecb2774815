//! Sessions that began at a provider: of other apps, on several servers, of people who are gone.

use serde_json::Value;

use super::{Stage, x_user};
use crate::auth::site::answer::{location, read, refusal, set_cookie, signed};
use crate::support::database::{TestDatabase, on_both};
use crate::support::providers::Browser;

on_both!(
    another_app_holds_its_own_refresh_token,
    a_deleted_account_is_signed_out_everywhere_and_comes_back_as_somebody_new,
);

async fn another_app_holds_its_own_refresh_token(database: TestDatabase) {
    let app = "http://127.0.0.1:1/done";
    let stage = Stage::open_with(database, &[&format!("--redirect-urls={app}")]).await;
    stage
        .providers
        .person("twitter", x_user("1", "alice"))
        .await;
    let browser = Browser::new();
    let attempt = stage.leave_for(&browser, "twitter", Some(app)).await;
    let attempt = stage.pass(&browser, attempt).await;
    let answer = browser.open(&attempt.callback).await;
    let at = answer.headers()["location"].to_str().expect("ASCII");
    let code = at
        .strip_prefix(&format!("{app}?code="))
        .expect("a code for the app");

    // Its page is of a foreign origin; there is no cookie, and the token in the body is the real one.
    let origin = Some("http://127.0.0.1:1");
    let answer = stage
        .site
        .exchange(code, &attempt.verifier, origin, None)
        .await;
    assert_eq!(set_cookie(&answer), None);
    let session = signed(answer).await;
    let answer = stage.site.refresh(&session.refresh, origin, None).await;
    assert_eq!(set_cookie(&answer), None);
    let next = signed(answer).await;
    assert_eq!(next.user_id, session.user_id);
    assert_ne!(next.refresh, session.refresh);
}

async fn a_deleted_account_is_signed_out_everywhere_and_comes_back_as_somebody_new(
    database: TestDatabase,
) {
    let stage = Stage::open(database).await;
    let here = stage.somebody("1", "alice").await;
    let there = stage.somebody("1", "alice").await;
    let waiting = Browser::new();
    let late = stage.visit(&waiting, "twitter").await;
    let code = stage.land(&waiting, &late.callback).await;

    let request = stage.site.post("/functions/v1/delete-account");
    let answer = request.bearer_auth(&here.access).send().await;
    assert_eq!(answer.expect("an answer").status(), 200);
    let origin = Some(stage.site.origin.as_str());
    for session in [&here, &there] {
        let (status, problem) = read(stage.site.user(&session.access).await).await;
        assert_eq!(status, 401);
        // What makes the client library forget the session.
        assert_eq!(problem["code"], "session_not_found");
        let cookie = session.cookie.as_deref();
        let answer = stage.site.refresh(&session.refresh, origin, cookie).await;
        assert_eq!(refusal(answer).await.0, 400);
    }
    // A code of before leads nowhere.
    let answer = stage
        .site
        .exchange(&code["code"], &late.verifier, origin, None)
        .await;
    assert_eq!(
        refusal(answer).await,
        (400, "flow_state_not_found".to_owned())
    );

    let again = stage.somebody("1", "alice").await;
    assert_ne!(again.user_id, here.user_id);
    assert_eq!(stage.profile(&again.user_id).await.username, "alice");
}

#[tokio::test]
async fn two_servers_on_one_database_are_one_service() {
    let stage = Stage::open(TestDatabase::postgres().await).await;
    let other = stage.replica().await;
    stage
        .providers
        .person("twitter", x_user("1", "alice"))
        .await;
    let browser = Browser::new();
    // It begins at one of them, and comes back to the other.
    let attempt = stage.visit(&browser, "twitter").await;
    let authority = other.state.config.listen.to_string();
    let answer = browser.open_at(&attempt.callback, &authority).await;
    let got = location(&answer);
    let session = stage.exchange(&attempt, &got).await;
    assert_eq!(other.user(&session.access).await.status(), 200);

    // A refresh at each of them, and at both at once.
    let origin = Some(stage.site.origin.as_str());
    let cookie = session.cookie.as_deref();
    let (one, two) = tokio::join!(
        stage.site.refresh(&session.refresh, origin, cookie),
        other.refresh(&session.refresh, origin, cookie)
    );
    let (one, two) = (signed(one).await, signed(two).await);
    assert_eq!(one.cookie, two.cookie);

    // What ends at one has ended at the other, at once.
    assert_eq!(stage.site.sign_out(&one.access, "?scope=global").await, 204);
    let (status, problem): (_, Value) = read(other.user(&two.access).await).await;
    assert_eq!(
        (status.as_u16(), &problem["code"]),
        (401, &"session_not_found".into())
    );
    let answer = other
        .refresh(&two.refresh, origin, two.cookie.as_deref())
        .await;
    assert_eq!(refusal(answer).await.0, 400);

    // So has a callback that one of them has seen.
    let attempt = stage.visit(&browser, "twitter").await;
    stage.land(&browser, &attempt.callback).await;
    let again = location(&browser.open_at(&attempt.callback, &authority).await);
    assert_eq!(again["error_code"], "bad_oauth_state");
}
