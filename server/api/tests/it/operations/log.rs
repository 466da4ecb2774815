//! The log: one line for each event, findable by request id, and nothing in it that signs somebody in.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use reqwest::Client;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::database::TestDatabase;
use crate::support::process::ServerProcess;
use crate::support::until;

/// Whoever wants to read along sets this.
const EVERYTHING: [&str; 2] = ["--log=debug", "--log-format=json"];

#[tokio::test]
async fn it_repeats_no_secret_even_when_it_tells_everything() {
    let database = TestDatabase::sqlite().await;
    let server = ServerProcess::start(&database.url, &EVERYTHING).await;
    let mut secrets: Vec<String> = Vec::new();
    let client = Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .expect("a client");

    // Signing in, as the web app does it.
    let verifier = "a-verifier-of-more-than-forty-three-characters-for-tests";
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    let authorize = format!(
        "{}/api/auth/v1/authorize?provider=mock&code_challenge={challenge}&code_challenge_method=s256",
        server.origin
    );
    let redirect = client.get(authorize).send().await.expect("an answer");
    let location = redirect.headers()["location"].to_str().expect("text");
    let location = url::Url::parse(location).expect("an address");
    let code = location.query_pairs().find(|(name, _)| name == "code");
    let code = code.expect("a code").1.into_owned();
    secrets.extend([verifier.to_owned(), challenge, code.clone()]);
    let session = client
        .post(format!(
            "{}/api/auth/v1/token?grant_type=pkce",
            server.origin
        ))
        .header("origin", &server.origin)
        .json(&json!({"auth_code": code, "code_verifier": verifier}))
        .send()
        .await
        .expect("a session");
    let cookie = session.headers()["set-cookie"]
        .to_str()
        .expect("text")
        .to_owned();
    let (_, value) = cookie
        .split(';')
        .next()
        .expect("a cookie")
        .split_once('=')
        .expect("a value");
    secrets.push(value.to_owned());
    let session: Value = session.json().await.expect("a session");
    let token = session["access_token"]
        .as_str()
        .expect("a token")
        .to_owned();
    secrets.push(token.clone());
    secrets.push(
        session["refresh_token"]
            .as_str()
            .expect("a token")
            .to_owned(),
    );

    // The samples are files; one is sent.
    let samples = client
        .get(format!(
            "{}/api/functions/v1/development-samples",
            server.origin
        ))
        .bearer_auth(&token)
        .send()
        .await
        .expect("samples");
    let samples: Value = samples.json().await.expect("samples");
    let psbt = samples[0]["psbt_base64"]
        .as_str()
        .expect("a file")
        .to_owned();
    let bytes = STANDARD.decode(&psbt).expect("base64");
    secrets.extend([psbt.clone(), hex::encode(&bytes[20..60])]);
    let sent = client
        .post(format!("{}/api/functions/v1/submit-proof", server.origin))
        .bearer_auth(&token)
        .header("x-request-id", "a-request-of-this-test")
        .json(&json!({"psbtBase64": psbt, "utxos": [], "file_name": "wallet-of-somebody.psbt"}))
        .send()
        .await
        .expect("an answer");
    assert_eq!(sent.headers()["x-request-id"], "a-request-of-this-test");

    // Going on, with what a cookie says, and signing out.
    let refreshed = client
        .post(format!(
            "{}/api/auth/v1/token?grant_type=refresh_token",
            server.origin
        ))
        .header("origin", &server.origin)
        .header("cookie", cookie.split(';').next().expect("a cookie"))
        .json(&json!({"refresh_token": session["refresh_token"]}))
        .send()
        .await
        .expect("a session");
    assert_eq!(refreshed.status(), 200);
    let refreshed: Value = refreshed.json().await.expect("a session");
    secrets.push(
        refreshed["access_token"]
            .as_str()
            .expect("a token")
            .to_owned(),
    );
    let out = client
        .post(format!(
            "{}/api/auth/v1/logout?a-query=that-nobody-should-read",
            server.origin
        ))
        .bearer_auth(&token)
        .send()
        .await
        .expect("an answer");
    assert!(out.status().is_success());
    secrets.push("that-nobody-should-read".to_owned());
    secrets.push("wallet-of-somebody".to_owned());

    // An id that nobody could find again is not taken.
    let odd = client.get(format!("{}/api", server.origin));
    let odd = odd.header("x-request-id", "x".repeat(129)).send().await;
    let odd = odd.expect("an answer").headers()["x-request-id"].clone();
    assert_eq!(odd.len(), 36, "{odd:?}");

    let log = until("logging", async || {
        let log = server.log();
        (log.contains("a-request-of-this-test") && log.contains("logout")).then_some(log)
    })
    .await;
    for line in log.lines() {
        let event: Value =
            serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"));
        assert!(
            event["level"].is_string() && event["timestamp"].is_string(),
            "{line}"
        );
    }
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret} is in the log:\n{log}");
    }
}

