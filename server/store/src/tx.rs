//! Write transactions.

use std::slice;

use futures_util::future::BoxFuture;
use sqlx::error::DatabaseError;
use sqlx::{PgPool, Postgres, SqlSafeStr, Sqlite, Transaction};
use tokio::sync::watch;

use super::errors::has_code;
use super::sql::{Runner, Statement, Value};
use super::{Database, Store};

/// A transaction. Dropping it without [`Tx::commit`] rolls it back.
pub(super) struct Tx {
    transaction: Begun,
    notifier: watch::Sender<u64>,
    notifies: bool,
}

/// The tries of a transaction that conflicts with another one. The second try sees what the other one did; more are
/// needed only when a third transaction comes in between.
pub(super) const TRIES: usize = 5;

enum Begun {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

impl Store {
    /// Runs `work` in a transaction, which it ends with [`Tx::end`]; if not, nothing changes. When the database aborts the transaction in favor of
    /// another one, runs it again, so `work` must do nothing outside the transaction.
    ///
    /// `work` must return at the first error: after `SQLITE_FULL`, SQLite may have rolled back by itself, and further statements
    /// would commit one by one. A commit whose outcome is unknown, because the connection was lost, is never retried.
    pub(super) async fn write<T, F>(&self, work: impl Fn(Tx) -> F) -> sqlx::Result<T>
    where
        F: Future<Output = sqlx::Result<T>>,
    {
        let work = || async { work(self.begin().await?).await };
        retry(TRIES, is_crossed, work).await
    }

    /// Begins a transaction that will write. SQLite takes the write lock at once: a transaction that
    /// reads first and locks later can fail in the middle.
    pub(super) async fn begin(&self) -> sqlx::Result<Tx> {
        let transaction = match &self.database {
            Database::Sqlite(pool) => Begun::Sqlite(pool.begin_with("begin immediate").await?),
            Database::Postgres(pool) => Begun::Postgres(begin_transaction(pool.clone()).await?),
        };
        Ok(Tx {
            transaction,
            notifier: self.notifier.clone(),
            notifies: false,
        })
    }
}

/// Runs `work`, and again when it fails with such an error, up to this many times in total.
pub(super) async fn retry<T, F>(
    tries: usize,
    is_such: fn(&sqlx::Error) -> bool,
    work: impl Fn() -> F,
) -> sqlx::Result<T>
where
    F: Future<Output = sqlx::Result<T>>,
{
    for _ in 1..tries {
        match work().await {
            Err(error) if is_such(&error) => {}
            outcome => return outcome,
        }
    }
    work().await
}

/// Begins in a task of its own, which goes on when the request that waits for it is dropped with its connection. sqlx 0.9.0
/// forgets a `BEGIN` that was sent and not waited for. The pool would give that connection to the next caller, whose
/// writes are then never committed and whose locks are never released.
async fn begin_transaction(pool: PgPool) -> sqlx::Result<Transaction<'static, Postgres>> {
    let begun = tokio::spawn(async move { pool.begin().await }).await;
    begun.unwrap_or(Err(sqlx::Error::WorkerCrashed))
}

impl Tx {
    pub(super) fn query<'c>(
        &'c mut self,
        sql: impl SqlSafeStr,
        values: &[&'c dyn Value],
    ) -> Statement<'c> {
        let runner = match &mut self.transaction {
            Begun::Sqlite(transaction) => Runner::Sqlite(transaction),
            Begun::Postgres(transaction) => Runner::Postgres(transaction),
        };
        Statement::new(runner, sql, values)
    }

    pub(super) fn is_postgres(&self) -> bool {
        matches!(self.transaction, Begun::Postgres(_))
    }

    /// Has the commit notify subscribers that profiles have changed.
    pub(super) fn notify(&mut self) {
        self.notifies = true;
    }

    /// Begins a part that can be rolled back by itself.
    pub(super) async fn begin_part(&mut self) -> sqlx::Result<()> {
        let sql = "savepoint part";
        self.query(sql, &[]).run().await
    }

    /// Ends a part with its outcome. When the database refused a row, rolls the part back and returns why as the inner error. Any other
    /// failure fails the whole transaction.
    pub(super) async fn end_part<T>(
        &mut self,
        outcome: sqlx::Result<T>,
    ) -> sqlx::Result<Result<T, sqlx::Error>> {
        match &outcome {
            Ok(_) => {}
            Err(error) if is_refused_row(error) => {
                let sql = "rollback to savepoint part";
                self.query(sql, &[]).run().await?;
            }
            Err(_) => return outcome.map(Ok),
        }
        let sql = "release savepoint part";
        self.query(sql, &[]).run().await?;
        Ok(outcome)
    }

    /// Does `work` for all of these users. When the database refuses a row, does it for each of them by itself, and returns those whose row
    /// it refused.
    pub(super) async fn for_users(
        &mut self,
        users: &[String],
        work: impl for<'w> Fn(&'w mut Self, &'w [String]) -> BoxFuture<'w, sqlx::Result<()>>,
    ) -> sqlx::Result<Vec<(String, sqlx::Error)>> {
        self.begin_part().await?;
        let done = work(self, users).await;
        let mut refused = Vec::new();
        if self.end_part(done).await?.is_ok() {
            return Ok(refused);
        }
        for user in users {
            self.begin_part().await?;
            let done = work(self, slice::from_ref(user)).await;
            let refusal = self.end_part(done).await?.err();
            refused.extend(refusal.map(|error| (user.clone(), error)));
        }
        Ok(refused)
    }

    /// Commits, and returns `outcome`.
    pub(super) async fn end<T>(self, outcome: T) -> sqlx::Result<T> {
        self.commit().await?;
        Ok(outcome)
    }

    pub(super) async fn commit(self) -> sqlx::Result<()> {
        match self.transaction {
            Begun::Sqlite(transaction) => transaction.commit().await?,
            Begun::Postgres(transaction) => transaction.commit().await?,
        }
        if self.notifies {
            self.notifier.send_modify(|changes| *changes += 1);
        }
        Ok(())
    }
}

