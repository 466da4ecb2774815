//! Moving from SQLite to PostgreSQL keeps everything.

use std::collections::BTreeMap;

use serde_json::json;
use sqlx::{AssertSqlSafe, PgPool, SqlitePool};
use store::{Database, Store};

use crate::support::app::{TestApp, answer};
use crate::support::database::TestDatabase;
use crate::support::http_client;
use crate::support::process::{ServerProcess, program, refusal};

/// Every row of every table as sorted text, whatever tables there are.
type Contents = BTreeMap<String, Vec<String>>;

async fn contents_of_sqlite(pool: &SqlitePool) -> Contents {
    let tables: Vec<String> = sqlx::query_scalar(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like '\\_sqlx%' escape '\\'",
    )
    .fetch_all(pool)
    .await
    .expect("tables");
    let mut contents = Contents::new();
    for table in tables {
        let columns: Vec<(String, String)> =
            sqlx::query_as("select name, type from pragma_table_xinfo($1) order by name")
                .bind(&table)
                .fetch_all(pool)
                .await
                .expect("columns");
        let columns: Vec<String> = columns
            .iter()
            .map(|(name, kind)| match kind.as_str() {
                "boolean" => format!("case {name} when 1 then 'true' when 0 then 'false' end"),
                _ => format!("cast({name} as text)"),
            })
            .collect();
        contents.insert(
            table.clone(),
            rows(&columns, &table, |sql| async move {
                sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(pool).await
            })
            .await,
        );
    }
    contents
}

async fn contents_of_postgres(pool: &PgPool) -> Contents {
    let tables: Vec<String> = sqlx::query_scalar(
        "select cast(tablename as text) from pg_tables where schemaname = current_schema() and tablename <> '_sqlx_migrations'",
    )
    .fetch_all(pool)
    .await
    .expect("tables");
    let mut contents = Contents::new();
    for table in tables {
        let columns: Vec<String> = sqlx::query_scalar(
            "select cast(column_name as text) from information_schema.columns
             where table_schema = current_schema() and table_name = $1 order by column_name collate \"C\"",
        )
        .bind(&table)
        .fetch_all(pool)
        .await
        .expect("columns");
        let columns: Vec<String> = columns
            .iter()
            .map(|name| format!("cast({name} as text)"))
            .collect();
        contents.insert(
            table.clone(),
            rows(&columns, &table, |sql| async move {
                sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(pool).await
            })
            .await,
        );
    }
    contents
}

async fn rows<F>(columns: &[String], table: &str, read: impl FnOnce(String) -> F) -> Vec<String>
where
    F: Future<Output = Result<Vec<String>, sqlx::Error>>,
{
    let columns: Vec<String> = columns
        .iter()
        .map(|column| format!("coalesce({column}, '(null)')"))
        .collect();
    let row = columns.join(" || '|' || ");
    let mut rows = read(format!("select {row} from {table}"))
        .await
        .expect("rows");
    rows.sort_unstable();
    rows
}

fn sqlite(store: &Store) -> &SqlitePool {
    match store.database() {
        Database::Sqlite(pool) => pool,
        Database::Postgres(_) => panic!("not SQLite"),
    }
}

fn postgres(store: &Store) -> &PgPool {
    match store.database() {
        Database::Postgres(pool) => pool,
        Database::Sqlite(_) => panic!("not PostgreSQL"),
    }
}

/// Says that a database is for something else than it was made for.
async fn stamp(store: &Store, environment: &str) {
    const STAMP: &str = "update instance set environment = $1";
    match store.database() {
        Database::Sqlite(pool) => {
            let stamp = sqlx::query(STAMP).bind(environment);
            stamp.execute(pool).await.expect("a database");
        }
        Database::Postgres(pool) => {
            let stamp = sqlx::query(STAMP).bind(environment);
            stamp.execute(pool).await.expect("a database");
        }
    }
}

fn arguments<'a>(from: &'a str, to: &'a str) -> [String; 3] {
    [
        format!("--database-url={from}"),
        "move".to_owned(),
        format!("--to={to}"),
    ]
}

