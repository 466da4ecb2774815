//! Codes and sessions.

use store::sessions::{Session, SignOutScope};

use super::*;

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
        user_id: hal.id.clone(),
        code_challenge: "challenge".to_owned(),
        cookie: true,
        expires_at: NOW + 60,
    };
    let exchange = async |code: &AuthCode, id: &str| {
        let judge = |_| Ok::<_, sqlx::Error>(session(&hal, id));
        let exchanged = store.exchange_code(&code.code_hash, judge).await.unwrap();
        exchanged.map(|session| session.id)
    };
    store.add_auth_code(&code, NOW).await.unwrap();
    assert_eq!(exchange(&code, "s1").await.as_deref(), Some("s1"));
    assert!(store.session("s1").await.unwrap().is_some());
    assert_eq!(exchange(&code, "s2").await, None);
    for id in ["s1", "s2"] {
        assert_eq!(store.session(id).await.unwrap(), None);
    }
    // A refused code is used up as well.
    store.add_auth_code(&code, NOW).await.unwrap();
    let judge = |_| Err(sqlx::Error::RowNotFound);
    assert!(store.exchange_code(&code.code_hash, judge).await.is_err());
    assert_eq!(exchange(&code, "s3").await, None);
    // Expired codes are deleted when the next one is made.
    store.add_auth_code(&code, NOW).await.unwrap();
    let next = AuthCode {
        code_hash: "bb".repeat(32),
        expires_at: NOW + 120,
        ..code.clone()
    };
    store.add_auth_code(&next, NOW + 60).await.unwrap();
    assert_eq!(store.code_owner(&code.code_hash).await.unwrap(), None);
    let owner = store.code_owner(&next.code_hash).await.unwrap();
    assert_eq!(owner, Some(hal.id.clone()));
}

/// Begins a session, with its own code.
pub(super) async fn begin(store: &Store, session: Session) {
    let code = AuthCode {
        code_hash: Uuid::new_v4().to_string(),
        user_id: session.user_id.clone(),
        code_challenge: "challenge".to_owned(),
        cookie: session.cookie,
        expires_at: NOW + 60,
    };
    store.add_auth_code(&code, NOW).await.unwrap();
    let judge = |_| Ok::<_, sqlx::Error>(session.clone());
    let begun = store.exchange_code(&code.code_hash, judge).await.unwrap();
    assert!(begun.is_some());
}

pub(super) fn session(user: &Profile, id: &str) -> Session {
    Session {
        id: id.to_owned(),
        user_id: user.id.clone(),
        cookie: false,
        counter: 0,
        rotated_at: NOW,
        rotated_before_at: NOW,
        created_at: NOW,
        expires_at: NOW + 1_000,
        seen: 0,
    }
}

async fn a_session_rotates_once(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    begin(&store, session(&hal, "s1")).await;
    let attempts = (0..20).map(|_| store.rotate_session("s1", 0, NOW + 1));
    let outcomes = futures_util::future::join_all(attempts).await;
    let rotated = outcomes
        .into_iter()
        .filter(|outcome| *outcome.as_ref().unwrap())
        .count();
    assert_eq!(rotated, 1);
    let kept = store.session("s1").await.unwrap().unwrap();
    assert_eq!((kept.counter, kept.rotated_at), (1, NOW + 1));
    store.end_session("s1").await.unwrap();
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
            begin(&store, session(&hal, id)).await;
        }
        store
            .sign_out(&session(&hal, &ids[0]), scope)
            .await
            .unwrap();
        for (id, live) in ids.iter().zip(expected) {
            let kept = store.session(id).await.unwrap();
            assert_eq!(kept.is_some(), live, "{scope:?}");
        }
    }
}
