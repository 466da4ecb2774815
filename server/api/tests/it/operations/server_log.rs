//! The server log: one line for each event, findable by request id, and no credentials. What provider sign-in
//! could leave there is tested in `auth/providers/secrets.rs`. A server log that cannot be written, or that no process reads: its lines are
//! lost and counted, and everything else continues.

use super::*;

#[tokio::test]
async fn the_server_log_has_no_secret_at_any_level() {
    let server = ServerProcess::on_sqlite(&["--log=debug", "--log-format=json"]).await;
    let api = format!("{}/api", server.origin);
    let session = sign_in_from(&server.origin, &server.origin).await;
    let cookie = session.header("set-cookie").split(';').next().unwrap();
    let (_, refresh) = cookie.split_once('=').unwrap();
    let person = Person::new(&server.origin, &session.body);

    let file = person.sample("self-transfer.psbt").await;
    let psbt = STANDARD.encode(&file);
    let body = json!({"psbtBase64": psbt, "utxos": [], "file_name": "wallet-of-a-user.psbt"});
    let id = "a-request-of-this-test";
    let submit = person.request(Method::POST, SUBMIT);
    let submit = submit.header("x-request-id", id);
    assert_eq!(answer(submit.json(&body)).await.header("x-request-id"), id);

    // Refreshing with the cookie, and signing out.
    let refreshed = http_client().post(format!("{api}/auth/v1/token?grant_type=refresh_token"));
    let own = [("origin", &*server.origin), ("cookie", cookie)];
    let body = json!({"refresh_token": session.body["refresh_token"]});
    let refreshed = answer(with_headers(refreshed, &own).json(&body)).await.body;
    let out = "/api/auth/v1/logout?a-query=that-nobody-should-read";
    assert!(person.post(out, json!({})).await.status.is_success());

    // A malformed request id is replaced.
    let long = "x".repeat(129);
    let odd = http_client().get(&api).header("x-request-id", long);
    assert_eq!(answer(odd).await.header("x-request-id").len(), 36);

    let whole = async || [id, "logout"].iter().all(|it| server.log().contains(it));
    wait_until("logging", whole).await;
    let log = server.log();
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).expect(line);
        let whole = event["level"].is_string() && event["timestamp"].is_string();
        assert!(whole, "{line}");
    }
    let tokens = ["access_token", "refresh_token"];
    let tokens = tokens.map(|name| [&session.body[name], &refreshed[name]].map(text));
    let others = [refresh, &psbt, &hex::encode(&file[20..60])].map(str::to_owned);
    let named = ["that-nobody-should-read", "wallet-of-a-user"].map(str::to_owned);
    for secret in tokens.iter().flatten().chain(&others).chain(&named) {
        assert!(
            !log.contains(secret),
            "{secret} is in the server log:\n{log}"
        );
    }
}

/// An operator's view of a failure: one line with the request, the result and the cause. What was only read has no line, so that readers
/// cannot fill the disk.
#[tokio::test]
async fn each_failed_request_is_one_line_with_its_cause() {
    let database = TestDatabase::postgres().await;
    let server = ServerProcess::start(&database.url, &["--log=info,sqlx=warn"]).await;
    let ask = async |path: &str, id: &str| {
        let asked = http_client().get(format!("{}{path}", server.origin));
        answer(asked.header("x-request-id", id)).await.status
    };
    assert_eq!(ask("/api/auth/v1/settings", "a-read-one").await, 200);
    let person = server.sign_in().await;
    let out = person.request(Method::POST, "/api/auth/v1/logout");
    answer(out.header("x-request-id", "a-written-one")).await;
    assert_eq!(ask(USER, "a-refused-one").await, 401);
    database.disappear().await;
    let failed = ask(
        "/api/storage/v1/render/image/public/avatars/nobody",
        "a-failing-one",
    )
    .await;
    assert!(failed.is_server_error(), "{failed}");
    wait_until("logging", async || server.log().contains("a-failing-one")).await;
    let log = server.log();
    for [id, said] in table(
        r#"a-written-one | INFO path=/api/auth/v1/logout status=204
           a-refused-one | INFO path=/api/auth/v1/user status=401
           a-failing-one | cause= status=5 path="#,
    ) {
        let found: Vec<&str> = log.lines().filter(|line| line.contains(id)).collect();
        assert_eq!(found.len(), 1, "{id}: {found:?}");
        has(found[0], &said.split(' ').collect::<Vec<_>>());
    }
    let absent = ["a-read-one", "\u{1b}"].map(|it| !log.contains(it));
    assert_eq!(absent, [true; 2], "{log}");
}

