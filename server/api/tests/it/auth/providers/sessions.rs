//! Sessions of providers' users: on several servers, and after the user's deletion.

use super::{Stage, x_user};
use crate::auth::site::signed;
use crate::support::prelude::*;
use crate::support::providers::Browser;
use crate::support::sign_in::location;

on_both!(a_deleted_account_is_signed_out_everywhere_and_comes_back_as_somebody_new);

async fn a_deleted_account_is_signed_out_everywhere_and_comes_back_as_somebody_new(
    database: TestDatabase,
) {
    let stage = Stage::open(database).await;
    let site = &stage.site;
    let here = stage.person("1", "alice").await;
    let there = stage.person("1", "alice").await;
    let waiting = Browser::new();
    let late = stage.visit(&waiting, "twitter").await;
    let got = stage.land(&waiting, &late.callback).await;

    let person = site.person(&here.user_id, &here.access);
    assert_eq!(person.delete_account().await.status, 200);
    let origin = site.site();
    for session in [&here, &there] {
        // This response makes the client library forget the session.
        let user = site.user(&session.access).await;
        assert_eq!(user.problem(), (401, "session_not_found"));
        let refreshed = site.renew(session).await;
        assert_eq!(refreshed.problem(), (400, "session_not_found"));
    }
    // An earlier code is no longer valid.
    let late = site.exchange(&got["code"], &late.verifier, Some(&origin), None);
    assert_eq!(late.await.problem(), (400, "flow_state_not_found"));

    let again = stage.person("1", "alice").await;
    assert_ne!(again.user_id, here.user_id);
    assert_eq!(stage.profile(&again.user_id).await.username, "alice");
}

#[tokio::test]
async fn two_servers_on_one_database_are_one_service() {
    let stage = Stage::open(TestDatabase::postgres().await).await;
    let other = stage.site.another().await;
    let alice = x_user("1", "alice");
    stage.providers.person("twitter", alice).await;
    let browser = Browser::new();
    let authority = other.origin.trim_start_matches("http://");
    let land_there = async |callback| {
        let response = browser.open_at(callback, authority).await;
        location(&Answer::read(response).await)
    };
    // The sign-in starts on one server and returns to the other.
    let attempt = stage.visit(&browser, "twitter").await;
    let got = land_there(&attempt.callback).await;
    let session = stage.exchange(&attempt, &got).await;
    assert!(other.is_in(&session.access).await);

    // Both servers get a refresh at the same time.
    let (one, two) = tokio::join!(stage.site.renew(&session), other.renew(&session));
    assert_eq!(signed(&one).cookie, signed(&two).cookie);

    // A callback that one server has handled is over on the other.
    let attempt = stage.visit(&browser, "twitter").await;
    stage.land(&browser, &attempt.callback).await;
    let again = land_there(&attempt.callback).await;
    assert_eq!(again["error_code"], "bad_oauth_state");
}
