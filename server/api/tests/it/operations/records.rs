//! What people may ask for: a copy of their data, and to be forgotten; and whom an operator keeps out.

use std::collections::BTreeSet;

use api::sign_in::blocked::Blocked;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::Database;
use store::profiles::Identity;

use crate::support::app::{NOW, TestApp, answer, sign_in_at};
use crate::support::database::{TestDatabase, on_both};
use crate::support::http_client;
use crate::support::process::{ServerProcess, program};

on_both!(
    the_owner_gets_a_copy_of_everything_and_nobody_elses,
    whoever_is_blocked_is_signed_out_and_stays_out
);

async fn the_owner_gets_a_copy_of_everything_and_nobody_elses(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let (person, other) = (app.sign_in().await, app.sign_in().await);
    for somebody in [&person, &other] {
        let file = somebody.sample("wallet_verification.psbt").await;
        assert_eq!(somebody.submit(&file).await.status, 200);
    }
    let path = "/api/functions/v1/export-account";
    assert_eq!(app.get(path).await.status, 401);
    let response = person.request(Method::GET, path).send().await;
    let response = response.expect("an answer");
    let disposition = response.headers()["content-disposition"].to_str();
    assert_eq!(
        disposition.expect("text"),
        "attachment; filename=\"proof-of-reserves.json\""
    );
    let copy: Value = response.json().await.expect("JSON");
    assert_eq!(copy["account"]["id"], json!(person.id));
    assert_eq!(copy["account"]["holdings_sats"], json!(125_000_000));
    assert_eq!(copy["sessions"].as_array().map(Vec::len), Some(1));
    let proofs = copy["proofs"].as_array().expect("proofs");
    assert_eq!(proofs.len(), 1);
    assert_eq!(proofs[0]["file_name"], "wallet.psbt");
    let coins = proofs[0]["coins"].as_array().expect("coins");
    let sum: i64 = coins
        .iter()
        .filter_map(|coin| coin["value_sats"].as_i64())
        .sum();
    assert_eq!(sum, 125_000_000);
    assert_eq!(coins[0]["txid"].as_str().map(str::len), Some(64));
    assert!(!copy.to_string().contains(&other.id), "{copy}");
}

/// A table that is added later cannot be forgotten.
#[tokio::test]
async fn the_copy_knows_every_table_with_rows_of_people() {
    let app = TestApp::development().await;
    let Database::Sqlite(pool) = app.state.store.database() else {
        panic!("not SQLite");
    };
    let tables: Vec<String> = sqlx::query_scalar(
        "select tables.name from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as others
         where tables.type = 'table' and others.\"table\" in ('profiles', 'proofs', 'billing_accounts')",
    )
    .fetch_all(pool)
    .await
    .expect("the schema");
    let known = [
        "billing_accounts",
        "claims",
        "pictures",
        "proofs",
        "published_proofs",
        "sessions",
        "subscriptions",
        // That the row of an account could not be written, for as long as that is so.
        "accounts_set_aside",
        // For a minute, and worth nothing without what the browser has.
        "auth_codes",
    ];
    let known: BTreeSet<String> = known.map(str::to_owned).into();
    assert_eq!(tables.into_iter().collect::<BTreeSet<_>>(), known);
}