/// Whether PostgreSQL aborted a transaction in favor of another one: a deadlock or a serialization failure. SQLite has one writer, whose lock
/// the transaction has waited for long enough.
fn is_crossed(error: &sqlx::Error) -> bool {
    has_code(error, &[], &["40P01", "40001"])
}

/// Whether the database refused the content of a row, so that other rows may still be written: a constraint, a trigger, or a value that
/// does not fit (`SQLITE_CONSTRAINT`; SQLSTATE classes 22, 23 and P0).
fn is_refused_row(error: &sqlx::Error) -> bool {
    has_code(error, &[19], &["22", "23", "P0"])
}

/// Whether the database refused a row because of a check.
pub(super) fn is_check_violation(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(DatabaseError::is_check_violation)
}

/// Whether the database refused a row because of a unique constraint. SQLite does not say which one.
pub(super) fn is_unique_violation(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(DatabaseError::is_unique_violation)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::error::Error;
    use std::fmt;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use sqlx::error::ErrorKind;

    use super::*;

    /// An error with an SQLSTATE, as PostgreSQL reports it.
    #[derive(Debug)]
    struct Reported(&'static str);

    impl fmt::Display for Reported {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Reported {}

    impl DatabaseError for Reported {
        fn message(&self) -> &str {
            self.0
        }

        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.0.into())
        }

        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }

        fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
            self
        }
    }

    /// How often work is tried that always fails with this error.
    async fn tries(error: impl Fn() -> sqlx::Error) -> usize {
        let tries = AtomicUsize::new(0);
        let failed: Result<(), _> = retry(TRIES, is_crossed, || async {
            tries.fetch_add(1, Ordering::Relaxed);
            Err(error())
        })
        .await;
        assert!(failed.is_err());
        tries.into_inner()
    }

    #[tokio::test]
    async fn only_transactions_that_gave_way_to_another_one_are_tried_again() {
        let reported = |code| move || sqlx::Error::Database(Box::new(Reported(code)));
        for code in ["40P01", "40001"] {
            assert_eq!(tries(reported(code)).await, TRIES, "{code}");
        }
        // Refused rows, time-outs, a shutdown, a lost connection, a failed transaction.
        for code in [
            "23505", "23514", "57014", "55P03", "25P03", "57P01", "08006", "25P02",
        ] {
            assert_eq!(tries(reported(code)).await, 1, "{code}");
        }
        // A connection lost during a commit: the outcome is unknown.
        assert_eq!(tries(|| std::io::Error::other("reset").into()).await, 1);
        assert_eq!(tries(|| sqlx::Error::WorkerCrashed).await, 1);
    }

    #[tokio::test]
    async fn listeners_are_notified_after_the_commit_and_of_no_failed_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite:{}", folder.path().join("database").display());
        let store = Store::connect(&url).await.expect("a database");
        let mut listener = store.subscribe();
        for (row, fails) in [(1_i64, true), (0, false)] {
            let mut tx = store.begin().await.expect("a transaction");
            for sql in [
                "create table parents (id integer primary key)",
                "create table children (parent integer references parents (id) deferrable initially deferred)",
                "insert into parents (id) values (0)",
            ] {
                tx.query(sql, &[]).run().await.expect("a statement");
            }
            let child = tx.query("insert into children (parent) values ($1)", &[&row]);
            child.run().await.expect("a row, which the commit checks");
            tx.notify();
            assert!(
                !listener.has_changed().expect("a store"),
                "before the commit"
            );
            assert_eq!(tx.commit().await.is_err(), fails);
            assert_eq!(listener.has_changed().expect("a store"), !fails);
            listener.mark_unchanged();
        }
    }
}
