//! A database of an earlier release is migrated to the current schema.

use sqlx::{PgPool, SqlitePool};
use store::schema::POSTGRES;

use super::*;

pub(crate) use crate::support::database::{run, texts};

on_both!(a_database_of_an_early_release_loses_nothing_on_the_way);

/// SHA-384 of the migrations that have landed, the first eight bytes: databases store it, and refuse a changed file. One for both
/// databases, or one each for SQLite and PostgreSQL.
const LANDED: [(i64, &[&str]); 26] = [
    (1, &["c3376d1e0fb8a1d1"]),
    (2, &["d412a4a5a2500a87"]),
    (3, &["db88a6f35a86b39b"]),
    (4, &["f34602a48aec9b67"]),
    (5, &["55155b523f9191da"]),
    (6, &["e1bdc6f9230bf602"]),
    (7, &["eacfb2cf4c0c2db8"]),
    (8, &["aec069d10fb33d91"]),
    (9, &["ebbc7fa51be55f6e", "717fbf7452cbcd5c"]),
    (10, &["92eff60c3f5fe32e", "3b75cac037a8d0c3"]),
    (11, &["890f09810b65965f", "a1f37e848e4f1b6c"]),
    (12, &["30bb1d2070f9c78f"]),
    (13, &["18fb11d8ef5f5e44"]),
    (14, &["33fcdfd45d9de7ff"]),
    (15, &["9165c0ad0d0d3fd6", "647eaba24da9c68a"]),
    (16, &["473dfc0d6911cc13"]),
    (17, &["6e9df0ffd47de4a0", "fee9c72af4385964"]),
    (18, &["ed7b3b09a08a5c5b", "60b5812dc7878d64"]),
    (19, &["f88042d9cad7796c"]),
    (20, &["1c251cea57c9c22e"]),
    (21, &["5b5d4a8a9538d101", "ff711ad83f7bb5a5"]),
    (22, &["ed212b16f3fbb95c"]),
    (23, &["5ce588d045dfb247", "ca45d2304ad17043"]),
    (24, &["fa7e8e52a1341f62"]),
    (25, &["b50f9a2042e07f1a", "73343017039078aa"]),
    (26, &["d7e8d8af9b25a93c"]),
];

/// The database as an earlier release left it.
pub(crate) async fn at_version(version: i64, database: &TestDatabase) -> Database {
    if database.url.starts_with("sqlite:") {
        let url = format!("{}?mode=rwc", database.url);
        let pool = SqlitePool::connect(&url).await.unwrap();
        SQLITE.run_to(version, &pool).await.unwrap();
        Database::Sqlite(pool)
    } else {
        let pool = PgPool::connect(&database.url).await.unwrap();
        POSTGRES.run_to(version, &pool).await.unwrap();
        Database::Postgres(pool)
    }
}

pub(crate) async fn close(database: Database) {
    match database {
        Database::Sqlite(pool) => pool.close().await,
        Database::Postgres(pool) => pool.close().await,
    }
}

/// All rows of all users, as text.
const EVERYTHING: &str = include_str!("everything.sql");

/// Two users, with everything that can belong to a user.
const PEOPLE: &str = include_str!("people.sql");

async fn a_database_of_an_early_release_loses_nothing_on_the_way(database: TestDatabase) {
    let before = at_version(9, &database).await;
    run(&before, PEOPLE).await.unwrap();
    let rows = texts(&before, EVERYTHING).await;
    assert_eq!(rows.len(), 7);
    close(before).await;

    let store = database.store().await;
    let after = store.database();
    assert_eq!(texts(after, EVERYTHING).await, rows);
    // References to a profile still work.
    let orphan =
        "insert into sessions (id, user_id, cookie, counter, rotated_at, created_at, expires_at)
        values ('orphan', 'who', true, 0, 1, 1, 100)";
    assert!(run(after, orphan).await.is_err());
    if let Database::Sqlite(_) = after {
        let broken = texts(after, "select \"table\" from pragma_foreign_key_check").await;
        assert_eq!(broken, Vec::<String>::new());
    }
    // Changes are noted, once each.
    let told = store.pass_on_changes().await.unwrap();
    assert_eq!(store.pass_on_changes().await.unwrap(), told);
    store.choose_free_tier("nobody", NOW).await.unwrap();
    assert_eq!(store.pass_on_changes().await.unwrap(), told + 1);
    store.delete_profile("hal").await.unwrap();
    assert_eq!(store.pass_on_changes().await.unwrap(), told + 2);
    // The record of the payment remains, and identifies no user.
    let left = texts(after, EVERYTHING).await;
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.iter().all(|row| !row.contains("hal")), "{left:?}");
}

#[test]
fn a_migration_that_has_landed_never_changes() {
    for (index, migrator) in [&*SQLITE, &*POSTGRES].into_iter().enumerate() {
        let there = migrator.iter().map(|migration| {
            let sum = hex::encode(&migration.checksum[..8]);
            (migration.version, sum)
        });
        let landed = LANDED.map(|(version, sums)| {
            let sum = sums.get(index).unwrap_or(&sums[0]);
            (version, (*sum).to_owned())
        });
        assert_eq!(Vec::from_iter(there), landed);
    }
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
