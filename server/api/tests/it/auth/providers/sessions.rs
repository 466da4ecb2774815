//! Sessions of providers' users: on several servers, and after the user's deletion.

use super::*;

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
