//! A database of an earlier release is migrated to the current schema.

use sqlx::{PgPool, SqlitePool};
use store::schema::POSTGRES;

use super::*;

pub(crate) use crate::support::database::{run, texts};

on_both!(
    a_database_of_an_early_release_loses_nothing_on_the_way,
    a_full_database_of_the_schema_before_loses_nothing,
);

/// SHA-384 of the migrations that have landed, the first eight bytes: databases store it, and refuse a changed file. One for both
/// databases, or one each for SQLite and PostgreSQL.
const LANDED: &str = include_str!("landed.txt");

/// The database as an earlier release left it.
pub(crate) async fn at_version(version: i64, database: &TestDatabase) -> Database {
    if database.url.starts_with("sqlite:") {
        let url = format!("{}?mode=rwc", database.url);
        let pool = SqlitePool::connect(&url).await.unwrap();
        SQLITE.run_to(version, &pool).await.unwrap();
        return Database::Sqlite(pool);
    }
    let pool = PgPool::connect(&database.url).await.unwrap();
    POSTGRES.run_to(version, &pool).await.unwrap();
    Database::Postgres(pool)
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
    let told = async || store.pass_on_changes().await.unwrap();
    let before = told().await;
    assert_eq!(told().await, before);
    store.choose_free_tier("nobody", NOW).await.unwrap();
    assert_eq!(told().await, before + 1);
    store.delete_profile("hal").await.unwrap();
    assert_eq!(told().await, before + 2);
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
        let landed = LANDED.lines().map(|line| {
            let (version, sums) = line.split_once(' ').unwrap();
            let sum = sums.split(' ').cycle().nth(index);
            (version.parse().unwrap(), sum.unwrap().to_owned())
        });
        assert_eq!(Vec::from_iter(there), Vec::from_iter(landed));
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

/// Something in every table.
const FULL: &str = include_str!("full.sql");

/// Tables that the migration drops, whose rows it may change, or whose rows need a payment provider.
const PASSED_OVER: &str = "billing_events unsent_changes subscriptions";

/// The previous schema.
async fn a_full_database_of_the_schema_before_loses_nothing(database: TestDatabase) {
    let newest = SQLITE.iter().map(|it| it.version).max().unwrap();
    let before = at_version(newest - 1, &database).await;
    run(&before, FULL).await.unwrap();
    let mut columns = columns(&before).await;
    columns.retain(|it| !PASSED_OVER.contains(&it.table));
    let full = contents(&before, &columns).await;
    for (table, rows) in &full {
        assert!(!rows.is_empty(), "a row of {table} belongs into FULL");
    }
    close(before).await;

    let store = database.store().await;
    assert!(store.is_migrated().await.unwrap());
    assert_eq!(contents(store.database(), &columns).await, full);
    // What was published before is what is published now.
    let published = store.published_log().await.unwrap().unwrap();
    assert_eq!((published.size, published.checkpoint.as_str()), (2, "note"));
    // And the server continues with it.
    let eve = store.profile("eve").await.unwrap().unwrap();
    store.start_following("regtest", &followed()).await.unwrap();
    for (name, recorded) in [("t", Recorded::Replayed), ("new", verified(5))] {
        let proof = NewProof {
            tip: "ff".to_owned(),
            binding: Binding::Transaction,
            ..proof(&eve, name, NOW, &[coin(1, 5)])
        };
        assert_eq!(record(&store, &proof).await, recorded);
    }
    assert!(store.delete_profile("hal").await.unwrap());
}
