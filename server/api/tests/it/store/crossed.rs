//! A transaction that the database aborts to resolve a deadlock is retried.

use super::*;

/// The sessions of this database that wait for a lock.
const WAITING: &str = "select count(*) from pg_stat_activity \
    where datname = current_database() and wait_event_type = 'Lock'";

async fn lock(connection: &mut PgConnection, profile: &Profile) {
    sqlx::query("select id from profiles where id = $1 for update")
        .bind(&profile.id)
        .execute(connection)
        .await
        .unwrap();
}

/// Two transactions wait for each other. PostgreSQL aborts the store's: the other session checks for deadlocks much later.
#[tokio::test]
async fn a_transaction_that_a_deadlock_ended_is_tried_again() {
    let database = TestDatabase::postgres().await;
    let store = database.store().await;
    let (first, second) = (user(&store, "satoshi").await, user(&store, "hal").await);
    let mut rival = PgConnection::connect(&database.url).await.unwrap();
    sqlx::raw_sql("set deadlock_timeout = '10min'; begin")
        .execute(&mut rival)
        .await
        .unwrap();
    lock(&mut rival, &second).await;
    // The second user takes the first one's name: the store locks the first row, and waits for the second.
    let identity = called("twitter", &second.subject, "satoshi");
    let signing_in = tokio::spawn({
        let store = store.clone();
        async move { store.sign_in(&identity, NOW).await }
    });
    until("the store waits for the second row", async || {
        let waiting = sqlx::query_scalar(WAITING).fetch_one(&mut rival).await;
        matches!(waiting, Ok(1_i64)).then_some(())
    })
    .await;
    lock(&mut rival, &first).await;
    sqlx::raw_sql("commit").execute(&mut rival).await.unwrap();
    let profile = signing_in.await.unwrap().unwrap();
    assert_eq!(
        (profile.id, profile.username),
        (second.id, "satoshi".to_owned())
    );
}
