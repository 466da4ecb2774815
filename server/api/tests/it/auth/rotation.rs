//! A new signing key: every user stays signed in, on every server.

use api::sign_in::keys::{self, PUBLISHED_FIRST, REREAD};

use super::*;

on_both!(
    a_rotation_signs_nobody_out,
    keys_that_are_over_are_forgotten,
);

/// Names of the published keys, newest first.
async fn published(site: &TestApp) -> Vec<String> {
    let set = site.auth("GET", ".well-known/jwks.json", &[], None).await;
    let keys = set.body["keys"].as_array().unwrap();
    keys.iter().map(|key: &Value| text(&key["kid"])).collect()
}

/// The key that signed a token.
fn signer(token: &str) -> String {
    let header = jsonwebtoken::decode_header(token).unwrap();
    header.kid.unwrap()
}

async fn a_rotation_signs_nobody_out(database: TestDatabase) {
    let one = site_on(database).await;
    let two = one.another().await;
    let before = one.program().await;
    let old = signer(&before.access);
    assert_eq!(published(&one).await, std::slice::from_ref(&old));

    let new = keys::rotate(&one.state.store, NOW).await.unwrap();
    // Every server learns the key before it signs with it.
    one.state.clock.advance(REREAD);
    for site in [&one, &two] {
        assert_eq!(published(site).await, [new.clone(), old.clone()]);
        assert_eq!(signer(&site.program().await.access), old);
        assert!(site.is_in(&before.access).await);
    }
    one.state.clock.advance(PUBLISHED_FIRST - REREAD);
    let after = signed(&one.renew(&before).await);
    assert_eq!(signer(&after.access), new);
    for site in [&one, &two] {
        assert!(site.is_in(&after.access).await);
        assert!(site.is_in(&before.access).await, "it has not expired");
    }
    // A server that was started after the rotation does the same.
    let three = one.another().await;
    assert_eq!(signer(&three.program().await.access), new);
    assert!(three.is_in(&before.access).await);

    // An hour later all tokens of the old key have expired.
    one.state.clock.advance(3_600 + REREAD);
    assert_eq!(published(&one).await, [new]);
    assert!(!two.is_in(&before.access).await);
    let later = signed(&two.renew(&after).await);
    assert_eq!(later.user_id, before.user_id);
}

async fn keys_that_are_over_are_forgotten(database: TestDatabase) {
    let site = site_on(database).await;
    let store = &site.state.store;
    let rotate = async |at| keys::rotate(store, at).await.unwrap();
    let rows = async || store.keys("jwt").await.unwrap().len();
    // Two rotations at once: each key has its time.
    let (second, third) = (rotate(NOW).await, rotate(NOW + 1).await);
    assert_ne!(second, third);
    assert_eq!(rows().await, 3);
    site.state.clock.advance(DAY);
    assert_eq!(published(&site).await, std::slice::from_ref(&third));
    let fourth = rotate(NOW + DAY).await;
    assert_eq!(rows().await, 2);
    site.state.clock.advance(REREAD);
    assert_eq!(published(&site).await, [fourth, third]);
}