async fn whoever_is_blocked_is_signed_out_and_stays_out(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let store = &app.state.store;
    let (person, other) = (app.sign_in().await, app.sign_in().await);
    let profile = store.profile(&person.id).await.expect("a database");
    let profile = profile.expect("a profile");
    let blocked = Blocked::load(store.clone(), NOW).await.expect("a list");
    let word = blocked.block(&profile, NOW).await.expect("a database");
    let user = "/api/auth/v1/user";
    assert_eq!(person.get(user).await.status, 401);
    assert_eq!(other.get(user).await.status, 200);
    let identity = Identity {
        provider: "mock",
        subject: profile.subject.clone(),
        username: None,
        email: None,
        avatar_url: None,
    };
    let come_back = async || {
        let admitted = app.state.sign_in.admit(&identity, "x".repeat(43), true);
        admitted.await.map_err(|error| error.to_string())
    };
    let said = come_back().await.expect_err("blocked");
    assert!(said.contains("has blocked this account"), "{said}");
    // Deleting the account does not help, and leaves nothing that names it.
    assert!(store.delete_profile(&person.id).await.expect("a database"));
    come_back().await.expect_err("blocked");
    assert!(blocked.unblock_hash(&word).await.expect("a database"));
    assert!(!blocked.unblock_hash(&word).await.expect("a database"));
    come_back().await.expect("let in again");
}

/// A code that was given out a moment before.
#[tokio::test]
async fn a_code_from_before_begins_no_session() {
    let app = TestApp::development().await;
    let store = &app.state.store;
    let person = app.sign_in().await;
    let profile = store.profile(&person.id).await.expect("a database");
    let profile = profile.expect("a profile");
    let identity = Identity {
        provider: "mock",
        subject: profile.subject.clone(),
        username: None,
        email: None,
        avatar_url: None,
    };
    let verifier = "a-verifier-of-more-than-forty-three-characters-for-tests";
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    let admitted = app.state.sign_in.admit(&identity, challenge, true).await;
    let code = admitted.expect("a code");
    let word = Blocked::load(store.clone(), NOW).await.expect("a list");
    // On the list, while the code is not yet gone.
    word.block(&profile, NOW).await.expect("a database");
    let exchange = app
        .request(Method::POST, "/api/auth/v1/token?grant_type=pkce")
        .header("origin", &app.origin)
        .json(&json!({"auth_code": code, "code_verifier": verifier}));
    assert_eq!(answer(exchange).await.status, 400);
}

#[tokio::test]
async fn an_operator_copies_erases_and_blocks_by_the_command_line() {
    let database = TestDatabase::sqlite().await;
    let server = ServerProcess::start(&database.url, &[]).await;
    let session = sign_in_at(&server.origin).await;
    let id = session["user"]["id"].as_str().expect("an id").to_owned();
    let token = session["access_token"]
        .as_str()
        .expect("a token")
        .to_owned();
    let run = |arguments: &[&str]| {
        let url = format!("--database-url={}", database.url);
        let output = program()
            .arg("--app-env=development")
            .arg(url)
            .args(arguments)
            .output()
            .expect("the program");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.success(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let status = async || {
        let asked = http_client().get(format!("{}/api/auth/v1/user", server.origin));
        answer(asked.bearer_auth(&token)).await.status
    };

    let (done, copy, said) = run(&["export", &id]);
    assert!(done, "{said}");
    let copy: Value = serde_json::from_str(&copy).expect("JSON");
    assert_eq!(copy["account"]["id"], json!(id));
    let name = format!(
        "mock:{}",
        copy["account"]["username"].as_str().expect("a name")
    );
    let (done, by_name, said) = run(&["export", &name]);
    assert!(done, "{said}");
    assert!(by_name.contains(&id));

    assert_eq!(status().await, 200);
    let (done, told, said) = run(&["block", &id]);
    assert!(done, "{said}");
    assert_eq!(status().await, 401);
    let word = told.trim().rsplit(' ').next().expect("a word").to_owned();
    let (done, _, said) = run(&["erase", &id]);
    assert!(done, "{said}");
    let (done, told, said) = run(&["unblock", &word]);
    assert!(done, "{told}{said}");
    for gone in ["export", "erase", "block", "unblock"] {
        let (done, _, said) = run(&[gone, &id]);
        assert!(!done && said.contains("there is nobody called"), "{said}");
    }
    let (done, _, said) = run(&["erase", "elsewhere:somebody"]);
    assert!(!done && said.contains("neither an id nor a name"), "{said}");
}
