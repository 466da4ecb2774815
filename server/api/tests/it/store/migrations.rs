//! The schema, and a database that has only a part of it.

use sqlx::SqlitePool;

use super::*;

/// A SQLite database after this migration.
pub(crate) async fn at_version(version: i64, database: &TestDatabase) -> SqlitePool {
    let url = format!("{}?mode=rwc", database.url);
    let pool = SqlitePool::connect(&url).await.unwrap();
    SQLITE.run_to(version, &pool).await.unwrap();
    pool
}

/// Both databases have the same tables and columns, with types that mean the same in both.
#[tokio::test]
async fn both_databases_have_the_same_columns_of_types_that_both_know() {
    let (sqlite, postgres) = (TestDatabase::sqlite().await, TestDatabase::postgres().await);
    let (sqlite, postgres) = (sqlite.store().await, postgres.store().await);
    let of_sqlite = columns(sqlite.database()).await;
    assert_eq!(of_sqlite, columns(postgres.database()).await);
    assert!(of_sqlite.len() > 50, "{of_sqlite:?}");
    for column in of_sqlite {
        let known = ["text", "bigint", "integer", "boolean"].contains(&&*column.kind);
        assert!(known, "{column:?}");
    }
}
