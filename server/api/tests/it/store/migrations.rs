//! A database of an earlier release comes to the schema of this one.

use std::collections::BTreeSet;

use sqlx::{PgPool, SqlitePool};
use store::Database;
use store::schema::{POSTGRES, SQLITE};

use super::*;

on_both!(
    a_database_whose_triggers_were_made_at_start_gets_those_of_the_migrations,
    a_database_that_knew_three_providers_takes_any_and_loses_nothing,
    a_second_log_of_an_earlier_release_knows_where_the_first_one_ended,
);

/// SHA-384 of the files that have landed, the first eight bytes: databases remember it, and refuse another. One that both databases
/// read, or that of SQLite and that of PostgreSQL.
const LANDED: [(i64, &[&str]); 25] = [
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
];

/// As servers made them at their start before the migrations did.
const SQLITE_TRIGGER: &str = "create trigger profiles_deleted after delete on profiles
    begin insert into unsent_changes (transaction_id)
        select '' where not exists (select 1 from unsent_changes); end";
const POSTGRES_TRIGGER: &str = "
    create function note_changed_profiles() returns trigger language plpgsql as $$
    begin
        insert into unsent_changes (transaction_id) values (pg_current_xact_id()::text)
        on conflict (transaction_id) do nothing;
        return null;
    end $$;
    create trigger profiles_changed after insert or delete or update of username
    on profiles for each statement execute function note_changed_profiles();";

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

/// Runs statements that both databases, or the one that it is, understand.
pub(crate) async fn run(database: &Database, sql: &'static str) -> Result<(), sqlx::Error> {
    match database {
        Database::Sqlite(pool) => sqlx::raw_sql(sql).execute(pool).await.map(drop),
        Database::Postgres(pool) => sqlx::raw_sql(sql).execute(pool).await.map(drop),
    }
}

pub(crate) async fn texts(database: &Database, sql: &'static str) -> Vec<String> {
    match database {
        Database::Sqlite(pool) => sqlx::query_scalar(sql).fetch_all(pool).await.unwrap(),
        Database::Postgres(pool) => sqlx::query_scalar(sql).fetch_all(pool).await.unwrap(),
    }
}

async fn a_database_whose_triggers_were_made_at_start_gets_those_of_the_migrations(
    database: TestDatabase,
) {
    let before = at_version(8, &database).await;
    let trigger = match &before {
        Database::Sqlite(_) => SQLITE_TRIGGER,
        Database::Postgres(_) => POSTGRES_TRIGGER,
    };
    run(&before, trigger).await.unwrap();
    close(before).await;
    let store = database.store().await;
    let person = user(&store, "somebody").await;
    let told = store.pass_on_changes().await.unwrap();
    assert_eq!(store.pass_on_changes().await.unwrap(), told);
    store.choose_free_tier(&person.id, NOW + 1).await.unwrap();
    assert_eq!(store.pass_on_changes().await.unwrap(), told + 1);
    store.delete_profile(&person.id).await.unwrap();
    assert_eq!(store.pass_on_changes().await.unwrap(), told + 2);
}

pub(crate) async fn close(database: Database) {
    match database {
        Database::Sqlite(pool) => pool.close().await,
        Database::Postgres(pool) => pool.close().await,
    }
}

/// Indexes, triggers and all tables but the one that is made anew, in the words of the database.
async fn schema(database: &Database) -> Vec<String> {
    let query = match database {
        Database::Sqlite(_) => {
            "select type || name || coalesce(sql, '') from sqlite_schema
             where not (type = 'table' and name = 'profiles') order by 1"
        }
        Database::Postgres(_) => {
            "select indexdef from pg_indexes where schemaname = 'public'
             union select pg_get_triggerdef(oid) from pg_trigger
             union select conname || pg_get_constraintdef(oid) from pg_constraint
                where connamespace = cast('public' as regnamespace) and conname <> 'profiles_provider_check'
             order by 1"
        }
    };
    texts(database, query).await
}

/// What is there of everybody, as text.
const EVERYTHING: &str = "
    select 'profile' || id || provider || subject || username || username_folded || coalesce(email, '-')
        || coalesce(avatar_url, '-') || coalesce(tier, '-') || cast(coalesce(holdings_sats, -1) as text)
        || cast(coalesce(last_verified, -1) as text) || cast(coalesce(last_auto_reverify, -1) as text)
        || cast(created_at as text) || cast(updated_at as text) || cast(coalesce(reverify_at, -1) as text)
        || case when named then 'named' else '' end from profiles
    union all select 'session' || id || user_id from sessions
    union all select 'proof' || id || user_id from proofs
    union all select 'claim' || id || user_id || proof_id || case when ended_at is null then 'live' else '' end from claims
    union all select 'picture' || profile_id || source_url from pictures
    union all select 'account' || id || coalesce(user_id, '-') from billing_accounts
    order by 1";

