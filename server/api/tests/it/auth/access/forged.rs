//! Forged tokens that look right.

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};

use super::*;

/// The claims of a valid token, and the id of the key that signed it.
async fn genuine(site: &TestApp) -> (Value, String) {
    let token = site.program().await.access;
    let header = jsonwebtoken::decode_header(&token).unwrap();
    let claims = token.split('.').nth(1).expect("claims");
    let claims = URL_SAFE_NO_PAD.decode(claims).unwrap();
    let claims = serde_json::from_slice(&claims).unwrap();
    (claims, header.kid.expect("a kid"))
}

fn header(algorithm: Algorithm, kid: Option<&str>) -> Header {
    let mut header = Header::new(algorithm);
    header.kid = kid.map(str::to_owned);
    header
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

#[tokio::test]
async fn a_token_signed_by_anybody_else_is_refused() {
    let site = site().await;
    let (claims, kid) = genuine(&site).await;
    let kid = Some(kid.as_str());

    // RFC 8725, section 2.1: no signature at all.
    for algorithm in ["none", "None", "NONE", ""] {
        let header = json!({ "alg": algorithm, "typ": "JWT", "kid": kid });
        let [header, body] =
            [&header, &claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        is_refused(&site, &format!("{header}.{body}."), "none").await;
    }

    // RFC 8725, section 2.1: the public key used as the secret of a MAC.
    let set = site
        .auth("GET", ".well-known/jwks.json", &[], None)
        .await
        .body;
    let part = |name: &str| {
        let text = set["keys"][0][name].as_str().expect("a coordinate");
        URL_SAFE_NO_PAD.decode(text).unwrap()
    };
    let point = [vec![4], part("x"), part("y")].concat();
    for secret in [point, set.to_string().into_bytes(), Vec::new()] {
        for algorithm in [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512] {
            let secret = EncodingKey::from_secret(&secret);
            let token = encode(&header(algorithm, kid), &claims, &secret).unwrap();
            is_refused(&site, &token, "a MAC").await;
        }
    }

    // Another key with the same id, with its own id, and without one.
    let stranger = TestApp::development().await;
    let strange_key = own_key(&stranger).await;
    let (_, strange_kid) = genuine(&stranger).await;
    for kid in [kid, Some(strange_kid.as_str()), None] {
        let token = encode(&header(Algorithm::ES256, kid), &claims, &strange_key);
        is_refused(&site, &token.unwrap(), "another key").await;
    }

    // A header that contains its own key.
    let mut with_key = header(Algorithm::ES256, Some(&strange_kid));
    with_key.jku = Some("https://evil.example/jwks.json".to_owned());
    let token = encode(&with_key, &claims, &strange_key).unwrap();
    is_refused(&site, &token, "its own key").await;
}

#[tokio::test]
async fn a_token_for_another_purpose_is_refused() {
    let site = site().await;
    let (claims, kid) = genuine(&site).await;
    let key = own_key(&site).await;
    let now = site.state.clock.now();
    let sign =
        |claims: &Value| encode(&header(Algorithm::ES256, Some(&kid)), claims, &key).unwrap();
    assert!(site.is_in(&sign(&claims)).await, "as a check");
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
        is_refused(&site, &sign(&changed), &format!("{name} {value}")).await;
        let members = changed.as_object_mut().unwrap();
        members.remove(name);
        if name != "nbf" {
            is_refused(&site, &sign(&changed), &format!("no {name}")).await;
        }
    }

    // RFC 7515, section 4.1.11: a critical header that the server does not know.
    let mut critical = header(Algorithm::ES256, Some(&kid));
    critical.crit = Some(vec!["exp".to_owned()]);
    let critical = encode(&critical, &claims, &key).unwrap();
    is_refused(&site, &critical, "crit").await;

    // Correctly signed, but for no session, or for another user's session.
    let (other, _) = genuine(&site).await;
    for (name, value) in [
        ("session_id", json!(claims["sub"])),
        ("session_id", json!("")),
        ("sub", other["sub"].clone()),
    ] {
        let mut changed = claims.clone();
        changed[name] = value;
        let answer = site.user(&sign(&changed)).await;
        assert_eq!(answer.problem(), (401, "session_not_found"), "{name}");
    }
}

/// Changing any character of a token makes it invalid.
#[tokio::test]
async fn a_changed_token_is_refused() {
    let site = site().await;
    let token = site.program().await.access;
    assert!(token.len() > 400);
    let mut accepted = Vec::new();
    for at in (0..token.len()).step_by(3) {
        let mut bytes = token.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        if site.user(&changed).await.status != 401 {
            accepted.push(changed);
        }
    }
    assert_eq!(accepted, Vec::<String>::new());
    for changed in [
        format!("{token}A"),
        format!("{token}="),
        token[..token.len() - 1].to_owned(),
    ] {
        is_refused(&site, &changed, "another length").await;
    }
}