fn refused(from: &str, to: &str) -> String {
    let arguments = arguments(from, to);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    refusal(&arguments)
}

#[tokio::test]
async fn every_row_arrives_and_nobody_is_signed_out() {
    let (old, new) = (TestDatabase::sqlite().await, TestDatabase::postgres().await);
    let mut server = ServerProcess::start(&old.url, &[]).await;
    let session = crate::support::app::sign_in_at(&server.origin).await;
    let token = session["access_token"]
        .as_str()
        .expect("a token")
        .to_owned();
    let client = http_client();
    let samples = client.get(format!(
        "{}/api/functions/v1/development-samples",
        server.origin
    ));
    let samples = answer(samples.bearer_auth(&token)).await.body;
    for sample in samples.as_array().expect("samples") {
        let submit = client.post(format!("{}/api/functions/v1/submit-proof", server.origin));
        let body = json!({"psbtBase64": sample["psbt_base64"], "utxos": [], "file_name": "a.psbt"});
        answer(submit.bearer_auth(&token).json(&body)).await;
    }

    // A server on it, even one that does nothing, keeps it from being moved.
    let said = refused(&old.url, &new.url);
    assert!(said.contains("in use; stop the server first"), "{said}");
    server.tell_to_stop();
    server.stopped().await;

    // What a development server has made is worth nothing.
    let said = refused(&old.url, &new.url);
    assert!(said.contains("in development mode"), "{said}");
    let store = old.store().await;
    stamp(&store, "production").await;
    // Everything that the format of the copy gives a meaning to.
    sqlx::query("update profiles set username = $1, email = '', avatar_url = '\\N'")
        .bind("tab\there, line\nhere, \\backslash, ₿itcoin, \r, 'quote', \\.")
        .execute(sqlite(&store))
        .await
        .expect("a database");
    let before = contents_of_sqlite(sqlite(&store)).await;
    store.close().await;
    assert!(
        before["claims"].len() > 1 && before["sessions"].len() == 1,
        "{before:?}"
    );

    let moved = program()
        .args(arguments(&old.url, &new.url))
        .output()
        .expect("the program");
    assert!(
        moved.status.success(),
        "{}",
        String::from_utf8_lossy(&moved.stderr)
    );
    let store = new.store().await;
    assert_eq!(contents_of_postgres(postgres(&store)).await, before);
    // And the old one is as it was.
    let left = old.store().await;
    assert_eq!(contents_of_sqlite(sqlite(&left)).await, before);
    left.close().await;

    // A second time would double it.
    let said = refused(&old.url, &new.url);
    assert!(said.contains("is not empty"), "{said}");
    assert_eq!(contents_of_postgres(postgres(&store)).await, before);

    // Back to development only so that this test can start a server on it.
    stamp(&store, "development").await;
    let server = ServerProcess::start_at(server.address, &new.url).await;
    let user = client.get(format!("{}/api/auth/v1/user", server.origin));
    let user = answer(user.bearer_auth(&token)).await;
    assert_eq!(user.body["id"], session["user"]["id"], "{user:?}");
}

#[tokio::test]
async fn what_cannot_be_moved_is_said_and_nothing_is_written() {
    let (old, new) = (TestDatabase::sqlite().await, TestDatabase::postgres().await);
    let said = refused(&new.url, &new.url);
    assert!(
        said.contains("DATABASE_URL is not a SQLite database"),
        "{said}"
    );
    let said = refused(&old.url, &old.url);
    assert!(
        said.contains("--to is not the address of a PostgreSQL database"),
        "{said}"
    );
    let said = refused(&old.url, &new.url);
    assert!(said.contains("there is no database at "), "{said}");
    // Made, but never used by a server.
    old.store().await.close().await;
    let said = refused(&old.url, &new.url);
    assert!(said.contains("no server has ever used"), "{said}");
    // A target that somebody uses already.
    let store = old.store().await;
    store.stamp("production").await.expect("a stamp");
    store.close().await;
    drop(TestApp::start(new.again(), &[]).await);
    let said = refused(&old.url, &new.url);
    assert!(said.contains("is not empty"), "{said}");
}