/// As in a container whose gateway is not trusted: all clients would share one limit.
#[tokio::test]
async fn a_peer_that_reports_addresses_and_is_not_trusted_is_named_once() {
    let server = ServerProcess::on_sqlite(&["--trusted-proxies=192.0.2.1"]).await;
    let ignored = "127.0.0.1 sends x-forwarded-for, which is ignored";
    let ask = async |more: &[(&str, &str)]| {
        let asked = http_client().get(format!("{}{USER}", server.origin));
        answer(with_headers(asked, more)).await
    };
    ask(&[]).await;
    assert!(!server.log().contains(ignored), "{}", server.log());
    for _ in 0..3 {
        ask(&[("x-forwarded-for", "192.0.2.7")]).await;
    }
    wait_until("warning", async || server.log().contains(ignored)).await;
    assert_eq!(server.log().matches(ignored).count(), 1);
}

/// Limits by address do not work then, which would go unnoticed.
#[tokio::test]
async fn a_trusted_proxy_that_names_no_client_is_warned_about_once() {
    let server = ServerProcess::on_sqlite(&["--trusted-proxies=127.0.0.1"]).await;
    // Not a cached response.
    let elsewhere = "https://elsewhere.example";
    let path = format!("{}/api/rest/v1/profiles?limit=1", server.origin);
    let ask = async |more: &[(&str, &str)]| {
        let asked = http_client().get(&path).header("origin", elsewhere);
        answer(with_headers(asked, more)).await.ok();
    };
    let silent = "127.0.0.1 sends no address in x-forwarded-for";
    let warnings = || server.log().matches(silent).count();
    ask(&[("x-forwarded-for", "192.0.2.7")]).await;
    // The operator's own request on this machine causes no warning.
    server.get("/readyz").await;
    assert_eq!(warnings(), 0);
    for header in [&[][..], &[("x-forwarded-for", "_hidden")]] {
        for _ in 0..3 {
            ask(header).await;
        }
    }
    wait_until("warning", async || warnings() > 0).await;
    ask(&[("x-forwarded-for", "unknown")]).await;
    assert_eq!(warnings(), 1);
}

#[tokio::test]
async fn a_variable_that_is_no_setting_is_named() {
    let database = TestDatabase::sqlite().await;
    let variable = "export DATABSE_URL=hunter2";
    let server = ServerProcess::start_after(variable, &database.url, &[]).await;
    let log = server.log();
    let meant = "Ignoring unknown variable DATABSE_URL; did you mean DATABASE_URL?";
    has(&log, &[meant]);
    assert!(!log.contains("hunter2"), "{log}");
}

/// The metric that counts dropped lines.
const DROPPED: &str = "server_log_lines_dropped_total";

#[tokio::test]
async fn a_server_that_cannot_write_its_log_keeps_serving() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().display();
    let closed = format!("mkfifo {at}/closed && {{ : <{at}/closed & }} && exec >{at}/closed 2>&1");
    // Its own pipe, which is never read.
    let unread = format!("mkfifo {at}/unread && exec 3<>{at}/unread >{at}/unread 2>&1");
    for words in ["exec >/dev/full 2>&1", &closed, &unread] {
        let database = TestDatabase::sqlite().await;
        let mut server = ServerProcess::start_after(words, &database.url, &["--log=trace"]).await;
        until("losing lines", async || {
            for refused in join_all((0..50).map(|_| server.get(USER))).await {
                assert_eq!(refused.status, 401, "{words}");
            }
            server.metric(DROPPED).await.filter(|lines| *lines > 0.0)
        })
        .await;
        server.sign_in().await;
        server.stop().await;
    }
}

#[tokio::test]
async fn no_write_is_lost_during_a_long_read() {
    let mut server = ServerProcess::on_sqlite(&["--log=info"]).await;
    for _ in 0..100 {
        server.get(USER).await;
    }
    assert_eq!(server.metric(DROPPED).await, Some(0.0));
    server.stop().await;
    // The last line of the server log.
    let log = server.log();
    assert!(log.trim_end().ends_with("stopped"), "{log}");
}

/// The command has done its work, and its exit status says that the output is missing.
#[tokio::test]
async fn a_command_whose_output_cannot_be_written_fails_without_a_panic() {
    let database = TestDatabase::sqlite().await;
    drop(ServerProcess::start(&database.url, &[]).await);
    let url = format!("--database-url={}", database.url);
    let rotate = |mut command: Command| {
        let ended = ended(command.args(["--app-env=development", &url, "rotate-keys"]));
        (ended.status.code(), ended.err)
    };
    assert_eq!(rotate(program()).0, Some(0));
    let (code, said) = rotate(program_after("exec >/dev/full"));
    assert_eq!(code, Some(1), "{said}");
    has(&said, &["its output cannot be written"]);
    assert_eq!(rotate(program_after("exec >/dev/full 2>&1")).0, Some(1));
}
