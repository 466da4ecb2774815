//! Whose name it is, and who is not the same person (decisions, D7).

use futures_util::future::join_all;
use serde_json::json;

use super::{Stage, github_user, google_user, x_user};
use crate::support::database::{TestDatabase, on_both};
use crate::support::providers::Browser;

on_both!(
    whoever_has_the_name_now_takes_it_over,
    of_two_who_come_at_once_with_one_name_one_has_it,
    two_who_swap_their_names_at_once_both_get_in,
    one_person_in_two_tabs_is_one_account,
);

async fn whoever_has_the_name_now_takes_it_over(database: TestDatabase) {
    let stage = Stage::open(database).await;
    let old = stage.somebody("1", "Satoshi").await;
    let new = stage.somebody("2", "satoshi").await;
    assert_ne!(new.user_id, old.user_id);
    assert_eq!(stage.profile(&new.user_id).await.username, "satoshi");
    let fallback = format!("user_{}", &old.user_id[..5]);
    assert_eq!(stage.profile(&old.user_id).await.username, fallback);

    // The older one is called something else by now, and gets that name at the next sign-in.
    let again = stage.somebody("1", "nakamoto").await;
    assert_eq!(again.user_id, old.user_id);
    assert_eq!(stage.profile(&old.user_id).await.username, "nakamoto");
    assert_eq!(stage.profile(&new.user_id).await.username, "satoshi");
}

async fn of_two_who_come_at_once_with_one_name_one_has_it(database: TestDatabase) {
    let stage = Stage::open(database).await;
    let mut attempts = Vec::new();
    for id in ["1", "2", "3", "4", "5", "6"] {
        stage
            .providers
            .person("twitter", x_user(id, "satoshi"))
            .await;
        let browser = Browser::new();
        let attempt = stage.visit(&browser, "twitter").await;
        attempts.push((browser, attempt));
    }
    let landings = attempts.iter().map(async |(browser, attempt)| {
        let got = stage.land(browser, &attempt.callback).await;
        stage.exchange(attempt, &got).await.user_id
    });
    let ids = join_all(landings).await;
    let mut named = 0;
    for id in &ids {
        let name = stage.profile(id).await.username;
        named += usize::from(name == "satoshi");
        assert!(name == "satoshi" || name == format!("user_{}", &id[..5]));
    }
    assert_eq!(named, 1);
    assert_eq!(stage.people().await, ids.len());
}

async fn two_who_swap_their_names_at_once_both_get_in(database: TestDatabase) {
    let stage = Stage::open(database).await;
    let one = stage.somebody("1", "alpha").await.user_id;
    let two = stage.somebody("2", "omega").await.user_id;
    for (first, second) in [("omega", "alpha"), ("alpha", "omega"), ("omega", "alpha")] {
        let mut attempts = Vec::new();
        for (id, name) in [("1", first), ("2", second)] {
            stage.providers.person("twitter", x_user(id, name)).await;
            let browser = Browser::new();
            let attempt = stage.visit(&browser, "twitter").await;
            attempts.push((browser, attempt));
        }
        let landings = attempts.iter().map(async |(browser, attempt)| {
            let got = stage.land(browser, &attempt.callback).await;
            stage.exchange(attempt, &got).await.user_id
        });
        assert_eq!(join_all(landings).await, [one.clone(), two.clone()]);
        // Each has the name that the provider says, or lost it to the other for being there first.
        for (id, name) in [(&one, first), (&two, second)] {
            let shown = stage.profile(id).await.username;
            assert!(
                shown == name || shown == format!("user_{}", &id[..5]),
                "{shown}"
            );
        }
    }
}

async fn one_person_in_two_tabs_is_one_account(database: TestDatabase) {
    let stage = Stage::open(database).await;
    stage
        .providers
        .person("twitter", x_user("1", "satoshi"))
        .await;
    let browser = Browser::new();
    let left = stage.visit(&browser, "twitter").await;
    let right = stage.visit(&browser, "twitter").await;
    let (one, two) = tokio::join!(
        stage.land(&browser, &left.callback),
        stage.land(&browser, &right.callback)
    );
    let one = stage.exchange(&left, &one).await;
    let two = stage.exchange(&right, &two).await;
    assert_eq!(one.user_id, two.user_id);
    assert_eq!(stage.people().await, 1);
    assert_eq!(stage.profile(&one.user_id).await.username, "satoshi");
}

#[tokio::test]
async fn names_of_two_providers_are_two_people() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let x = stage.somebody("1", "satoshi").await;
    // Even with the same number as id.
    stage
        .providers
        .person("github", github_user(1, "satoshi", &json!([])))
        .await;
    let github = stage.sign_in(&Browser::new(), "github").await;
    assert_ne!(github.user_id, x.user_id);
    let answer = stage
        .site
        .get("/rest/v1/profiles?username=ilike.satoshi")
        .send()
        .await;
    let rows: serde_json::Value = answer.expect("an answer").json().await.expect("JSON");
    let mut providers: Vec<&str> = rows
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row["provider"].as_str())
        .collect();
    providers.sort_unstable();
    assert_eq!(
        providers,
        ["github", "twitter"],
        "nobody passes for somebody else"
    );
}

#[tokio::test]
async fn an_address_makes_nobody_the_same() {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    let address = "shared@mail.example";
    stage
        .providers
        .person("google", google_user("1", address, true))
        .await;
    let google = stage.sign_in(&Browser::new(), "google").await;
    let emails = json!([{"email": address, "primary": true, "verified": true}]);
    stage
        .providers
        .person("github", github_user(1, "octo", &emails))
        .await;
    let github = stage.sign_in(&Browser::new(), "github").await;
    assert_ne!(google.user_id, github.user_id);
    for session in [&google, &github] {
        assert_eq!(stage.user(&session.access).await["email"], address);
    }
}
