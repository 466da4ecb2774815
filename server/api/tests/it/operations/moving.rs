//! Moving from SQLite to PostgreSQL preserves everything.

use super::*;

/// Marks a database as one of the other mode.
async fn stamp(store: &Store, environment: &str) {
    let stamp = format!("update instance set environment = '{environment}'");
    run(store.database(), stamp).await.unwrap();
}

fn moved(from: &str, to: &str) -> Ended {
    let from = format!("--database-url={from}");
    run_program(&[&from, "move", &format!("--to={to}")])
}

/// Fails unless moving is refused with this message.
fn refused(from: &str, to: &str, words: &str) {
    has(&moved(from, to).failed(), &[words]);
}

#[tokio::test]
async fn every_row_arrives_and_nobody_is_signed_out() {
    let (old, new) = (TestDatabase::sqlite().await, TestDatabase::postgres().await);
    let mut server = ServerProcess::start(&old.url, &[]).await;
    let person = server.sign_in().await;
    let samples = "/api/functions/v1/development-samples";
    for sample in person.get(samples).await.body.as_array().unwrap() {
        let file = sample["psbt_base64"].as_str().unwrap();
        person.submit_as("a.psbt", file, json!([])).await;
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
    let whole = before["claims"].len() > 1 && before["sessions"].len() == 1;
    assert!(whole, "{before:?}");

    moved(&old.url, &new.url).done();
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
    let _server = ServerProcess::start_again(server.address, &new.url, &[]).await;
    assert_eq!(person.get(USER).await.body["id"], person.id);
}

#[tokio::test]
async fn move_names_why_it_fails_and_writes_nothing() {
    let (old, new) = (TestDatabase::sqlite().await, TestDatabase::postgres().await);
    refused(&new.url, &new.url, "DATABASE_URL is not a SQLite database");
    let no_target = "--to is not the address of a PostgreSQL database";
    refused(&old.url, &old.url, no_target);
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