/// What whoever looks for trouble reads: one line, with what was asked, what came of it, and why.
#[tokio::test]
async fn a_request_is_one_line_without_colours_and_says_why_it_failed() {
    let database = TestDatabase::postgres().await;
    let server = ServerProcess::start(&database.url, &["--log=info,sqlx=warn"]).await;
    let ask = async |path: &str, id: &str| {
        let asked = crate::support::http_client().get(format!("{}{path}", server.origin));
        let answer = asked.header("x-request-id", id).send().await;
        answer.expect("an answer").status().as_u16()
    };
    let user = "/api/auth/v1/user";
    assert_eq!(ask("/api/auth/v1/settings", "a-good-one").await, 200);
    assert_eq!(ask(user, "a-refused-one").await, 401);
    database.disappear().await;
    assert!(ask("/api/storage/v1/avatar/nobody", "a-failing-one").await >= 500);
    let lines = until("logging", async || {
        let log = server.log();
        log.contains("a-failing-one")
            .then(|| log.lines().map(str::to_owned).collect::<Vec<_>>())
    })
    .await;
    let of = |id: &str| -> Vec<&String> { lines.iter().filter(|line| line.contains(id)).collect() };
    for (id, said) in [
        (
            "a-good-one",
            vec!["INFO", "path=\"/api/auth/v1/settings\"", "status=200"],
        ),
        (
            "a-refused-one",
            vec!["INFO", "path=\"/api/auth/v1/user\"", "status=401"],
        ),
        ("a-failing-one", vec!["cause=", "status=5"]),
    ] {
        let found = of(id);
        assert_eq!(found.len(), 1, "{id}: {found:?}");
        assert!(said.iter().all(|word| found[0].contains(word)), "{found:?}");
    }
    assert!(
        !lines.iter().any(|line| line.contains('\u{1b}')),
        "{lines:#?}"
    );
}

/// Limits by address are of no use then, which nobody would notice.
#[tokio::test]
async fn a_trusted_proxy_that_names_no_client_is_warned_about_once() {
    let database = TestDatabase::sqlite().await;
    let trusted = ["--trusted-proxies=127.0.0.1"];
    let server = ServerProcess::start(&database.url, &trusted).await;
    let ask = async |header: Option<&str>| {
        let rows = format!("{}/api/rest/v1/profiles?limit=1", server.origin);
        let mut asked = crate::support::http_client().get(rows);
        // Not an answer that is cached.
        asked = asked.header("origin", "https://elsewhere.example");
        if let Some(header) = header {
            asked = asked.header("x-forwarded-for", header);
        }
        assert_eq!(asked.send().await.expect("an answer").status(), 200);
    };
    let warnings = |words: &str| server.log().matches(words).count();
    let silent = "127.0.0.1 sends no address in x-forwarded-for";
    ask(Some("192.0.2.7")).await;
    for _ in 0..3 {
        ask(None).await;
    }
    for _ in 0..3 {
        ask(Some("_hidden")).await;
    }
    until("warning", async || (warnings(silent) > 0).then_some(())).await;
    ask(Some("unknown")).await;
    assert_eq!(warnings(silent), 1);
}

#[tokio::test]
async fn a_variable_that_is_no_setting_is_named() {
    let database = TestDatabase::sqlite().await;
    let variables = [("DATABSE_URL", "hunter2"), ("STRIPE_KEY", "hunter2")];
    let server = ServerProcess::start_with(&database.url, &variables).await;
    let log = server.log();
    assert!(
        log.contains("Ignoring unknown variable DATABSE_URL; did you mean DATABASE_URL?"),
        "{log}"
    );
    assert!(
        log.contains("Ignoring unknown variable STRIPE_KEY"),
        "{log}"
    );
    assert!(!log.contains("hunter2"), "{log}");
}
