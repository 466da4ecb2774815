//! Who is let in, and with which tokens.

use chain::clock::Clock;
use serde_json::json;

use super::site::answer::{read, refusal, signed};
use super::site::{NOW, Site, verifier};
use crate::support::database::{TestDatabase, on_both};

mod forged;

on_both!(
    the_session_of_a_deleted_user_is_dead,
    replicas_that_start_together_have_the_same_keys,
    servers_whose_clocks_differ_are_one_service,
);

#[tokio::test]
async fn nobody_gets_in_without_a_token() {
    let site = Site::sqlite().await;
    let token = site.program().await.access;
    for value in [
        None,
        Some(String::new()),
        Some("Bearer".to_owned()),
        Some("Bearer anon".to_owned()),
        Some(format!("Basic {token}")),
        Some(token),
    ] {
        let mut request = site.get("/auth/v1/user");
        if let Some(value) = &value {
            request = request.header("authorization", value);
        }
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.headers()["www-authenticate"], "Bearer");
        let answer = refusal(answer).await;
        assert_eq!(answer, (401, "no_authorization".to_owned()), "{value:?}");
    }
}

/// The client library sends its public key as bearer while nobody is signed in.
#[tokio::test]
async fn visitors_are_let_in_where_everybody_is() {
    let site = Site::sqlite().await;
    let board = async |bearer: &str| {
        let request = site.get("/rest/v1/profiles?select=*").bearer_auth(bearer);
        request.send().await.expect("an answer").status().as_u16()
    };
    // {"alg":"HS256","typ":"JWT"}.{"role":"anon"}
    let old_key = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyb2xlIjoiYW5vbiJ9.c2ln";
    assert_eq!(board("anon").await, 200);
    assert_eq!(board("sb_publishable_x").await, 200);
    assert_eq!(board(old_key).await, 200);
    assert_eq!(site.user(old_key).await.status(), 401);

    let session = site.program().await;
    assert_eq!(board(&session.access).await, 200);
    assert_eq!(site.sign_out(&session.access, "").await, 204);
    assert_eq!(
        board(&session.access).await,
        401,
        "its sender should find out"
    );
}

async fn the_session_of_a_deleted_user_is_dead(database: TestDatabase) {
    let site = Site::start(database).await;
    let session = site.program().await;
    let verifier = verifier();
    let deleted = site.state.store.delete_profile(&session.user_id).await;
    assert!(deleted.expect("a database"));
    let answer = refusal(site.user(&session.access).await).await;
    assert_eq!(answer, (401, "session_not_found".to_owned()));
    let answer = site.refresh(&session.refresh, None, None).await;
    assert_eq!(refusal(answer).await, (400, "session_not_found".to_owned()));
    // A code that was on its way is gone as well.
    let code = site.code(&verifier).await;
    for id in site.state.store.profile_ids().await.expect("a database") {
        let deleted = site.state.store.delete_profile(&id).await;
        assert!(deleted.expect("a database"));
    }
    let answer = site.exchange(&code, &verifier, None, None).await;
    assert_eq!(
        refusal(answer).await,
        (400, "flow_state_not_found".to_owned())
    );
}

async fn replicas_that_start_together_have_the_same_keys(database: TestDatabase) {
    // A migrated database without keys.
    database.store().await;
    let replicas = (0..5).map(|_| {
        Site::replica(
            &database.url,
            Some("http://127.0.0.1:9"),
            Clock::manual(NOW),
        )
    });
    let replicas = futures_util::future::join_all(replicas).await;
    let mut sets = Vec::new();
    for replica in &replicas {
        let answer = replica.get("/auth/v1/.well-known/jwks.json").send().await;
        sets.push(read(answer.expect("an answer")).await.1);
    }
    assert_eq!(sets[0]["keys"].as_array().map(Vec::len), Some(1));
    assert!(sets.iter().all(|set| *set == sets[0]), "{sets:?}");
    let mut session = replicas[0].program().await;
    for replica in &replicas {
        assert_eq!(replica.user(&session.access).await.status(), 200);
        session = signed(replica.refresh(&session.refresh, None, None).await).await;
        for other in &replicas {
            assert_eq!(other.user(&session.access).await.status(), 200);
        }
    }
}

#[tokio::test]
async fn the_key_set_is_public_and_cacheable() {
    let site = Site::sqlite().await;
    let answer = site.get("/auth/v1/.well-known/jwks.json").send().await;
    let answer = answer.expect("an answer");
    assert_eq!(answer.headers()["cache-control"], "public, max-age=600");
    let (_, set) = read(answer).await;
    let key = &set["keys"][0];
    let header = jsonwebtoken::decode_header(site.program().await.access).expect("a token");
    assert_eq!(header.kid.as_deref(), key["kid"].as_str());
    assert_eq!(
        set,
        json!({ "keys": [{
            "kid": key["kid"], "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig",
            "x": key["x"], "y": key["y"],
        }] }),
        "nothing private is in it"
    );
}

async fn servers_whose_clocks_differ_are_one_service(database: TestDatabase) {
    let one = Site::start(database).await;
    let at = async |seconds: i64| {
        let clock = Clock::manual(NOW + seconds);
        Site::replica(
            one.state.config.database_url.expose(),
            Some(&one.origin),
            clock,
        )
        .await
    };
    let (ahead, behind) = (at(30).await, at(-30).await);
    // Its token and its session are from the future, as the others see it.
    let person = ahead.program().await;
    for site in [&one, &behind] {
        assert_eq!(site.user(&person.access).await.status(), 200);
    }
    let later = signed(behind.refresh(&person.refresh, None, None).await).await;
    for site in [&one, &ahead, &behind] {
        assert_eq!(site.user(&later.access).await.status(), 200);
    }
}
