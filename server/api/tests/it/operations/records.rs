//! Users' rights: a copy of their data, and deletion; and blocked users.

use api::sign_in::blocked::Blocked;

use super::*;

on_both!(block_signs_a_user_out_for_good);

#[tokio::test]
async fn export_account_has_all_rows_of_its_owner_only() {
    let app = TestApp::development().await;
    let (person, other) = (app.sign_in().await, app.sign_in().await);
    for user in [&person, &other] {
        user.proves("wallet_verification.psbt").await;
    }
    let path = "/api/functions/v1/export-account";
    assert_eq!(app.get(path).await.status, 401);
    let copy = person.get(path).await;
    let disposition = "attachment; filename=\"proof-of-reserves.json\"";
    assert_eq!(copy.header("content-disposition"), disposition);
    let account = &copy.body["account"];
    assert_eq!(account["id"], json!(person.id));
    assert_eq!(account["holdings_sats"], 125_000_000);
    assert_eq!(copy.body["sessions"].as_array().unwrap().len(), 1);
    let proofs = copy.body["proofs"].as_array().unwrap();
    assert_eq!(proofs.len(), 1);
    assert_eq!(proofs[0]["file_name"], "wallet.psbt");
    let coins = proofs[0]["coins"].as_array().unwrap();
    let values = coins.iter().filter_map(|coin| coin["value_sats"].as_i64());
    assert_eq!(values.sum::<i64>(), 125_000_000);
    assert_eq!(text(&coins[0]["txid"]).len(), 64);
    assert!(!copy.text().contains(&other.id), "{copy:?}");
}

/// A table that is added later must be covered.
#[tokio::test]
async fn the_export_covers_every_table_with_user_rows() {
    let database = TestDatabase::sqlite().await;
    let store = database.store().await;
    let tables = "select distinct tables.name
        from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as others
        where tables.type = 'table' and others.\"table\" in ('profiles', 'proofs', 'billing_accounts') order by 1";
    // Accounts are set aside only while their rows cannot be written. Codes are short-lived, and useless without the browser's part.
    let known = "accounts_set_aside auth_codes billing_accounts claims pictures proofs published_proofs sessions subscriptions";
    assert_eq!(texts(store.database(), tables).await.join(" "), known);
}

async fn block_signs_a_user_out_for_good(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let store = &app.state.store;
    let (person, other) = (app.sign_in().await, app.sign_in().await);
    let profile = store.profile(&person.id).await.unwrap().unwrap();
    let (identity, verifier) = (nameless("mock", &profile.subject), verifier());
    let challenge = challenge(&verifier);
    let code = app.state.sign_in.admit(&identity, challenge, true);
    let code = code.await.unwrap();
    let blocked = Blocked::load(store.clone(), NOW).await.unwrap();
    let word = blocked.block(&profile, NOW).await.unwrap();
    assert_eq!(person.get(USER).await.status, 401);
    assert_eq!(other.get(USER).await.status, 200);
    // A code from just before begins no session.
    let body = json!({"auth_code": code, "code_verifier": verifier});
    let exchange = app.request(Method::POST, "/api/auth/v1/token?grant_type=pkce");
    let exchange = exchange.header("origin", app.site()).json(&body);
    assert_eq!(answer(exchange).await.status, 400);
    let come_back = async || {
        let admitted = app.state.sign_in.admit(&identity, "x".repeat(43), true);
        admitted.await.map_err(|error| error.to_string())
    };
    let said = come_back().await.expect_err("blocked");
    assert!(said.contains("has blocked this account"), "{said}");
    // Deleting the account does not lift the block, and leaves no name.
    assert!(store.delete_profile(&person.id, NOW).await.unwrap());
    come_back().await.expect_err("blocked");
    assert!(store.unblock(&word, NOW).await.unwrap());
    assert!(!store.unblock(&word, NOW).await.unwrap());
    come_back().await.expect("let in again");
}

#[tokio::test]
async fn export_erase_and_block_by_the_command_line() {
    let database = TestDatabase::sqlite().await;
    let server = ServerProcess::start(&database.url, &[]).await;
    let person = server.sign_in().await;
    let id = person.id.as_str();
    let run = |command: &[&str]| run_command(&database.url, command);
    let done = |command: &[&str]| run(command).done();
    let copy: Value = serde_json::from_str(&done(&["export", id])).unwrap();
    assert_eq!(copy["account"]["id"], id);
    let name = format!("mock:{}", text(&copy["account"]["username"]));
    has(&done(&["export", &name]), &[id]);

    assert_eq!(person.get(USER).await.status, 200);
    let blocked = done(&["block", id]);
    assert_eq!(person.get(USER).await.status, 401);
    done(&["erase", id]);
    done(&["unblock", blocked.trim().rsplit(' ').next().unwrap()]);
    for gone in ["export", "erase", "block", "unblock"] {
        has(&run(&[gone, id]).failed(), &["there is nobody called"]);
    }
    let said = run(&["erase", "elsewhere:satoshi"]).failed();
    has(&said, &["there is nobody called elsewhere:satoshi"]);
}
