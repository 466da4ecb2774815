//! Which access tokens are accepted.

use super::*;

mod forged;

on_both!(servers_whose_clocks_differ_are_one_service);

/// The client library sends its public key as bearer while no user is signed in.
#[tokio::test]
async fn visitors_are_let_in_where_everybody_is() {
    let site = site().await;
    let board = async |bearer: &str| {
        let bearer = format!("Bearer {bearer}");
        let headers = [("authorization", bearer.as_str())];
        let board = site.get_with("/api/rest/v1/profiles", &headers);
        board.await.status
    };
    // {"alg":"HS256","typ":"JWT"}.{"role":"anon"}
    let old_key = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyb2xlIjoiYW5vbiJ9.c2ln";
    for key in ["anon", "sb_publishable_x", old_key] {
        assert_eq!(board(key).await, 200);
        assert_eq!(site.user(key).await.status, 401);
    }
    let session = site.program().await;
    assert_eq!(board(&session.access).await, 200);
    assert_eq!(site.sign_out(&session.access, "").await, 204);
    // Its sender should find out.
    assert_eq!(board(&session.access).await, 401);
}

#[tokio::test]
async fn the_key_set_is_public_and_cacheable() {
    let site = site().await;
    let answer = site.auth("GET", ".well-known/jwks.json", &[], None).await;
    assert_eq!(answer.header("cache-control"), "public, max-age=600");
    let key = &answer.body["keys"][0];
    let header = jsonwebtoken::decode_header(site.program().await.access);
    assert_eq!(header.unwrap().kid.as_deref(), key["kid"].as_str());
    // Nothing private is in it.
    let public = json!({
        "kid": key["kid"], "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig",
        "x": key["x"], "y": key["y"],
    });
    assert_eq!(answer.body, json!({ "keys": [public] }));
}

async fn servers_whose_clocks_differ_are_one_service(database: TestDatabase) {
    let one = site_on(database).await;
    let (ahead, behind) = (with_clock(&one, 30).await, with_clock(&one, -30).await);
    // To the other replicas, the token and its session are from the future.
    let person = ahead.program().await;
    for site in [&one, &behind] {
        assert!(site.is_in(&person.access).await);
    }
    let later = signed(&behind.renew(&person).await);
    for site in [&one, &ahead, &behind] {
        assert!(site.is_in(&later.access).await);
    }
}
