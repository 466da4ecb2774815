//! Which access tokens are accepted: forged ones that look right are not, and a new signing key signs nobody out.

use api::sign_in::keys::{self, LISTED_FIRST, REREAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, decode_header, encode};

use super::*;

on_both!(
    servers_whose_clocks_differ_are_one_service,
    a_rotation_signs_nobody_out,
    expired_keys_are_deleted,
);

/// The listed keys, newest first.
async fn listed_keys(site: &TestApp) -> Vec<Value> {
    let set = site.auth("GET", ".well-known/jwks.json", &[], None).await;
    assert_eq!(set.header("cache-control"), "public, max-age=600");
    let keys = set.body["keys"].as_array().unwrap();
    // Nothing private is in it.
    for key in keys {
        let public = json!({
            "kid": key["kid"], "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig",
            "x": key["x"], "y": key["y"],
        });
        assert_eq!(*key, public);
    }
    keys.clone()
}

async fn names(site: &TestApp) -> Vec<String> {
    let keys = listed_keys(site).await.into_iter();
    keys.map(|key| text(&key["kid"])).collect()
}

/// The name of the key that signed a token.
fn signer(token: &str) -> String {
    decode_header(token).unwrap().kid.unwrap()
}

/// The claims of a valid token, and the id of the key that signed it.
async fn genuine(site: &TestApp) -> (Value, String) {
    let token = site.program().await.access;
    let claims = token.split('.').nth(1).expect("claims");
    let claims = URL_SAFE_NO_PAD.decode(claims).unwrap();
    (serde_json::from_slice(&claims).unwrap(), signer(&token))
}

fn header(algorithm: Algorithm, kid: Option<&str>) -> Header {
    Header {
        kid: kid.map(str::to_owned),
        ..Header::new(algorithm)
    }
}

/// The key of this server, which no attacker has.
async fn own_key(site: &TestApp) -> EncodingKey {
    let keys = site.state.store.keys("jwt").await.unwrap();
    EncodingKey::from_ec_der(&hex::decode(&keys[0].material).unwrap())
}

async fn is_refused(site: &TestApp, token: &str, why: &str) {
    let answer = site.user(token).await;
    assert_eq!(answer.problem(), (401, "bad_jwt"), "{why}");
}

/// The client library sends its public key as bearer while no user is signed in.
#[tokio::test]
async fn public_routes_admit_visitors() {
    let site = TestApp::development().await;
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
    // An invalid token is an error, so that its sender notices.
    assert_eq!(board(&session.access).await, 401);
}

async fn servers_whose_clocks_differ_are_one_service(database: TestDatabase) {
    let one = TestApp::start(database, &[]).await;
    let replica = |seconds| one.replica(Clock::manual(NOW + seconds));
    let (ahead, behind) = (replica(30).await, replica(-30).await);
    // To the other replicas, the token and its session are from the future.
    let person = ahead.program().await;
    let later = signed(&behind.renew(&person).await);
    for site in [&one, &ahead, &behind] {
        assert!(site.is_in(&person.access).await);
        assert!(site.is_in(&later.access).await);
    }
}

async fn a_rotation_signs_nobody_out(database: TestDatabase) {
    let one = TestApp::start(database, &[]).await;
    let two = one.another().await;
    let before = one.program().await;
    let old = signer(&before.access);
    assert_eq!(names(&one).await, std::slice::from_ref(&old));

    let new = keys::rotate(&one.state.store, NOW).await.unwrap();
    // Every server learns the key before it signs with it.
    one.state.clock.advance(REREAD);
    for site in [&one, &two] {
        assert_eq!(names(site).await, [new.clone(), old.clone()]);
        assert_eq!(signer(&site.program().await.access), old);
        assert!(site.is_in(&before.access).await);
    }
    one.state.clock.advance(LISTED_FIRST - REREAD);
    let after = signed(&one.renew(&before).await);
    assert_eq!(signer(&after.access), new);
    // A server that was started after the rotation does the same.
    let three = one.another().await;
    assert_eq!(signer(&three.program().await.access), new);
    for site in [&one, &two, &three] {
        assert!(site.is_in(&after.access).await);
        assert!(site.is_in(&before.access).await, "it has not expired");
    }

    // An hour later all tokens of the old key have expired.
    one.state.clock.advance(3_600 + REREAD);
    assert_eq!(names(&one).await, [new]);
    assert!(!two.is_in(&before.access).await);
    let later = signed(&two.renew(&after).await);
    assert_eq!(later.user_id, before.user_id);
}

async fn expired_keys_are_deleted(database: TestDatabase) {
    let site = TestApp::start(database, &[]).await;
    let store = &site.state.store;
    let rotate = async |at| keys::rotate(store, at).await.unwrap();
    let rows = async || store.keys("jwt").await.unwrap().len();
    // Two rotations at once: each new key waits for its own hour.
    let (second, third) = (rotate(NOW).await, rotate(NOW + 1).await);
    assert_ne!(second, third);
    assert_eq!(rows().await, 3);
    site.state.clock.advance(DAY);
    assert_eq!(names(&site).await, std::slice::from_ref(&third));
    let fourth = rotate(NOW + DAY).await;
    assert_eq!(rows().await, 2);
    site.state.clock.advance(REREAD);
    assert_eq!(names(&site).await, [fourth, third]);
}

