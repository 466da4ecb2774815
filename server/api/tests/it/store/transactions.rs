//! Transactions that a deadlock, a full disk or a vanished client interrupts, and who is notified of a commit.

use sqlx::sqlite::SqlitePool;
use sqlx::{AssertSqlSafe, SqliteConnection};
use store::errors;
use store::rate_limits::Count;

use super::*;
use crate::support::faults::cut_off;

on_both!(only_commits_that_change_profiles_notify);

/// Waits until this PostgreSQL database has this many sessions in this state.
async fn until_sessions(connection: &mut PgConnection, count: i64, state: &'static str) {
    wait_until(state, async || {
        let sessions = format!(
            "select count(*) from pg_stat_activity where datname = current_database() and {state}"
        );
        let found = sqlx::query_scalar(AssertSqlSafe(sessions));
        let found: i64 = found.fetch_one(&mut *connection).await.unwrap();
        found == count
    })
    .await;
}

#[tokio::test]
async fn no_statement_holds_a_connection_for_ever() {
    let store = TestDatabase::postgres().await.store().await;
    for (setting, limit) in [
        ("statement_timeout", "1min"),
        ("idle_in_transaction_session_timeout", "8s"),
        ("lock_timeout", "10s"),
    ] {
        let current = format!("select current_setting('{setting}')");
        assert_eq!(texts(store.database(), current).await, [limit]);
    }
}

/// Two transactions wait for each other. PostgreSQL aborts the store's: the other session checks for deadlocks much later.
#[tokio::test]
async fn a_transaction_that_a_deadlock_ended_is_tried_again() {
    let database = TestDatabase::postgres().await;
    let store = database.store().await;
    let (first, second) = (user(&store, "satoshi").await, user(&store, "hal").await);
    let mut rival = PgConnection::connect(&database.url).await.unwrap();
    let lock = |profile: &Profile| {
        let id = &profile.id;
        let lock = format!("select id from profiles where id = '{id}' for update");
        sqlx::raw_sql(AssertSqlSafe(lock))
    };
    let begin = sqlx::raw_sql("set deadlock_timeout = '10min'; begin");
    begin.execute(&mut rival).await.unwrap();
    lock(&second).execute(&mut rival).await.unwrap();
    // The second user takes the first one's name: the store locks the first row, and waits for the second.
    let identity = called("twitter", &second.subject, "satoshi");
    let signing_in = tokio::spawn({
        let store = store.clone();
        async move { store.sign_in(&identity, NOW).await }
    });
    until_sessions(&mut rival, 1, "wait_event_type = 'Lock'").await;
    lock(&first).execute(&mut rival).await.unwrap();
    sqlx::raw_sql("commit").execute(&mut rival).await.unwrap();
    let profile = signing_in.await.unwrap().unwrap();
    assert_eq!((profile.id, &*profile.username), (second.id, "satoshi"));
}

/// A connection whose `BEGIN` is forgotten keeps its locks for ever, and swallows the writes of the next request that gets it.
#[tokio::test]
async fn no_transaction_stays_open_wherever_a_request_is_cut_off() {
    let database = TestDatabase::postgres().await;
    let store = database.store().await;
    let (person, block) = (user(&store, "alice").await, followed());
    for polls in 1.. {
        let change = store.start_following("regtest", &block);
        if let Some(done) = cut_off(change, polls).await {
            done.unwrap();
            break;
        }
    }
    store.choose_free_tier(&person.id, NOW).await.unwrap();
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    // Connections are rolled back a moment after they return to the pool.
    until_sessions(&mut connection, 0, "state like 'idle in transaction%'").await;
}

/// A store with one connection to a SQLite file, and its pool.
async fn one_connection(database: &TestDatabase) -> (Store, SqlitePool) {
    let store = Store::connect_with(&database.url, 1).await.unwrap();
    let Database::Sqlite(pool) = store.database() else {
        panic!("this is SQLite");
    };
    let pool = pool.clone();
    (store, pool)
}

/// SQLite rolls back by itself, so that sqlx's ROLLBACK fails. And acknowledged writes survive a power cut.
#[tokio::test]
async fn a_transaction_that_met_a_full_disk_breaks_no_later_one() {
    const FULL: i64 = 2;
    let database = TestDatabase::sqlite().await;
    let (store, pool) = one_connection(&database).await;
    let level = sqlx::query_scalar("pragma synchronous").fetch_one(&pool);
    assert_eq!(level.await.ok(), Some(FULL), "a commit waits for the disk");
    for _ in 0..2 {
        // The current number of pages.
        execute(&store, "pragma max_page_count = 1").await;
        let mut transaction = pool.begin_with("begin immediate").await.unwrap();
        let large = "insert into rate_limits (keyed_hash, ends_at, used) values (hex(zeroblob(100000)), 1, 1)";
        let full = sqlx::query(large).execute(&mut *transaction).await;
        let full = full.unwrap_err();
        assert!(errors::is_away(&full), "{full}");
    }
    execute(&store, "pragma max_page_count = 1000000").await;
    user(&store, "satoshi").await;
}

#[tokio::test]
async fn a_locked_sqlite_database_counts_as_away() {
    let database = TestDatabase::sqlite().await;
    let (store, pool) = one_connection(&database).await;
    let path = database.files()[0].display().to_string();
    let mut other = SqliteConnection::connect(&path).await.unwrap();
    let begin = sqlx::raw_sql("begin immediate");
    begin.execute(&mut other).await.unwrap();
    execute(&store, "pragma busy_timeout = 0").await;
    let busy = pool.begin_with("begin immediate").await.unwrap_err();
    assert!(errors::is_away(&busy), "{busy}");
}

/// Writers wait while SQLite's log is emptied.
#[tokio::test]
async fn a_backup_that_reads_for_long_does_not_hold_up_writers() {
    let database = TestDatabase::sqlite().await;
    let store = database.store().await;
    let path = database.files()[0].display().to_string();
    let mut backup = SqliteConnection::connect(&path).await.unwrap();
    let reads = sqlx::raw_sql("begin; select * from profiles");
    reads.execute(&mut backup).await.unwrap();
    user(&store, "satoshi").await;
    let emptied = tokio::time::timeout(Duration::from_secs(5), store.empty_wal()).await;
    emptied.expect("it does not wait for the backup").unwrap();
}

/// Listeners to the store are notified of visible changes after their commit.
async fn only_commits_that_change_profiles_notify(database: TestDatabase) {
    let store = database.store().await;
    let mut bell = store.subscribe();
    let mut rang = || {
        let rang = bell.has_changed().unwrap();
        bell.mark_unchanged();
        rang
    };
    let person = user(&store, "alice").await;
    let other = user(&store, "other").await;
    assert!(rang());

    proves(&store, &person, Unbound, "t1", &[(1, 100)]).await;
    assert!(rang());
    let refused = proves(&store, &other, Unbound, "t2", &[(1, 100)]).await;
    assert_eq!(refused, Conflict);
    assert!(!rang());

    store.choose_free_tier(&person.id, NOW).await.unwrap();
    assert!(rang());
    let count = Count {
        keyed_hash: "alice".to_owned(),
        most: 1,
        ends_at: NOW + 1,
    };
    store.count_request(&[count], NOW).await.unwrap();
    assert_eq!(store.expire_due(NOW).await.unwrap(), 0);
    assert!(!rang());

    assert_eq!(store.expire_due(NOW + VALIDITY).await.unwrap(), 1);
    assert!(rang());
    store.delete_profile(&person.id, NOW).await.unwrap();
    assert!(rang());
}
