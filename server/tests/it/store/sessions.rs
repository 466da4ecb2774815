//! Codes and sessions.

use server::store::profiles::Profile;
use server::store::sessions::{AuthCode, Session, SignOutScope};
use uuid::Uuid;

use super::{NOW, user};
use crate::support::database::{TestDatabase, on_both};

on_both!(
    a_code_works_once,
    a_session_rotates_once,
    signing_out_ends_what_its_scope_says,
);

async fn a_code_works_once(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    let code = AuthCode {
        code_hash: "aa".repeat(32),
        user_id: hal.id,
        code_challenge: "challenge".to_owned(),
        cookie: true,
        expires_at: NOW + 60,
    };
    store.add_auth_code(&code, NOW).await.unwrap();
    assert_eq!(
        store.take_auth_code(&code.code_hash).await.unwrap(),
        Some(code.clone())
    );
    assert_eq!(store.take_auth_code(&code.code_hash).await.unwrap(), None);
    // Codes whose time is over go when the next one comes.
    store.add_auth_code(&code, NOW).await.unwrap();
    let next = AuthCode {
        code_hash: "bb".repeat(32),
        expires_at: NOW + 120,
        ..code.clone()
    };
    store.add_auth_code(&next, NOW + 60).await.unwrap();
    assert_eq!(store.take_auth_code(&code.code_hash).await.unwrap(), None);
}

pub(super) fn session(user: &Profile, id: &str) -> Session {
    Session {
        id: id.to_owned(),
        user_id: user.id.clone(),
        cookie: false,
        counter: 0,
        rotated_at: NOW,
        created_at: NOW,
        expires_at: NOW + 1_000,
        revoked_at: None,
    }
}

async fn a_session_rotates_once(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    store.add_session(&session(&hal, "s1")).await.unwrap();
    let attempts = (0..20).map(|_| store.rotate_session("s1", 0, NOW + 1));
    let outcomes = futures_util::future::join_all(attempts).await;
    let rotated = outcomes
        .into_iter()
        .filter(|outcome| *outcome.as_ref().unwrap())
        .count();
    assert_eq!(rotated, 1);
    let kept = store.session("s1").await.unwrap().unwrap();
    assert_eq!((kept.counter, kept.rotated_at), (1, NOW + 1));
    store.revoke_session("s1", NOW + 2).await.unwrap();
    assert!(!store.rotate_session("s1", 1, NOW + 3).await.unwrap());
}

async fn signing_out_ends_what_its_scope_says(database: TestDatabase) {
    let store = database.store().await;
    for (scope, expected) in [
        (SignOutScope::Local, [false, true]),
        (SignOutScope::Others, [true, false]),
        (SignOutScope::Global, [false, false]),
    ] {
        let hal = user(&store, "hal").await;
        let ids = [Uuid::new_v4().to_string(), Uuid::new_v4().to_string()];
        for id in &ids {
            store.add_session(&session(&hal, id)).await.unwrap();
        }
        store
            .sign_out(&session(&hal, &ids[0]), scope, NOW + 5)
            .await
            .unwrap();
        for (id, live) in ids.iter().zip(expected) {
            let kept = store.session(id).await.unwrap().unwrap();
            assert_eq!(kept.live(NOW + 6), live, "{scope:?}");
        }
    }
}
