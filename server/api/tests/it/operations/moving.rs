//! Moving from SQLite to PostgreSQL preserves everything.

use super::*;

/// Marks a database as one of the other mode.
async fn stamp(store: &Store, environment: &str) {
    let stamp = format!("update instance set environment = '{environment}'");
    run(store.database(), stamp).await.unwrap();
}

fn arguments(from: &str, to: &str) -> [String; 3] {
    [
        format!("--database-url={from}"),
        "move".to_owned(),
        format!("--to={to}"),
    ]
}

/// Fails unless moving is refused with this message.
fn refused(from: &str, to: &str, words: &str) {
    let said = refusal(&arguments(from, to).each_ref().map(String::as_str));
    assert!(said.contains(words), "{said}");
}

#[tokio::test]
async fn every_row_arrives_and_nobody_is_signed_out() {
    let (old, new) = (TestDatabase::sqlite().await, TestDatabase::postgres().await);
    let mut server = ServerProcess::start(&old.url, &[]).await;
    let session = sign_in_at(&server.origin).await;
    let token = text(&session["access_token"]);
    let client = http_client();
    let functions = format!("{}/api/functions/v1", server.origin);
    let samples = client.get(format!("{functions}/development-samples"));
    let samples = answer(samples.bearer_auth(&token)).await.body;
    for sample in samples.as_array().unwrap() {
        let submit = client.post(format!("{functions}/submit-proof"));
        let body = json!({"psbtBase64": sample["psbt_base64"], "utxos": [], "file_name": "a.psbt"});
        answer(submit.bearer_auth(&token).json(&body)).await;
    }

    // A running server, even an idle one, blocks the move.
    refused(&old.url, &new.url, "in use; stop the server first");
    server.stop().await;

    // A development database is not worth moving.
    refused(&old.url, &new.url, "in development mode");
    let store = old.store().await;
    stamp(&store, "production").await;
    // Every character with a meaning in the copy format.
    let odd = "tab\there, line\nhere, \\backslash, ₿itcoin, \r, ''quote'', \\.";
    let odd = format!("update profiles set username = '{odd}', email = '', avatar_url = '\\N'");
    run(store.database(), odd).await.unwrap();
    let columns = columns(store.database()).await;
    let before = contents(store.database(), &columns).await;
    store.close().await;
    assert!(
        before["claims"].len() > 1 && before["sessions"].len() == 1,
        "{before:?}"
    );

    ended(program().args(arguments(&old.url, &new.url))).done();
    let store = new.store().await;
    assert_eq!(contents(store.database(), &columns).await, before);
    // The source is unchanged.
    let left = old.store().await;
    assert_eq!(contents(left.database(), &columns).await, before);
    left.close().await;

    // A second move would duplicate the rows.
    refused(&old.url, &new.url, "is not empty");
    assert_eq!(contents(store.database(), &columns).await, before);

    // Back to development, so that this test can start a server on it.
    stamp(&store, "development").await;
    let server = ServerProcess::start_again(server.address, &new.url, &[]).await;
    let user = client.get(format!("{}/api/auth/v1/user", server.origin));
    let user = answer(user.bearer_auth(&token)).await;
    assert_eq!(user.body["id"], session["user"]["id"], "{user:?}");
}

#[tokio::test]
async fn what_cannot_be_moved_is_said_and_nothing_is_written() {
    let (old, new) = (TestDatabase::sqlite().await, TestDatabase::postgres().await);
    refused(&new.url, &new.url, "DATABASE_URL is not a SQLite database");
    refused(
        &old.url,
        &old.url,
        "--to is not the address of a PostgreSQL database",
    );
    refused(&old.url, &new.url, "there is no database at ");
    // Migrated, but never used by a server.
    old.store().await.close().await;
    refused(&old.url, &new.url, "no server has ever used");
    // A target with rows.
    let store = old.store().await;
    store.stamp("production").await.unwrap();
    store.close().await;
    drop(TestApp::start(new.again(), &[]).await);
    refused(&old.url, &new.url, "is not empty");
}
