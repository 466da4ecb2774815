//! The log: one line for each event, findable by request id, and no credentials. What provider sign-in
//! could leave there is tested in `auth/providers/secrets.rs`.

use super::*;

async fn sent(request: RequestBuilder) -> reqwest::Response {
    request.send().await.unwrap()
}

#[tokio::test]
async fn it_repeats_no_secret_even_when_it_tells_everything() {
    // Every public address.
    let everything = ["--log=debug", "--log-format=json"];
    let server = ServerProcess::on_sqlite(&everything).await;
    let client = http_client();
    let api = format!("{}/api", server.origin);

    let session = sign_in_from(&server.origin, &server.origin).await;
    let cookie = session.header("set-cookie").split(';').next().unwrap();
    let (_, refresh) = cookie.split_once('=').unwrap();
    let token = text(&session.body["access_token"]);

    // The samples are files; one is sent.
    let samples = client.get(format!("{api}/functions/v1/development-samples"));
    let samples: Value = sent(samples.bearer_auth(&token))
        .await
        .json()
        .await
        .unwrap();
    let psbt = text(&samples[0]["psbt_base64"]);
    let bytes = STANDARD.decode(&psbt).unwrap();
    let submit = client.post(format!("{api}/functions/v1/submit-proof"));
    let submit = submit
        .bearer_auth(&token)
        .header("x-request-id", "a-request-of-this-test");
    let file = json!({"psbtBase64": psbt, "utxos": [], "file_name": "wallet-of-a-user.psbt"});
    let submitted = sent(submit.json(&file)).await;
    assert_eq!(
        submitted.headers()["x-request-id"],
        "a-request-of-this-test"
    );

    // Refreshing with the cookie, and signing out.
    let refreshed = client.post(format!("{api}/auth/v1/token?grant_type=refresh_token"));
    let refreshed = refreshed
        .header("origin", &server.origin)
        .header("cookie", cookie);
    let body = json!({"refresh_token": session.body["refresh_token"]});
    let refreshed: Value = sent(refreshed.json(&body)).await.json().await.unwrap();
    let out = client.post(format!(
        "{api}/auth/v1/logout?a-query=that-nobody-should-read"
    ));
    assert!(sent(out.bearer_auth(&token)).await.status().is_success());

    // A malformed request id is replaced.
    let odd = client.get(&api).header("x-request-id", "x".repeat(129));
    assert_eq!(sent(odd).await.headers()["x-request-id"].len(), 36);

    let log = until("logging", async || {
        let log = server.log();
        (log.contains("a-request-of-this-test") && log.contains("logout")).then_some(log)
    })
    .await;
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).expect(line);
        assert!(
            event["level"].is_string() && event["timestamp"].is_string(),
            "{line}"
        );
    }
    let tokens = ["access_token", "refresh_token"];
    let tokens = tokens.map(|name| [&session.body[name], &refreshed[name]].map(text));
    let others = [refresh, &psbt, &hex::encode(&bytes[20..60])].map(str::to_owned);
    let named = ["that-nobody-should-read", "wallet-of-a-user"].map(str::to_owned);
    for secret in tokens.iter().flatten().chain(&others).chain(&named) {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
}

/// An operator's view of a failure: one line with the request, the result and the cause.
#[tokio::test]
async fn a_request_is_one_line_without_colours_and_says_why_it_failed() {
    let database = TestDatabase::postgres().await;
    let server = ServerProcess::start(&database.url, &["--log=info,sqlx=warn"]).await;
    let ask = async |path: &str, id: &str| {
        let asked = http_client().get(format!("{}{path}", server.origin));
        sent(asked.header("x-request-id", id))
            .await
            .status()
            .as_u16()
    };
    let (settings, user) = ("/api/auth/v1/settings", "/api/auth/v1/user");
    assert_eq!(ask(settings, "a-good-one").await, 200);
    assert_eq!(ask(user, "a-refused-one").await, 401);
    database.disappear().await;
    assert!(ask("/api/storage/v1/avatar/nobody", "a-failing-one").await >= 500);
    let log = until("logging", async || {
        Some(server.log()).filter(|log| log.contains("a-failing-one"))
    })
    .await;
    for (id, said) in [
        (
            "a-good-one",
            ["INFO", "path=\"/api/auth/v1/settings\"", "status=200"],
        ),
        (
            "a-refused-one",
            ["INFO", "path=\"/api/auth/v1/user\"", "status=401"],
        ),
        ("a-failing-one", ["cause=", "status=5", "path="]),
    ] {
        let found: Vec<&str> = log.lines().filter(|line| line.contains(id)).collect();
        assert_eq!(found.len(), 1, "{id}: {found:?}");
        assert!(said.iter().all(|word| found[0].contains(word)), "{found:?}");
    }
    assert!(!log.contains('\u{1b}'), "{log}");
}

/// Limits by address do not work then, which would go unnoticed.
#[tokio::test]
async fn a_trusted_proxy_that_names_no_client_is_warned_about_once() {
    let trusted = ["--trusted-proxies=127.0.0.1"];
    let server = ServerProcess::on_sqlite(&trusted).await;
    let ask = async |header: Option<&str>| {
        let asked = http_client().get(format!("{}/api/rest/v1/profiles?limit=1", server.origin));
        // Not a cached response.
        let mut asked = asked.header("origin", "https://elsewhere.example");
        if let Some(header) = header {
            asked = asked.header("x-forwarded-for", header);
        }
        assert_eq!(sent(asked).await.status(), 200);
    };
    let silent = "127.0.0.1 sends no address in x-forwarded-for";
    let warnings = || server.log().matches(silent).count();
    ask(Some("192.0.2.7")).await;
    for header in [None, Some("_hidden")] {
        for _ in 0..3 {
            ask(header).await;
        }
    }
    until("warning", async || (warnings() > 0).then_some(())).await;
    ask(Some("unknown")).await;
    assert_eq!(warnings(), 1);
}

#[tokio::test]
async fn a_variable_that_is_no_setting_is_named() {
    let database = TestDatabase::sqlite().await;
    let variables = "export DATABSE_URL=hunter2 STRIPE_KEY=hunter2";
    let server = ServerProcess::start_after(variables, &database.url, &[]).await;
    let log = server.log();
    let meant = "Ignoring unknown variable DATABSE_URL; did you mean DATABASE_URL?";
    assert!(
        log.contains(meant) && log.contains("Ignoring unknown variable STRIPE_KEY"),
        "{log}"
    );
    assert!(!log.contains("hunter2"), "{log}");
}
