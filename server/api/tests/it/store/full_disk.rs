//! A full disk, and what SQLite does with the transaction that hits it.

use sqlx::SqliteConnection;
use sqlx::sqlite::SqlitePool;
use store::trouble;

use super::*;

/// A store with one connection, and its pool.
async fn one_connection(database: &TestDatabase) -> (Store, SqlitePool) {
    let store = Store::connect_with(&database.url, 1).await.unwrap();
    let Database::Sqlite(pool) = store.database() else {
        panic!("this is SQLite");
    };
    let pool = pool.clone();
    (store, pool)
}

async fn say(pool: &SqlitePool, sql: &'static str) {
    sqlx::raw_sql(sql).execute(pool).await.unwrap();
}

/// SQLite rolls back by itself, so that sqlx's ROLLBACK fails.
#[tokio::test]
async fn a_transaction_that_met_a_full_disk_breaks_no_later_one() {
    let database = TestDatabase::sqlite().await;
    let (store, pool) = one_connection(&database).await;
    // The current number of pages.
    say(&pool, "pragma max_page_count = 1").await;
    for _ in 0..2 {
        let mut transaction = pool.begin_with("begin immediate").await.unwrap();
        let large =
            "insert into billing_events (id, received_at) values (hex(zeroblob(100000)), 1)";
        let full = sqlx::query(large).execute(&mut *transaction).await;
        let full = full.unwrap_err();
        assert!(trouble::is_away(&full), "{full}");
        drop(transaction);
        say(&pool, "pragma max_page_count = 1").await;
    }
    say(&pool, "pragma max_page_count = 1000000").await;
    user(&store, "satoshi").await;
}

#[tokio::test]
async fn a_database_that_another_program_holds_is_away() {
    let database = TestDatabase::sqlite().await;
    let (_store, pool) = one_connection(&database).await;
    let path = &database.files()[0];
    let mut other = SqliteConnection::connect(path.to_str().unwrap())
        .await
        .unwrap();
    sqlx::raw_sql("begin immediate")
        .execute(&mut other)
        .await
        .unwrap();
    say(&pool, "pragma busy_timeout = 0").await;
    let busy = pool.begin_with("begin immediate").await.unwrap_err();
    assert!(trouble::is_away(&busy), "{busy}");
}

/// Acknowledged writes survive a power cut.
#[tokio::test]
async fn a_commit_waits_for_the_disk() {
    let database = TestDatabase::sqlite().await;
    let (_store, pool) = one_connection(&database).await;
    let level = sqlx::query_scalar("pragma synchronous")
        .fetch_one(&pool)
        .await;
    const FULL: i64 = 2;
    assert_eq!(level.ok(), Some(FULL));
}