#[tokio::test]
async fn a_token_signed_with_another_key_is_refused() {
    let site = TestApp::development().await;
    let (claims, kid) = genuine(&site).await;
    let kid = Some(kid.as_str());

    // RFC 8725, section 2.1: no signature at all.
    for algorithm in ["none", "None", "NONE", ""] {
        let header = json!({ "alg": algorithm, "typ": "JWT", "kid": kid });
        let parts = [&header, &claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        is_refused(&site, &(parts.join(".") + "."), "none").await;
    }

    // RFC 8725, section 2.1: the public key used as the secret of a MAC.
    let keys = listed_keys(&site).await;
    let part = |name: &str| URL_SAFE_NO_PAD.decode(text(&keys[0][name])).unwrap();
    let point = [vec![4], part("x"), part("y")].concat();
    let set = json!({ "keys": keys }).to_string().into_bytes();
    for secret in [point, set, Vec::new()] {
        for algorithm in [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512] {
            let secret = EncodingKey::from_secret(&secret);
            let token = encode(&header(algorithm, kid), &claims, &secret).unwrap();
            is_refused(&site, &token, "a MAC").await;
        }
    }

    // Another key with the same id, with its own id, and without one; and a header that contains its own key.
    let stranger = TestApp::development().await;
    let strange_key = own_key(&stranger).await;
    let (_, strange_kid) = genuine(&stranger).await;
    let strange_kid = Some(strange_kid.as_str());
    let mut headers =
        [kid, strange_kid, None, strange_kid].map(|kid| header(Algorithm::ES256, kid));
    headers[3].jku = Some("https://evil.example/jwks.json".to_owned());
    for header in headers {
        let token = encode(&header, &claims, &strange_key).unwrap();
        is_refused(&site, &token, "another key").await;
    }
}

#[tokio::test]
async fn a_token_for_another_purpose_is_refused() {
    let site = TestApp::development().await;
    let (claims, kid) = genuine(&site).await;
    let key = own_key(&site).await;
    let now = site.state.clock.now();
    let mut header = header(Algorithm::ES256, Some(&kid));
    let sign = |header: &Header, claims: &Value| encode(header, claims, &key).unwrap();
    assert!(site.is_in(&sign(&header, &claims)).await, "as a check");
    let email = claims.get("email");
    assert_eq!(email, None, "tokens travel, and nothing needs it");

    for (name, value) in [
        ("aud", json!("anon")),
        ("aud", json!(["authenticated", "other"])),
        ("aud", Value::Null),
        ("iss", json!("https://evil.example/api/auth/v1")),
        ("iss", Value::Null),
        ("exp", json!(now)),
        ("exp", json!(now - 1)),
        ("exp", json!("9999999999")),
        ("exp", Value::Null),
        ("nbf", json!(now + 1)),
        ("nbf", json!("0")),
        ("sub", Value::Null),
        ("session_id", Value::Null),
    ] {
        let mut changed = claims.clone();
        changed[name] = value.clone();
        let why = format!("{name} {value}");
        is_refused(&site, &sign(&header, &changed), &why).await;
        changed.as_object_mut().unwrap().remove(name);
        if name != "nbf" {
            is_refused(&site, &sign(&header, &changed), &format!("no {name}")).await;
        }
    }

    // Correctly signed, but for no session, or for another user's session.
    let (other, _) = genuine(&site).await;
    for (name, value) in [
        ("session_id", &claims["sub"]),
        ("session_id", &json!("")),
        ("sub", &other["sub"]),
    ] {
        let mut changed = claims.clone();
        changed[name] = value.clone();
        let answer = site.user(&sign(&header, &changed)).await;
        assert_eq!(answer.problem(), (401, "session_not_found"), "{name}");
    }

    // RFC 7515, section 4.1.11: a critical header that the server does not know.
    header.crit = Some(vec!["exp".to_owned()]);
    is_refused(&site, &sign(&header, &claims), "crit").await;
}

/// Changing any character of a token, or its length, makes it invalid.
#[tokio::test]
async fn a_changed_token_is_refused() {
    let site = TestApp::development().await;
    let token = site.program().await.access;
    assert!(token.len() > 400);
    let shorter = token[..token.len() - 1].to_owned();
    let mut changed = vec![format!("{token}A"), format!("{token}="), shorter];
    changed.extend((0..token.len()).step_by(3).map(|at| {
        let other = ["A", "B"][usize::from(token.as_bytes()[at] == b'A')];
        format!("{}{other}{}", &token[..at], &token[at + 1..])
    }));
    for changed in changed {
        assert_eq!(site.user(&changed).await.status, 401, "{changed}");
    }
}
