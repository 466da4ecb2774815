//! A new signing key: nobody is signed out, on whichever server.

use api::sign_in::keys::{self, PUBLISHED_FIRST, REREAD};
use serde_json::Value;

use super::site::answer::{read, signed};
use super::site::{NOW, Site};
use crate::support::database::{TestDatabase, on_both};

on_both!(
    a_rotation_signs_nobody_out,
    keys_that_are_over_are_forgotten
);

/// Names of the published keys, newest first.
async fn published(site: &Site) -> Vec<String> {
    let answer = site.get("/auth/v1/.well-known/jwks.json").send().await;
    let (_, set) = read(answer.expect("an answer")).await;
    let keys = set["keys"].as_array().expect("a list");
    let name = |key: &Value| key["kid"].as_str().expect("a name").to_owned();
    keys.iter().map(name).collect()
}

/// The key that signed a token.
fn signer(token: &str) -> String {
    let header = jsonwebtoken::decode_header(token).expect("a token");
    header.kid.expect("a name")
}

async fn is_in(site: &Site, access: &str) -> bool {
    site.user(access).await.status() == 200
}

async fn a_rotation_signs_nobody_out(database: TestDatabase) {
    let one = Site::start(database).await;
    let two = one.another().await;
    let before = one.program().await;
    let old = signer(&before.access);
    assert_eq!(published(&one).await, std::slice::from_ref(&old));

    let new = keys::rotate(&one.state.store, NOW).await.expect("a key");
    // Everybody learns of it before it signs.
    one.clock.advance(REREAD);
    for site in [&one, &two] {
        assert_eq!(published(site).await, [new.clone(), old.clone()]);
        assert_eq!(signer(&site.program().await.access), old);
        assert!(is_in(site, &before.access).await);
    }

    one.clock.advance(PUBLISHED_FIRST - REREAD);
    let after = signed(one.refresh(&before.refresh, None, None).await).await;
    assert_eq!(signer(&after.access), new);
    for site in [&one, &two] {
        assert!(is_in(site, &after.access).await);
        assert!(is_in(site, &before.access).await, "it has not expired");
    }

    // A server that was started after the rotation does the same.
    let three = one.another().await;
    assert_eq!(signer(&three.program().await.access), new);
    assert!(is_in(&three, &before.access).await);

    // An hour later nothing that the old key signed is left.
    one.clock.advance(3_600 + REREAD);
    assert_eq!(published(&one).await, [new]);
    assert!(!is_in(&two, &before.access).await);
    let later = signed(two.refresh(&after.refresh, None, None).await).await;
    assert_eq!(later.user_id, before.user_id);
}

async fn keys_that_are_over_are_forgotten(database: TestDatabase) {
    let site = Site::start(database).await;
    let rows = async || {
        site.state
            .store
            .keys("jwt")
            .await
            .expect("a database")
            .len()
    };
    // Two at once: each has its time.
    let second = keys::rotate(&site.state.store, NOW).await.expect("a key");
    let third = keys::rotate(&site.state.store, NOW + 1)
        .await
        .expect("a key");
    assert_eq!(rows().await, 3);
    let day = 24 * 60 * 60;
    site.clock.advance(day);
    assert_eq!(published(&site).await, std::slice::from_ref(&third));
    assert_ne!(second, third);
    let fourth = keys::rotate(&site.state.store, NOW + day)
        .await
        .expect("a key");
    assert_eq!(rows().await, 2);
    site.clock.advance(REREAD);
    assert_eq!(published(&site).await, [fourth, third]);
}