/// Two people, with everything that may belong to one of them.
const PEOPLE: &str = "
    insert into profiles
        (id, provider, subject, username, username_folded, named, email, avatar_url, tier, holdings_sats, last_verified,
         last_auto_reverify, reverify_at, created_at, updated_at)
        values ('hal', 'twitter', '1', 'Hal', 'hal', true, 'hal@mail.example', 'https://pictures.example/1', 'premium', 300, 4,
         5, 6, 7, 8);
    insert into profiles (id, provider, subject, username, username_folded, named, created_at, updated_at)
        values ('nobody', 'mock', '2', 'user_nobod', 'user_nobod', false, 9, 10);
    insert into sessions (id, user_id, cookie, counter, rotated_at, created_at, expires_at)
        values ('session', 'hal', true, 3, 1, 1, 100);
    insert into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at)
        values ('proof', 'hal', 't', 'cold.psbt', 300, 'verified', 'amount', false, 1, 100);
    insert into claims (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, bound)
        values ('claim', 'proof', 'hal', 'regtest', 'aa', 0, 300, 'bb', true);
    insert into pictures (profile_id, source_url, fresh_until) values ('hal', 'https://pictures.example/1', 9);
    insert into billing_accounts (id, user_id, livemode, version, next_attempt_at, attempts, created_at)
        values ('account', 'hal', true, 1, 1, 0, 1)";

/// Somebody from a provider of another release.
const STRANGER: &str = "insert into profiles
    (id, provider, subject, username, username_folded, named, created_at, updated_at)
    values ('stranger', 'somewhere', '1', 'Eve', 'eve', true, 1, 1)";

async fn a_database_that_knew_three_providers_takes_any_and_loses_nothing(database: TestDatabase) {
    let before = at_version(9, &database).await;
    run(&before, PEOPLE).await.unwrap();
    assert!(run(&before, STRANGER).await.is_err());
    let (kept, shape) = (texts(&before, EVERYTHING).await, schema(&before).await);
    assert_eq!(kept.len(), 7);
    close(before).await;

    let after = at_version(10, &database).await;
    assert_eq!(texts(&after, EVERYTHING).await, kept);
    assert_eq!(schema(&after).await, shape);
    close(after).await;
    let store = database.store().await;
    let after = store.database();
    // What refers to a profile still refers to it.
    let orphan =
        "insert into sessions (id, user_id, cookie, counter, rotated_at, created_at, expires_at)
        values ('orphan', 'who', true, 0, 1, 1, 100)";
    assert!(run(after, orphan).await.is_err());
    if let Database::Sqlite(_) = after {
        let broken = texts(after, "select \"table\" from pragma_foreign_key_check").await;
        assert_eq!(broken, Vec::<String>::new());
    }
    // Changes are noted.
    let told = store.pass_on_changes().await.unwrap();
    run(after, STRANGER).await.unwrap();
    assert_eq!(store.pass_on_changes().await.unwrap(), told + 1);
    store.choose_free_tier("nobody", NOW).await.unwrap();
    assert_eq!(store.pass_on_changes().await.unwrap(), told + 2);
    store.delete_profile("hal").await.unwrap();
    assert_eq!(store.pass_on_changes().await.unwrap(), told + 3);
    // The record of the payment is what stays, and it names nobody.
    let left = texts(after, EVERYTHING).await;
    assert_eq!(left.len(), 3, "{left:?}");
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

/// Neither database has a table or a column that the other lacks, and no type that one of them would understand differently.
#[tokio::test]
async fn both_databases_have_the_same_columns_of_types_that_both_know() {
    let (sqlite, postgres) = (TestDatabase::sqlite().await, TestDatabase::postgres().await);
    let (sqlite, postgres) = (sqlite.store().await, postgres.store().await);
    let mut columns: Vec<BTreeSet<(String, String, String)>> = Vec::new();
    for store in [&sqlite, &postgres] {
        let found: Vec<(String, String, String)> = match store.database() {
            Database::Sqlite(pool) => sqlx::query_as(
                "select tables.name, columns.name, lower(columns.type)
                 from sqlite_schema as tables, pragma_table_xinfo(tables.name) as columns
                 where tables.type = 'table' and tables.name not like '\\_sqlx%' escape '\\'",
            )
            .fetch_all(pool)
            .await
            .unwrap(),
            Database::Postgres(pool) => sqlx::query_as(
                "select cast(table_name as text), cast(column_name as text), cast(data_type as text)
                 from information_schema.columns
                 where table_schema = current_schema() and table_name <> '_sqlx_migrations'",
            )
            .fetch_all(pool)
            .await
            .unwrap(),
        };
        columns.push(found.into_iter().collect());
    }
    assert_eq!(columns[0], columns[1]);
    assert!(columns[0].len() > 50, "{columns:?}");
    for (table, column, kind) in &columns[0] {
        let known = ["text", "bigint", "integer", "boolean"].contains(&kind.as_str());
        assert!(known, "{table}.{column} is {kind}");
    }
}

async fn a_second_log_of_an_earlier_release_knows_where_the_first_one_ended(
    database: TestDatabase,
) {
    let earlier = at_version(21, &database).await;
    for statement in [
        "insert into log_state (id, number, origin, size, root, checkpoint, verifier_key, slots, changes, partial)
         values (1, 2, 'here.example/log/2', 1, 'ab', 'note', 'key', 0, 0, false)",
        r#"insert into log_entries (number, entry)
         values (0, '{"kind":"begin","log":2,"at":"","because":"It was lost.","before":"here.example/log\n7\nroot\n\nsigned\n"}')"#,
    ] {
        run(&earlier, statement).await.unwrap();
    }
    close(earlier).await;
    let store = database.store().await;
    let ended = store.ended_log(1).await.unwrap().unwrap();
    assert_eq!(ended.checkpoint, "here.example/log\n7\nroot\n\nsigned\n");
    assert_eq!(ended.verifier_key, None);
    assert_eq!(store.ended_log(2).await.unwrap(), None);
}
