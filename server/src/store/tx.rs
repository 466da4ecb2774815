//! Transactions that write.

use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteError;
use sqlx::{PgPool, Postgres, SqlSafeStr, Sqlite, Transaction};
use tokio::sync::watch;

use super::sql::{Runner, Statement, Value};
use super::{Database, Store};

/// A transaction that has begun. Without [`Tx::commit`] it has never been.
pub(super) struct Tx {
    transaction: Begun,
    bell: watch::Sender<u64>,
    rings: bool,
}

enum Begun {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

impl Store {
    /// Begins a transaction that will write. SQLite takes the write lock at once: a transaction that
    /// reads first and locks later can fail in the middle.
    pub(super) async fn begin(&self) -> Result<Tx, sqlx::Error> {
        self.begin_with("begin immediate").await
    }

    /// Begins a transaction that will only read.
    pub(super) async fn begin_reading(&self) -> Result<Tx, sqlx::Error> {
        self.begin_with("begin").await
    }

    async fn begin_with(&self, sqlite: &'static str) -> Result<Tx, sqlx::Error> {
        let transaction = match &self.database {
            Database::Sqlite(pool) => Begun::Sqlite(pool.begin_with(sqlite).await?),
            Database::Postgres(pool) => Begun::Postgres(begin_to_its_end(pool.clone()).await?),
        };
        Ok(Tx {
            transaction,
            bell: self.bell.clone(),
            rings: false,
        })
    }
}

/// Begins in a task of its own, which goes on when whoever waits for it is gone: a request ends with its connection. sqlx 0.9.0
/// forgets a `BEGIN` that was sent and not waited for, and the pool would give that connection to the next, whose
/// writes are then never committed and whose locks are never let go of.
async fn begin_to_its_end(pool: PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
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

    /// Has the commit ring the bell, because profiles have changed.
    pub(super) fn ring(&mut self) {
        self.rings = true;
    }

    /// Begins a part that can be taken back by itself.
    pub(super) async fn begin_part(&mut self) -> Result<(), sqlx::Error> {
        self.query("savepoint part", &[]).run().await
    }

    /// Ends a part with its outcome. When the database refused a row, the part is taken back and the inner error says why; any other
    /// failure is one of the whole transaction.
    pub(super) async fn end_part<T>(
        &mut self,
        outcome: Result<T, sqlx::Error>,
    ) -> Result<Result<T, sqlx::Error>, sqlx::Error> {
        match &outcome {
            Ok(_) => {}
            Err(error) if is_refused_row(error) => {
                self.query("rollback to savepoint part", &[]).run().await?;
            }
            Err(_) => return outcome.map(Ok),
        }
        self.query("release savepoint part", &[]).run().await?;
        Ok(outcome)
    }

    pub(super) async fn commit(self) -> Result<(), sqlx::Error> {
        match self.transaction {
            Begun::Sqlite(transaction) => transaction.commit().await?,
            Begun::Postgres(transaction) => transaction.commit().await?,
        }
        if self.rings {
            self.bell.send_modify(|rung| *rung += 1);
        }
        Ok(())
    }
}

/// How often a transaction that crossed another one is tried again. The first repetition sees what
/// the other one did; more are needed only when yet another one comes in between.
pub(super) const TRIES: usize = 5;

/// Tries a transaction again when it was ended so that another one could go on.
pub(super) async fn retry_deadlocks<T, F>(mut attempt: impl FnMut() -> F) -> Result<T, sqlx::Error>
where
    F: Future<Output = Result<T, sqlx::Error>>,
{
    for _ in 1..TRIES {
        match attempt().await {
            Err(error) if is_deadlock(&error) => {}
            outcome => return outcome,
        }
    }
    attempt().await
}

/// Whether PostgreSQL ended the transaction because it and another one waited for each other
/// (SQLSTATE 40P01). SQLite has one writer at a time.
pub(super) fn is_deadlock(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(DatabaseError::code)
        .is_some_and(|code| code == "40P01")
}

/// Whether the database refused a row for what is in it, so that other rows may well be written: a constraint, a trigger, or a value that
/// does not fit (SQLSTATE classes 22, 23 and P0; `SQLITE_CONSTRAINT`).
fn is_refused_row(error: &sqlx::Error) -> bool {
    let Some(error) = error.as_database_error() else {
        return false;
    };
    let code = error.code().unwrap_or_default();
    match error.try_downcast_ref::<SqliteError>() {
        Some(_) => code.parse().is_ok_and(|code: i32| code & 0xff == 19),
        None => ["22", "23", "P0"].iter().any(|it| code.starts_with(it)),
    }
}

/// Whether the database refused a row because of a check.
pub(super) fn is_check_violation(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(DatabaseError::is_check_violation)
}

/// Whether the database refused a row because of a unique constraint. The name of the constraint is
/// not compared, because SQLite does not tell it.
pub(super) fn is_unique_violation(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(DatabaseError::is_unique_violation)
}
